import type { EventDraft, HallEvent } from "../../contract/event.ts";
import type { BookLine } from "../../contract/runs/run-book.ts";
import { type Core, commit } from "../../workspace/core.ts";
import { sealOf } from "../../workspace/events/journal-seal.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { createMissingTask } from "../plan/spawned-task.ts";
import { moveDecidedTask } from "../results/verdicts.ts";
import type { LoadedBook, RunBook } from "./run-book.ts";
import { createdEvent, endedEvent, notifiedEvent, reviewedEvent } from "./run-events.ts";
import { wantsNotice } from "./run-facts.ts";

/** How far before the newest known event an event of a line under way at the same time may stand. */
const WINDOW = 1_000;
const ALL = Number.MAX_SAFE_INTEGER;

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
 * Answers the runs whose results were approved and may have left something to be taken away.
 */
export async function tellUntold(parts: Parts, loaded: readonly LoadedBook[]): Promise<string[]> {
  const { core, hall, book } = parts;
  const continued = loaded.filter(({ isWhole }) => !isWhole).flatMap(({ lines }) => lines);
  const whole = loaded.filter(({ isWhole }) => isWhole).flatMap(({ lines }) => lines);
  const own = ownLines(core, whole);
  for (const line of [...continued, ...own]) await makeTask(parts, line);
  const recent = untoldOf(parts, continued, () => eventsAfter(core, book.seenSeq - WINDOW));
  const older = untoldOf(parts, own, () => eventsAfter(core, 0));
  const approved: string[] = [];
  for (const { line, draft } of [...recent, ...older]) {
    const run = line.type === "reviewed" ? core.runs.get(line.runId)?.run : undefined;
    if (line.type === "reviewed" && run !== undefined) {
      const event = { type: line.verdict, next: line.delivery.next ?? "", isResumed: true };
      await moveDecidedTask(hall, run, { event, actor: line.by.actor });
      if (line.verdict === "approved") approved.push(run.id);
    }
    await commit(core, draft, () => undefined);
  }
  return approved;
}

async function makeTask({ hall, book }: Parts, line: BookLine): Promise<void> {
  if (line.type !== "created") return;
  const entries = book.entriesIn(line.journal);
  await createMissingTask(hall, line.run, { entries, change: { actor: line.by.actor } });
}

function untoldOf(parts: Parts, lines: readonly BookLine[], told: () => Set<string>): Untold[] {
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
  return type === "run.notified" ? `${type} ${subject.id} ${after?.callId}` : `${type} ${subject.id}`;
}
