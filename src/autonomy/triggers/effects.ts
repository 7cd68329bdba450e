import type { Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import type { Started } from "../../contract/documents/autonomy/trigger.ts";
import { HallError } from "../../contract/errors.ts";
import type { Run, RunTrigger } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { hasEnded, type TeamStatus } from "../../contract/words/teams/team-words.ts";
import type { HallVoice } from "../../projects/hall-voice.ts";
import type { TriggerRunOrder } from "../../runs/plan/trigger-runs.ts";
import type { Core } from "../../workspace/core.ts";
import { endOfCycle, endOfRun, endOfTeam, endOfText, type FiringEnd } from "./outcome.ts";
import { promptOf } from "./prompt.ts";
import type { TriggerDocument } from "./trigger-files.ts";
import type { HeldFiring } from "./trigger-state.ts";

/** Before the id of each firing, which is also that of its message. */
export const FIRING = "firing-";

export interface EffectsParts {
  core: Pick<Core, "projects" | "runs">;
  runs: { start(order: TriggerRunOrder): Promise<void>; known(runId: string): Run | undefined };
  teams: {
    start(
      projectId: string,
      body: { goal: string },
      by: { id: string; trigger: { name: string; firingId: string } },
    ): Promise<void>;
    find(id: string): { status: TeamStatus; reason?: string | undefined } | undefined;
  };
  /** Runs cycles: under one id, once. */
  orchestrator: () => { cycle(id: string): Promise<unknown>; find(id: string): Cycle | undefined };
  voice: Pick<HallVoice, "tell" | "isUnread" | "saySaved" | "isSavedUnread">;
}

/** Starts what firings start, and tells what came of it. Whatever is asked for again under the same firing happens once. */
export class TriggerEffects {
  readonly #parts: EffectsParts;
  /** What agents answered to messages of firings that are under way. */
  readonly #said = new Map<string, FiringEnd>();

  constructor(parts: EffectsParts) {
    this.#parts = parts;
  }

  /** What an agent answered to the message of a firing. */
  heard(firingId: string, { outcome, text }: { outcome: string; text?: string }): void {
    const isAnswered = outcome === "answered";
    const end = isAnswered
      ? endOfText(text)
      : { outcome: "needs-person" as const, text: `The agent's turn ended: ${outcome}.` };
    this.#said.set(firingId, end);
  }

  /** Rejects with HallError what can't be started. */
  async start(trigger: TriggerDocument, firing: HeldFiring, { isAgain }: { isAgain: boolean }): Promise<Started> {
    const { spawn, team, message } = trigger.do;
    const suffix = firing.id.slice(FIRING.length);
    const text = promptOf(trigger, firing.given ?? {}, suffix);
    const of = { name: trigger.name, firingId: firing.id };
    if (spawn !== undefined) return this.#spawn(trigger, firing, { ...of, text, runId: `run-${suffix}`, isAgain });
    if (team !== undefined) return this.#team(trigger, text, { id: `team-${suffix}`, trigger: of });
    if (message !== undefined) return this.#message(trigger, text, firing.id);
    await this.#parts.orchestrator().cycle(firing.id);
    return { kind: "cycle", id: firing.id };
  }

  async #spawn(
    { do: { spawn }, projectId }: TriggerDocument,
    { given }: HeldFiring,
    { text, runId, isAgain, ...of }: RunTrigger & { text: string; runId: string; isAgain: boolean },
  ): Promise<Started> {
    const { roleId = "", title = "" } = spawn ?? {};
    const outside = given?.outside === undefined ? {} : { outside: true as const };
    const context = { files: [], codeRefs: [], dependencies: [] };
    const request = {
      ...{ roleId, overrides: {}, variables: {}, contextFiles: [] },
      ...(projectId === undefined ? {} : { projectId }),
      task: { title, description: text, type: "other" as const, priority: "medium" as const, context },
      options: { waitForCompletion: false, notifyOnComplete: false, createArtifact: true },
    };
    await this.#parts.runs.start({ runId, request, trigger: { ...of, ...outside }, isAgain });
    return { kind: "run", id: runId, ...(projectId === undefined ? {} : { projectId }), ...outside };
  }

  async #team(
    { projectId }: TriggerDocument,
    goal: string,
    by: { id: string; trigger: { name: string; firingId: string } },
  ): Promise<Started> {
    if (projectId === undefined) throw new HallError("trigger_refused", "A team needs a project.");
    await this.#parts.teams.start(projectId, { goal }, by);
    return { kind: "team", id: by.id, projectId };
  }

  async #message({ projectId }: TriggerDocument, text: string, id: string): Promise<Started> {
    const { voice } = this.#parts;
    if (projectId === undefined) await voice.saySaved(text, id);
    else if (!(await voice.tell(projectId, text, id)))
      throw new HallError("project_closed", `Project '${projectId}' is not active.`);
    return { kind: "message", id, ...(projectId === undefined ? {} : { projectId }) };
  }

  /** Undefined while it is under way. */
  endOf({ kind, id, projectId }: Started): FiringEnd | undefined {
    const { voice, runs, teams, core } = this.#parts;
    if (kind === "run") {
      const run = runs.known(id);
      if (run === undefined) return { outcome: "needs-person", text: "The run no longer exists." };
      return isOver(run) ? endOfRun(run) : undefined;
    }
    if (kind === "team") {
      const team = teams.find(id);
      if (team === undefined) return { outcome: "needs-person", text: "The team no longer exists." };
      return hasEnded(team.status) ? endOfTeam(team.status, team.reason) : undefined;
    }
    if (kind === "cycle") return endOfCycle(this.#parts.orchestrator().find(id));
    const isGone = projectId !== undefined && core.projects.status(projectId) === undefined;
    const isOpen = projectId === undefined ? voice.isSavedUnread(id) : !isGone && voice.isUnread(projectId, id);
    if (isOpen) return undefined;
    const end = this.#said.get(id) ?? { outcome: "report" as const };
    this.#said.delete(id);
    return end;
  }
}
