import type { AgentTeams } from "../contract/documents/config.ts";
import { REHEARSED } from "../contract/documents/task-status.ts";
import { HallError } from "../contract/errors.ts";
import type { Run } from "../contract/runs/run.ts";
import { unlessRefused } from "../runs/results/settlement.ts";
import type { Core } from "../workspace/core.ts";
import type { StoredEscalation } from "../workspace/escalations/escalations.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { TeamState } from "./machine/team-state.ts";
import type { Answer, SeenRun, SpecFinding, World } from "./machine/world.ts";
import { answerIn } from "./team-questions.ts";

export interface WorldParts {
  core: Core;
  hall: Pick<Hall, "escalations" | "gates">;
  settings: AgentTeams;
  spentOf: (teamId: string) => number;
  /** Whether a call of the team was refused because of its budget as it is now. */
  isCapReached: (teamId: string) => boolean;
  /** When the daemon started. */
  upSince: string;
  roleSpecOf: (state: TeamState, key: string) => ReturnType<World["roleSpec"]>;
  models: () => Pick<World["settings"], "escalationModel" | "topModel">;
}

/** Failures before a member gets a stronger model, where the settings say nothing. */
export const USUAL_THRESHOLD = 2;
const INTERRUPTED: readonly (string | undefined)[] = ["interrupted", "cancelled"];
/** How many answered questions are looked through for one that a crash kept from being noted. */
const MOST_LOOKED_AT = 200;

/** What a team's machine sees now. The index must be there. */
export async function worldOf(parts: WorldParts, state: TeamState, touched: World["touched"]): Promise<World> {
  const { core, hall, settings, spentOf, models } = parts;
  const { document, question } = state;
  const { projectId } = document;
  const answer = question?.escalationId === undefined ? undefined : await answerTo(hall, question.escalationId);
  return {
    run: (runId) => seenRun(core, core.runs.get(runId)?.run),
    touched,
    task: (taskId) => core.tasks.record(projectId, taskId)?.status,
    check: (checkId) => checkOf(hall, checkId),
    roleSpec: (key) => parts.roleSpecOf(state, key),
    answer: (number) => (question?.number === number ? answer : undefined),
    isActive: core.projects.status(projectId) === "active",
    needsSetup: hasSetup(core, projectId),
    spentUsd: spentOf(document.id),
    isCapReached: parts.isCapReached(document.id),
    now: core.clock().toISOString(),
    upSince: parts.upSince,
    specFindings: (gateId) => specFindings(hall, gateId),
    settings: {
      maxWriters: settings.yolo.maxConcurrency,
      maxRounds: settings.yolo.maxRemediationRounds,
      autoEscalationThreshold: settings.autoEscalationThreshold ?? USUAL_THRESHOLD,
      ...models(),
    },
    nextRunId: () => `run-${core.nextId()}`,
  };
}

function hasSetup({ projects }: Core, projectId: string): boolean {
  const project = projects.get(projectId);
  return project !== undefined && project.status !== "invalid" && project.config.worktree?.setup !== undefined;
}

const SPEC_STAGES: readonly string[] = ["spec_compliance", "traceability"] satisfies SpecFinding["stage"][];

/** One text for each stage that failed. A report that can't be read says nothing. */
function specFindings({ gates }: Pick<Hall, "gates">, gateId: string): SpecFinding[] {
  try {
    const failed = gates
      .get(gateId)
      .stages.filter(({ name, verdict }) => verdict === "fail" && SPEC_STAGES.includes(name));
    return failed.map(({ name, findings }) => {
      const open = findings.filter(({ state }) => state === "open");
      const requirements = [...new Set(open.flatMap((finding) => finding.requirements ?? []))];
      return {
        stage: name as SpecFinding["stage"],
        text: open.map(({ message }) => message).join(" ") || `The stage ${name} failed.`,
        requirements,
      };
    });
  } catch (error) {
    if (error instanceof HallError && ["file_invalid", "gate_not_found"].includes(error.code)) return [];
    throw error;
  }
}

function seenRun(core: Core, run: Run | undefined): SeenRun | undefined {
  if (run === undefined) return undefined;
  const { status, model, cause, error, delivery, result } = run;
  const next = delivery?.state === "rejected" ? delivery.next : undefined;
  const isReturned = delivery?.state === "rejected" && next === undefined;
  const shown = isReturned ? { ...delivery, reason: feedbackOn(core, run) ?? delivery.reason } : delivery;
  const { handIn, outcome } = result ?? {};
  const isRehearsal = outcome === REHEARSED;
  return { status, model, cause, error, delivery: shown as SeenRun["delivery"], isRehearsal, handIn, next };
}

/** What the person wants changed in what the team delivered. */
function feedbackOn({ events }: Pick<Core, "events">, { id, projectId }: Run): string | undefined {
  const told = events.tail({ type: "run.rejected", project: projectId, count: MOST_LOOKED_AT });
  const feedback = told.findLast(({ subject }) => subject.id === id)?.after?.feedback;
  return typeof feedback === "string" ? feedback : undefined;
}

/** Undefined: it is made again. So is one that a stop of the daemon interrupted. */
function checkOf({ gates }: Pick<Hall, "gates">, id: string): ReturnType<World["check"]> {
  try {
    const check = gates.getCheck(id);
    return check.verdict === "unable" && INTERRUPTED.includes(check.reason?.code) ? undefined : check;
  } catch (error) {
    if (error instanceof HallError && ["file_invalid", "gate_not_found"].includes(error.code)) return undefined;
    throw error;
  }
}

async function answerTo({ escalations }: Pick<Hall, "escalations">, id: string): Promise<Answer | undefined> {
  const found = await unlessRefused(escalations.get(id));
  if (found !== undefined) return found.status === "resolved" ? answerIn(found) : undefined;
  // A document that the person removed is no answer.
  return escalations.isUnreadable(id) ? undefined : { answer: "none", remarks: "", by: "person" };
}

/** The document of a question; a crash may have come before its id was noted. */
export function filedQuestion(
  { escalations }: Pick<Hall, "escalations">,
  { document: { id, projectId: project } }: TeamState,
  number: number,
): StoredEscalation | undefined {
  const isOurs = ({ team }: StoredEscalation) => team?.id === id && team.number === number;
  return (
    escalations.open().find(isOurs) ??
    escalations.list({ status: "resolved", type: "approval", project, limit: MOST_LOOKED_AT }).escalations.find(isOurs)
  );
}
