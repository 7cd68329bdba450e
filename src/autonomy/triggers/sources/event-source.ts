import type { HallEvent } from "../../../contract/event.ts";
import type { RunPlan } from "../../../contract/runs/run.ts";
import type { TriggerEvent } from "../../../contract/words/autonomy/trigger-words.ts";
import { errorText } from "../../../contract/words/error-text.ts";
import { hasEnded, TEAM_STATUSES } from "../../../contract/words/teams/team-words.ts";
import type { Core } from "../../../workspace/core.ts";
import { type OpenSubscription, subscribe } from "../../../workspace/events/event-subscriber.ts";
import type { Hall } from "../../../workspace/hall/hall.ts";
import type { IndexedRun } from "../../../workspace/records.ts";
import { FIRING } from "../effects.ts";
import type { TriggerKeeper } from "../keeper.ts";
import type { TriggerFiles } from "../trigger-files.ts";

interface Parts {
  core: Core;
  hall: Hall;
  files: Pick<TriggerFiles, "all">;
  keeper: Pick<TriggerKeeper, "accept" | "skip">;
  teams: { triggered: { find(id: string): { document: { trigger?: unknown } } | undefined } };
  planOf: (run: IndexedRun) => RunPlan | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/** Something that happened, for triggers that wait for it. */
interface Happened {
  event: TriggerEvent;
  facts: string;
  isCaused: boolean;
}

/** Fires the triggers that wait for events of the hall: each event once, also after a crash. What a trigger caused fires nothing. */
export function openEventSource(parts: Parts): Promise<OpenSubscription> {
  const { core, files, keeper, onTrouble } = parts;
  const waiting = () => files.all().filter(({ on }) => on.event !== undefined);
  return subscribe({
    core,
    name: "triggers",
    words: { title: "Triggers on events", item: "event" },
    wants: (event) => sourceOf(event) !== undefined && waiting().length > 0,
    keyOf: ({ projectId = "" }) => projectId,
    handle: async (event) => {
      try {
        await core.shown.available();
        await core.shown.caughtUp();
        const happened = happenedIn(event, parts);
        if (happened === undefined) return { kind: "done" };
        for (const { name, on, projectId } of waiting()) {
          if (on.event !== happened.event || (projectId !== undefined && projectId !== event.projectId)) continue;
          const cause = `${happened.event} ${event.subject.id}`;
          if (happened.isCaused) await keeper.skip(name, { reason: "caused-by-trigger", cause });
          else await keeper.accept(name, { cause, keys: [`event ${event.seq}`], given: { facts: happened.facts } });
        }
        return { kind: "done" };
      } catch (error) {
        return { kind: "retry", reason: errorText(error) };
      }
    },
    random: Math.random,
    onTrouble,
  });
}

/** By the type of the event alone: asked of every event. */
function sourceOf({ type, after = {}, actor }: HallEvent): TriggerEvent | undefined {
  switch (type) {
    case "run.ended":
      return "run.ended";
    case "team.moved": {
      const status = TEAM_STATUSES.find((one) => one === after.status);
      return status !== undefined && hasEnded(status) ? "team.ended" : undefined;
    }
    case "gate.finished":
      return after.verdict === "fail" ? "gate.failed" : undefined;
    case "escalation.resolved":
    case "escalation.removed":
      // What the hall withdrew or answered itself, it caused.
      return actor.kind === "daemon" || actor.kind === "agent" ? undefined : "escalations.cleared";
    default:
      return undefined;
  }
}

function happenedIn(event: HallEvent, parts: Parts): Happened | undefined {
  const source = sourceOf(event);
  const { subject, after = {}, projectId } = event;
  const where = projectId === undefined ? "" : ` in project '${projectId}'`;
  switch (source) {
    case "run.ended": {
      const run = parts.core.runs.get(subject.id)?.run;
      // A part of another run's work, or of a team's, is not an end of its own.
      if (run === undefined || run.parentRunId !== undefined || run.team !== undefined || run.purpose !== "work")
        return undefined;
      const facts = `run ${run.id} (${run.roleId}, ${run.taskId})${where} ended: ${run.status}`;
      return { event: source, facts, isCaused: isCausedRun(run.id, parts) };
    }
    case "team.ended": {
      const facts = `team ${subject.id}${where} ended: ${String(after.status)}`;
      return { event: source, facts, isCaused: isCausedTeam(subject.id, parts) };
    }
    case "gate.failed": {
      const runId = typeof after.runId === "string" ? after.runId : undefined;
      const facts = `quality gate ${subject.id}${where} failed${runId === undefined ? "" : `, judging run ${runId}`}`;
      return { event: source, facts, isCaused: runId !== undefined && isCausedRun(runId, parts) };
    }
    case "escalations.cleared": {
      const open = parts.hall.escalations.open().filter((one) => one.projectId === projectId);
      if (open.length > 0) return undefined;
      return {
        event: source,
        facts: `all escalations${where} are answered; the last was ${subject.id}`,
        isCaused: false,
      };
    }
    default:
      return undefined;
  }
}

/** Whether a trigger started it, or started what started it. */
function isCausedRun(runId: string, parts: Pick<Parts, "core" | "planOf" | "teams">, depth = 0): boolean {
  const known = parts.core.runs.get(runId);
  if (known === undefined || depth > 50) return false;
  const { run } = known;
  const plan = parts.planOf(known);
  if (run.trigger !== undefined || plan?.asker?.root?.startsWith(FIRING) === true) return true;
  if (run.team !== undefined && isCausedTeam(run.team.id, parts)) return true;
  const before = [run.parentRunId, plan?.continues?.runId];
  return before.some((id) => id !== undefined && isCausedRun(id, parts, depth + 1));
}

function isCausedTeam(id: string, { teams }: Pick<Parts, "teams">): boolean {
  return teams.triggered.find(id)?.document.trigger !== undefined;
}
