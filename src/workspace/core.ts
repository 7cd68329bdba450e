import { HallError } from "../contract/errors.ts";
import type { Actor, EventDraft, HallEvent } from "../contract/event.ts";
import type { Problem } from "../contract/problem.ts";
import type { Write } from "../store/changes/change.ts";
import type { ChangeLog } from "../store/changes/change-log.ts";
import type { Gathered } from "../store/changes/gathering.ts";
import { ChangedMeanwhile } from "../store/files/draft-file.ts";
import type { Files } from "../store/files/files.ts";
import type { Clock, NextId } from "../store/ids.ts";
import type { Attachments } from "./attachments.ts";
import type { Change } from "./change.ts";
import type { EventLog, Told } from "./events/event-log.ts";
import type { Overviews } from "./hall/overviews.ts";
import type { Locks } from "./locks.ts";
import type { WorkdirRecords } from "./projects/workdir-records.ts";
import type { Records } from "./records.ts";
import type { Shown } from "./shown.ts";
import type { TaskGate } from "./tasks/task-gate.ts";
import type { Placed, Together } from "./together.ts";

/** What a change is made with. */
export interface Changes {
  files: Files;
  events: EventLog;
  changes: Pick<ChangeLog, "checkpoint">;
  locks: Locks;
  clock: Clock;
  nextId: NextId;
  /** Lets readers see it. */
  shown: Shown;
  overviews: Overviews;
  workdirRecords: WorkdirRecords;
  taskGate: TaskGate;
  /** What the floors above fill in before work starts. */
  attachments: Attachments;
  /** etags that the event log already tells of although the index has not seen them. */
  recovered: Map<string, Set<string>>;
  /** Has every file compared with the index before long. */
  compareSoon: () => void;
}

/** What an open workspace gives to the floors above: what changes it, and what is known of it. */
export interface Core extends Changes, Records {}

/** A change made by hand in a file. */
export const BY_HAND: Actor = { kind: "person", via: "file" };
export const BY_DAEMON: Actor = { kind: "daemon", via: "daemon" };

/** What making a change needs. */
export type Committing = Pick<Changes, "events" | "shown" | "recovered" | "compareSoon">;

/**
 * Makes a change: its documents and what the log tells of it, durable together when it resolves and shown by the index.
 * Throws ChangedMeanwhile when a document is not what the change was made from; after any other failure nothing has
 * changed, unless the error says that it may have.
 */
export function commit(
  core: Committing,
  draft: EventDraft | readonly EventDraft[],
  apply: (placed: Placed) => void,
  writes: readonly Write[] = [],
  gathered?: Gathered,
): Promise<HallEvent> {
  const change = commitNow(core, { drafts: isList(draft) ? draft : [draft], apply, writes, gathered });
  core.shown.expect(change);
  return change;
}

/** Writes documents that the log tells nothing of. Durable when it resolves; refused as a commit is. */
export async function keep(core: Committing, writes: readonly Write[], gathered?: Gathered): Promise<Placed> {
  const { events, change } = await tell(core, { drafts: [], writes, gathered });
  if (change.state !== "applied") throw unshown(core, events, change.state);
  return change;
}

/** As a commit or, where the log is told nothing, as `keep`; shown by the index when it resolves. */
export async function commitAll(core: Committing, { events, writes, apply }: Together): Promise<void> {
  if (events.length > 0) return void (await commit(core, events, apply, writes));
  apply(await keep(core, writes));
  await core.shown.available();
}

interface Telling {
  drafts: readonly EventDraft[];
  writes: readonly Write[];
  gathered: Gathered | undefined;
}

interface Commit extends Telling {
  apply: (placed: Placed) => void;
}

async function commitNow(core: Committing, { apply, ...telling }: Commit): Promise<HallEvent> {
  const { events, change } = await tell(core, telling);
  if (change.state !== "applied") throw unshown(core, events, change.state);
  show(core, events, () => apply(change));
  // Whoever made the change looks it up next.
  await core.shown.available().catch(() => {
    throw maybeKept("The change was saved, but the index is still being rebuilt.");
  });
  return events[0] as HallEvent;
}

/** What the index could not take in is compared with the files later; the log knows by then who made the change. */
function show(core: Committing, events: readonly HallEvent[], apply: () => void): void {
  try {
    core.shown.reflect(() => {
      apply();
      for (const event of events) core.shown.noteEvent(event);
    });
  } catch {
    compareLater(core, events);
    throw maybeKept("The change was saved, but could not be read back.");
  }
}

/** The change is durable, and its files do not hold it: what they hold is what is shown. */
function unshown(core: Committing, events: readonly HallEvent[], state: "waiting" | "overtaken"): Error {
  compareLater(core, events);
  if (state === "overtaken") return new ChangedMeanwhile("A file was edited at the same moment.");
  return maybeKept("The change was recorded, but its files could not be written. The next change retries.");
}

function compareLater(core: Committing, events: readonly HallEvent[]): void {
  core.shown.reflect(() => {
    for (const event of events) core.shown.noteEvent(event);
  });
  for (const { file, etag } of events)
    if (file !== undefined && etag !== undefined) noteRecovered(core.recovered, file, etag);
  core.compareSoon();
}

export function noteRecovered(recovered: Changes["recovered"], file: string, etag: string): void {
  recovered.set(file, (recovered.get(file) ?? new Set()).add(etag));
}

/** What an event hides is looked up in the index: where that is lost, the change is made when it is back. */
async function tell(core: Committing, { drafts, writes, gathered }: Telling): Promise<Told> {
  try {
    return await core.events.commit(drafts, writes, gathered);
  } catch (error) {
    if (!(error instanceof HallError && error.retryable)) throw error;
    await core.shown.available();
    return core.events.commit(drafts, writes, gathered);
  }
}

function maybeKept(message: string): HallError {
  return new HallError("storage_failed", message, {
    changed: "unknown",
    hint: "It may have been saved: read the document again. Check free space and permissions of the workspace.",
  });
}

function isList(draft: EventDraft | readonly EventDraft[]): draft is readonly EventDraft[] {
  return Array.isArray(draft);
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
