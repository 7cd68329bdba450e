import { createHash } from "node:crypto";
import { HallError } from "../../contract/errors.ts";
import type { InitiativeDetail } from "../../contract/routes/autonomy/initiative-routes.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { TurnOutcome } from "../../contract/runs/session.ts";
import { hasEnded, type TeamStatus } from "../../contract/words/teams/team-words.ts";
import type { LeadVoice } from "../../projects/lead-voice.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { openQuestions } from "./lead-briefing.ts";
import type { LeadWorld } from "./lead-rule.ts";
import { type LeadState, leadOfRoot, roundMessageId } from "./lead-state.ts";
import type { Place } from "./lead-store.ts";

export interface WorldParts {
  core: Pick<Core, "projects" | "runs">;
  hall: Pick<Hall, "documents" | "tasks" | "escalations">;
  voice: Pick<LeadVoice, "isOpen" | "isSaid" | "outcomeOf">;
  teamOf: (id: string) => { status: TeamStatus; isWaitingForPerson: boolean } | undefined;
  /** Milliseconds until the orchestrator may start work again; 0: it may now. */
  closedFor: () => number;
}

/** What the orchestrator started keeps to its hours. */
export function isOffHours({ closedFor }: Pick<WorldParts, "closedFor">, { started }: LeadState): boolean {
  return started.startedBy === BY_DAEMON.kind && closedFor() > 0;
}

/** What a lead's runs and teams are at. */
export interface Work {
  /** Ids of those that go on. */
  atWork: string[];
  parked: string[];
  /** Their tasks. */
  taken: Set<string>;
  /** Tasks whose last run somebody stopped: they are not started again unless the person says so. */
  held: Set<string>;
}

export function worldOf(parts: WorldParts, lead: LeadState, place: Place): LeadWorld {
  const { core, hall, voice } = parts;
  const project = core.projects.status(place.projectId);
  const initiative = project === undefined ? undefined : initiativeIn(hall, place);
  const work = workOf(parts, lead);
  const ready = initiative === undefined ? [] : takeable(initiative, work);
  const isIt = ({ id, root }: { id: string; root?: string | undefined }) => leadOfRoot(root ?? id) === lead.id;
  return {
    project,
    initiative: initiative?.status,
    isSaid: project === undefined || isSaid(voice, lead, place),
    isSpokenTo: project !== undefined && voice.isOpen(place.projectId, isIt),
    outcome: project === undefined ? undefined : lastOutcome(voice, lead, place),
    isOffHours: isOffHours(parts, lead),
    atWork: work.atWork.length,
    parked: work.parked.length,
    ready,
    mark: initiative === undefined ? "" : markOf(parts, { lead, place, initiative }),
  };
}

/** Undefined: its plan is not there. It may have been removed a moment ago, and nothing else knows of it yet. */
export function initiativeIn(
  hall: Pick<Hall, "documents">,
  { projectId, initiative }: Place,
): InitiativeDetail | undefined {
  try {
    return hall.documents.initiative(projectId, initiative);
  } catch (error) {
    if (error instanceof HallError && error.code === "initiative_not_found") return undefined;
    throw error;
  }
}

/** Ready tasks that nobody works on, in order. */
export function takeable({ ready }: Pick<InitiativeDetail, "ready">, { taken, held }: Work): string[] {
  return ready.flatMap(({ id }) => (taken.has(id) || held.has(id) ? [] : [id]));
}

export function workOf(
  { core, teamOf }: Pick<WorldParts, "core" | "teamOf">,
  { runs, teams, started }: LeadState,
): Work {
  const work: Work = { atWork: [], parked: [], taken: new Set(), held: new Set() };
  const goesOn = (id: string, taskId: string | undefined, waitsForPerson: boolean) => {
    work.atWork.push(id);
    if (waitsForPerson) work.parked.push(id);
    if (taskId !== undefined) work.taken.add(taskId);
  };
  for (const [id, taskId] of runs) {
    const run = core.runs.get(id)?.run;
    if (run === undefined) continue;
    if (taskId !== undefined) work.held.delete(taskId);
    if (!isOver(run)) goesOn(id, run.taskId, run.waitingFor === "answer");
    else if (run.status === "cancelled" && taskId !== undefined) work.held.add(taskId);
  }
  for (const [id, taskId] of teams) {
    const team = teamOf(id);
    if (team === undefined) continue;
    work.held.delete(taskId);
    if (!hasEnded(team.status)) goesOn(id, taskId, team.isWaitingForPerson);
    else if (team.status === "stopped") work.held.add(taskId);
  }
  // A run of its tasks that someone else started is as good as its own.
  for (const { run } of core.runs.unsettled(started.briefing.projectId)) work.taken.add(run.taskId);
  return work;
}

function isSaid(voice: WorldParts["voice"], { id, told }: LeadState, { projectId }: Place): boolean {
  return told.length === 0 || voice.isSaid(projectId, roundMessageId(id, told.length));
}

function lastOutcome(
  voice: WorldParts["voice"],
  { id, told }: LeadState,
  { projectId }: Place,
): TurnOutcome | undefined {
  return told.length === 0 ? undefined : voice.outcomeOf(projectId, roundMessageId(id, told.length));
}

/** Everything that shows that a lead gets on: its tasks, runs, questions and plan. */
function markOf(
  { hall }: WorldParts,
  { lead, place, initiative }: { lead: LeadState; place: Place; initiative: InitiativeDetail },
): string {
  const questions = openQuestions(hall, place).map(({ id }) => id);
  const seen = [initiative.counts, initiative.etag, lead.runs.size, lead.teams.size, questions];
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 16);
}
