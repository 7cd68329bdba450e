import { HallError } from "../contract/errors.ts";
import type { Actor, EventDraft, HallEvent } from "../contract/event.ts";
import type { Problem } from "../contract/problem.ts";
import { noteKept, noteTakenBack } from "../store/change-watch.ts";
import type { Files } from "../store/files.ts";
import type { Clock, NextId } from "../store/ids.ts";
import type { Change } from "./change.ts";
import type { EventLog } from "./event-log.ts";
import type { Locks } from "./locks.ts";
import type { Overviews } from "./overviews.ts";
import type { PendingRequests } from "./pending-requests.ts";
import type { Records } from "./records.ts";
import type { Shown } from "./shown.ts";
import type { WorkdirRecords } from "./workdir-records.ts";

/** What a change is made with. */
export interface Changes {
  files: Files;
  events: EventLog;
  locks: Locks;
  clock: Clock;
  nextId: NextId;
  /** Lets readers see it. */
  shown: Shown;
  overviews: Overviews;
  workdirRecords: WorkdirRecords;
  /** etags that the event log already tells of although the index has not seen them. */
  recovered: Map<string, Set<string>>;
  pending: PendingRequests;
  /** Has every file compared with the index before long. */
  compareSoon: () => void;
}

/** What an open workspace gives to the floors above: what changes it, and what is known of it. */
export interface Core extends Changes, Records {}

/** A change made by hand in a file. */
export const BY_HAND: Actor = { kind: "person", via: "file" };
export const BY_DAEMON: Actor = { kind: "daemon", via: "daemon" };

export interface Written {
  /** What still has to reach the disk of the files; it runs beside the log's own sync, and both are awaited. */
  durable?: () => Promise<void>;
  /** Puts the files back as they were, for a change that the log could not take. */
  undo?: () => Promise<unknown>;
}

/**
 * The second half of every change: the files already hold it; now the log tells of it, then the index shows it.
 * Whoever crashes in between finds the rest done at the next start.
 */
export function commit(core: Changes, draft: EventDraft, apply: () => void, written: Written = {}): Promise<HallEvent> {
  const change = commitNow(core, { draft, apply, ...written });
  core.shown.expect(change);
  return change;
}

async function commitNow(
  core: Changes,
  { draft, apply, durable, undo }: Written & { draft: EventDraft; apply: () => void },
): Promise<HallEvent> {
  // In this order: the log's line is written before the folder's sync begins, so that one commit of the disk has both.
  const [told, placed] = await Promise.allSettled([tell(core, draft), Promise.resolve().then(durable)]);
  if (told.status === "rejected") {
    await takeBack(undo);
    throw told.reason;
  }
  noteKept();
  show(core, told.value, apply);
  // Whoever made the change looks it up next.
  await core.shown.available().catch(() => {
    throw maybeKept("The change was made, but the index is still being rebuilt.");
  });
  if (placed.status === "rejected") throw maybeKept("The change was made, but the disk did not confirm it.");
  return told.value;
}

/** What the index could not take in is compared with the files later; the log knows by then who made the change. */
function show(core: Changes, event: HallEvent, apply: () => void): void {
  try {
    core.shown.reflect(() => {
      apply();
      core.shown.noteEvent(event);
    });
  } catch {
    core.shown.reflect(() => core.shown.noteEvent(event));
    if (event.file !== undefined && event.etag !== undefined) noteRecovered(core.recovered, event.file, event.etag);
    core.compareSoon();
    throw maybeKept("The change was made, but it could not be read back.");
  }
}

export function noteRecovered(recovered: Changes["recovered"], file: string, etag: string): void {
  recovered.set(file, (recovered.get(file) ?? new Set()).add(etag));
}

/** What an event hides is looked up in the index: where that is lost, the event is told when it is back. */
async function tell(core: Changes, draft: EventDraft): Promise<HallEvent> {
  try {
    return await core.events.append(draft);
  } catch (error) {
    if (!(error instanceof HallError && error.retryable)) throw error;
    await core.shown.available();
    return core.events.append(draft);
  }
}

async function takeBack(undo: Written["undo"]): Promise<void> {
  try {
    await undo?.();
    if (undo !== undefined) noteTakenBack();
  } catch {
    throw maybeKept("The change could neither be recorded nor taken back.");
  }
}

function maybeKept(message: string): HallError {
  return new HallError("storage_failed", message, {
    changed: "unknown",
    hint: "It may have been kept: read the document again. Check free space and permissions of the workspace.",
  });
}

export function byChange({ actor, request, why }: Change): Pick<EventDraft, "actor" | "request" | "why"> {
  return { actor, ...(request === undefined ? {} : { request }), ...(why === undefined ? {} : { why }) };
}

/** A file that could be read no longer is told of once, and again when it breaks in another way. */
export function invalidEvent(problem: Problem, before: Problem | undefined): EventDraft | undefined {
  if (before?.file === problem.file && before.reason === problem.reason) return undefined;
  const { file, line, reason, projectId } = problem;
  return {
    type: "file.invalid",
    actor: BY_HAND,
    projectId,
    subject: { kind: "file", id: file },
    file,
    after: { line, reason },
  };
}

const LONGEST_VALUE = 4_000;

/** The fields that differ, cut to a size that a log line can bear. */
export function difference(
  before: object,
  after: object,
  ignored: readonly string[] = [],
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const [old, next] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const keys = new Set([...Object.keys(old), ...Object.keys(next)]);
  const changed = [...keys].filter(
    (key) => !ignored.includes(key) && JSON.stringify(old[key]) !== JSON.stringify(next[key]),
  );
  const pick = (from: Record<string, unknown>) =>
    Object.fromEntries(changed.filter((key) => from[key] !== undefined).map((key) => [key, shortened(from[key])]));
  return { before: pick(old), after: pick(next) };
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return text.length <= LONGEST_VALUE ? value : { shortened: text.slice(0, LONGEST_VALUE), characters: text.length };
}
