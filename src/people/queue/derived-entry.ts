import type { Escalation } from "../../contract/documents/escalation.ts";
import type { EscalationOrigin, EscalationType, SubjectKind } from "../../contract/documents/escalation-status.ts";
import { urgencyOf } from "../../contract/documents/escalation-urgency.ts";
import type { TaskPriority } from "../../contract/documents/task-status.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { QueueNote } from "../../workspace/escalations/queue-notes.ts";
import { answersFor } from "./derived-answers.ts";
import { contextOf, questionOf } from "./derived-words.ts";
import type { Subject } from "./subject.ts";

/** What is looked up for an entry. */
export interface Facts {
  now: Date;
  note?: QueueNote | undefined;
  /** Of the run's task. */
  priority?: TaskPriority | undefined;
  /** What the next model call of a run may cost, in dollars; null where its price is unknown. */
  nextCallUsd?: number | null | undefined;
}

const TYPES: Record<SubjectKind, EscalationType> = {
  review: "approval",
  failed: "decision",
  budget: "approval",
  provider: "blocker",
  suspended: "decision",
  problem: "blocker",
  skill: "approval",
  instructions: "approval",
  folder: "approval",
  damaged: "blocker",
};

const ORIGINS: Record<SubjectKind, EscalationOrigin> = {
  review: "review",
  failed: "health",
  budget: "budget",
  provider: "health",
  suspended: "health",
  problem: "health",
  skill: "permission",
  instructions: "permission",
  folder: "permission",
  damaged: "health",
};

/** Where no task says how urgent it is: what stops a whole project comes first. */
const PRIORITIES: Partial<Record<SubjectKind, TaskPriority>> = {
  suspended: "high",
  folder: "high",
  damaged: "high",
  skill: "low",
};

const LONGEST_QUESTION = 500;
const LONGEST_CONTEXT = 4_000;

/** An entry of the queue that has no document: it exists as long as its subject needs the person. */
export function derivedEntry(subject: Subject, { now, note, priority, nextCallUsd }: Facts): Escalation {
  const { kind, of, projectId, run } = subject;
  const createdAt = subject.at ?? note?.firstSeenAt ?? now.toISOString();
  const by = run === undefined ? "hall" : `run:${run.id}`;
  const entry = {
    id: subject.id,
    type: TYPES[kind],
    origin: ORIGINS[kind],
    ...(projectId === undefined ? {} : { projectId }),
    question: cutText(questionOf(subject), LONGEST_QUESTION),
    context: cutText(contextOf(subject, nextCallUsd), LONGEST_CONTEXT),
    suggestedAnswers: answersFor(subject),
    escalatedBy: by,
    escalationPath: [by, "person"],
    history: [],
    askers: [],
    priority: priority ?? PRIORITIES[kind] ?? "medium",
    blocksTask: run?.taskId ?? null,
    blocksInitiative: false,
    createdAt,
    updatedAt: createdAt,
    status: "pending" as const,
    resolution: null,
    answer: null,
    resolvedBy: null,
    resolvedAt: null,
    sources: [],
    replaces: [],
    ...(note?.snoozedUntil === undefined ? {} : { snoozedUntil: note.snoozedUntil }),
    ...(note?.remindedAt === undefined ? {} : { remindedAt: note.remindedAt }),
    reminders: note?.reminders ?? 0,
    subject: { kind, id: of },
    ...(subject.hint === undefined ? {} : { hint: subject.hint }),
    ...(subject.hintAction === undefined ? {} : { hintAction: subject.hintAction }),
  };
  return { ...entry, urgency: urgencyOf(entry, now) };
}
