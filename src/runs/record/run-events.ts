import type { Actor, EventDraft } from "../../contract/event.ts";
import type { Run, RunReflection } from "../../contract/runs/run.ts";
import type { Verdict } from "../../contract/runs/run-book.ts";
import type { Parked } from "../../contract/runs/waiting.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON } from "../../workspace/core.ts";
import type { LineSeal } from "../../workspace/events/line-seal.ts";

/** What an agent wants the person to know; one call of its tool is told once. */
export interface Note {
  callId: string;
  text: string;
}

/** What the log tells of runs. */
export function actorOf(run: Pick<Run, "id">): Actor {
  return { kind: "agent", id: run.id, via: "daemon" };
}

export function createdEvent(run: Run, { actor, request }: Pick<Change, "actor" | "request">): EventDraft {
  const after = {
    roleId: run.roleId,
    taskId: run.taskId,
    purpose: run.purpose,
    model: run.model,
    parentRunId: run.parentRunId,
    team: run.team?.id,
  };
  return { type: "run.created", actor, ...(request === undefined ? {} : { request }), ...about(run), after };
}

export function startedEvent(run: Run): EventDraft {
  return { type: "run.started", actor: actorOf(run), ...about(run), after: { attempt: run.attempt } };
}

/** `notify`: whether the person wants to be told. */
export function endedEvent(
  run: Run,
  { notify, journal, costs = [] }: { notify: boolean; journal?: LineSeal | undefined; costs?: LineSeal[] },
): EventDraft {
  const { status, cause, error, taskId, usage, result, purpose, delivery, team } = run;
  const after = {
    status,
    cause,
    error,
    taskId,
    costUsd: usage.costUsd,
    summary: result?.output.slice(0, 500),
    purpose,
    team: team?.id,
    verdict: result?.review?.verdict,
    delivery,
    notify,
    journal,
    ...(costs.length === 0 ? {} : { costs }),
  };
  return { type: "run.ended", actor: actorOf(run), ...about(run), after };
}

export function notifiedEvent(run: Pick<Run, "id" | "projectId" | "taskId">, note: Note): EventDraft {
  const after = { text: note.text, taskId: run.taskId, callId: note.callId };
  return { type: "run.notified", actor: actorOf(run), ...about(run), after };
}

/** Without the words of what it waits for, which may be an agent's own. */
export function waitingEvent(run: Pick<Run, "id" | "projectId" | "taskId">, { reason }: Parked): EventDraft {
  return { type: "run.waiting", actor: actorOf(run), ...about(run), after: { taskId: run.taskId, waitingFor: reason } };
}

export function resumedEvent(run: Pick<Run, "id" | "projectId" | "taskId">): EventDraft {
  return { type: "run.resumed", actor: actorOf(run), ...about(run), after: { taskId: run.taskId } };
}

export function hinderedEvent(run: Pick<Run, "id" | "projectId" | "taskId">, reason: string | undefined): EventDraft {
  return { type: "run.hindered", actor: BY_DAEMON, ...about(run), after: { taskId: run.taskId, reason } };
}

export function reflectedEvent(run: Pick<Run, "id" | "projectId" | "taskId">, reflection: RunReflection): EventDraft {
  const { at: _, ...after } = reflection;
  return { type: "memory.reflected", actor: actorOf(run), ...about(run), after: { taskId: run.taskId, ...after } };
}

export function reviewedEvent(
  run: Pick<Run, "id" | "projectId" | "taskId">,
  { verdict, delivery, hash, feedback, discard = delivery.discard }: Verdict,
  { actor, request }: Pick<Change, "actor" | "request">,
): EventDraft {
  const after = {
    taskId: run.taskId,
    delivery,
    hash,
    feedback: feedback?.slice(0, 4_000),
    ...(discard === undefined ? {} : { discardedAt: discard.at }),
  };
  return { type: `run.${verdict}`, actor, ...(request === undefined ? {} : { request }), ...about(run), after };
}

function about(run: Pick<Run, "id" | "projectId">) {
  return { projectId: run.projectId, subject: { kind: "run" as const, id: run.id } };
}
