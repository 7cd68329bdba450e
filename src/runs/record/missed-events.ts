import type { EventDraft, HallEvent } from "../../contract/event.ts";
import type { Discard } from "../../contract/runs/delivery.ts";
import type { BookLine, Verdict } from "../../contract/runs/run-book.ts";
import { type Core, commit } from "../../workspace/core.ts";
import { sealOf } from "../../workspace/events/journal-seal.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { createMissingTask } from "../plan/spawned-task.ts";
import { type DecidedEvent, moveDecidedTask, withTaskNotMoved } from "../results/verdicts.ts";
import type { LoadedBook, RunBook } from "./run-book.ts";
import { createdEvent, endedEvent, notifiedEvent, reviewedEvent } from "./run-events.ts";
import { wantsNotice } from "./run-facts.ts";

/** How far before the newest known event an event of a line under way at the same time may stand. */
const WINDOW = 1_000;
const ALL = Number.MAX_SAFE_INTEGER;

const NO_DISCARD = { at: "", task: "keep" } as const;
/** After these there may be a worktree or a branch to remove, or files to bring back. */
const UNFINISHED: readonly Verdict["verdict"][] = ["approved", "discarded", "restored"];

/** What a crash may have kept from following. `restored`: the discard that was undone. */
export interface Decided {
  runId: string;
  restored?: Discard | undefined;
}

interface Parts {
  core: Core;
  hall: Hall;
  book: RunBook;
}

interface Untold {
  line: BookLine;
  draft: EventDraft;
}

/**
 * Makes and tells what a crash kept from being made and told: the book's line was on disk, what follows it was not.
 * Answers the decisions of which a part may be left to do.
 */
export async function recordMissedEvents(parts: Parts, loaded: readonly LoadedBook[]): Promise<Decided[]> {
  const { core, hall, book } = parts;
  const continued = loaded.filter(({ isWhole }) => !isWhole).flatMap(({ lines }) => lines);
  const whole = loaded.filter(({ isWhole }) => isWhole).flatMap(({ lines }) => lines);
  const own = ownLines(core, whole);
  for (const line of [...continued, ...own]) await makeTask(parts, line);
  const recent = missedEvents(parts, continued, () => eventsAfter(core, book.seenSeq - WINDOW));
  const older = missedEvents(parts, own, () => eventsAfter(core, 0));
  const decided: Decided[] = [];
  for (const { line, draft } of [...recent, ...older]) {
    const run = line.type === "reviewed" ? core.runs.get(line.runId)?.run : undefined;
    let notMoved: Awaited<ReturnType<typeof moveDecidedTask>>;
    if (line.type === "reviewed" && run !== undefined) {
      notMoved = await moveDecidedTask(hall, run, { event: decidedEvent(line), actor: line.by.actor });
      if (UNFINISHED.includes(line.verdict)) decided.push({ runId: run.id, restored: line.discard });
    }
    await commit(core, withTaskNotMoved(draft, notMoved), () => undefined);
  }
  return decided;
}

/** What was decided, once more: a crash may have come between two moves of the task. */
function decidedEvent({ verdict, delivery, discard }: Extract<BookLine, { type: "reviewed" }>): DecidedEvent {
  const isResumed = true;
  switch (verdict) {
    case "rejected":
      return { type: verdict, next: delivery.next ?? "", isResumed };
    case "discarded":
      return { type: verdict, discard: delivery.discard ?? NO_DISCARD, isResumed };
    case "restored":
      return { type: verdict, discard, isResumed };
    default:
      return { type: verdict, isResumed };
  }
}

async function makeTask({ hall, book }: Parts, line: BookLine): Promise<void> {
  if (line.type !== "created") return;
  const entries = book.entriesIn(line.journal);
  await createMissingTask(hall, line.run, { entries, change: { actor: line.by.actor } });
}

function missedEvents(parts: Parts, lines: readonly BookLine[], told: () => Set<string>): Untold[] {
  const drafts = lines.flatMap((line) => draftsOf(parts, line).map((draft) => ({ line, draft })));
  if (drafts.length === 0) return [];
  const known = told();
  return drafts.filter(({ draft }) => !known.has(keyOf(draft)));
}

/** A book that was copied in brings a history that is no news here; what is still to be done will be done here. */
function ownLines(core: Core, lines: readonly BookLine[]): BookLine[] {
  if (lines.length === 0) return [];
  const told = eventsAfter(core, 0);
  return lines.filter((line) => {
    if (line.type === "settled") return told.has(`run.created ${line.run.id}`);
    if (line.type === "notified" || line.type === "reviewed") return told.has(`run.created ${line.runId}`);
    return line.type === "created" && core.runs.get(line.run.id)?.run.status === "pending";
  });
}

function eventsAfter(core: Core, after: number): Set<string> {
  return new Set(core.events.read({ after: Math.max(0, after), limit: ALL, type: "run" }).map(keyOf));
}

function draftsOf({ core, book }: Parts, line: BookLine): EventDraft[] {
  if (line.type === "created") return [createdEvent(line.run, line.by)];
  if (line.type !== "settled" && line.type !== "notified" && line.type !== "reviewed") return [];
  const known = core.runs.get(line.type === "settled" ? line.run.id : line.runId);
  if (known === undefined) return [];
  if (line.type === "notified") return [notifiedEvent(known.run, line)];
  if (line.type === "reviewed") return [reviewedEvent(known.run, line, line.by)];
  const journal = sealOf(core.files, known.journal);
  return [endedEvent(line.run, { notify: wantsNotice(book.journalOf(known)), journal })];
}

function keyOf({ type, subject, after }: Pick<HallEvent, "type" | "subject" | "after">): string {
  // A result can be discarded, restored and discarded again.
  const which = type === "run.notified" ? after?.callId : after?.discardedAt;
  return which === undefined ? `${type} ${subject.id}` : `${type} ${subject.id} ${which}`;
}
