import type { Escalation } from "../../contract/documents/escalation.ts";
import type { DeliveryState } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import { runLine } from "../../contract/runs/run-line.ts";
import { ANSWER_WORDS, type QueueAction } from "../../contract/words/queue-words.ts";
import { derivedEntry } from "./derived-entry.ts";
import { reviewSubject } from "./subject.ts";

interface Said {
  outcome: "answered" | "dismissed" | "withdrawn";
  answer: string | null;
  resolution: string;
  by: string;
  at: Date;
  undoUntil?: string | undefined;
}

/** An entry with its answer. */
export function resolvedEntry(entry: Escalation, { at, by, undoUntil, ...said }: Said): Escalation {
  const time = at.toISOString();
  return {
    ...entry,
    ...said,
    status: "resolved",
    resolvedBy: by,
    resolvedAt: time,
    updatedAt: time,
    urgency: 0,
    ...(undoUntil === undefined ? {} : { undoUntil }),
  };
}

type Decided = Extract<QueueAction, "approve" | "request-changes" | "discard">;

const DECIDED: Partial<Record<DeliveryState, Decided>> = {
  delivered: "approve",
  rejected: "request-changes",
  discarded: "discard",
};

/** Of a result that was decided elsewhere, such as on the run's page. */
export function endedEntry(id: string, run: Run, now: Date): Escalation {
  const entry = derivedEntry(reviewSubject({ id, version: "", run: runLine(run) }), { now });
  const action = run.delivery && DECIDED[run.delivery.state];
  const at = run.endedAt === undefined ? now : new Date(run.endedAt);
  const by = { by: "person", at, undoUntil: run.delivery?.discard?.until };
  if (action === undefined)
    return resolvedEntry(entry, { outcome: "withdrawn", answer: null, resolution: "It no longer waits.", ...by });
  const { label, description } = ANSWER_WORDS[action];
  return resolvedEntry(entry, { outcome: "answered", answer: label, resolution: description, ...by });
}
