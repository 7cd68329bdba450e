import { HallError } from "../../contract/errors.ts";
import type { CheckpointRecord, CheckpointStore } from "../../store/snapshots/checkpoint-store.ts";
import { foldersAbove, type PathChange } from "../../store/snapshots/tree-objects.ts";

/** What was done between two checkpoints, by a run, its merge or a rollback. */
export interface Span {
  /** Places in the list of checkpoints. */
  from: number;
  until: number;
  /** Undefined: a rollback. */
  runId: string | undefined;
  changes: PathChange[];
  /** False for a rollback that was interrupted. */
  isDone: boolean;
}

/** One path through all the spans that concern it, those that overlap taken together. */
export interface Stretch extends Omit<Span, "changes" | "runId"> {
  before: string | undefined;
  after: string | undefined;
  runs: string[];
}

export interface Changes {
  store: Pick<CheckpointStore, "difference" | "stateIn" | "isWhole">;
  records: readonly CheckpointRecord[];
  /** Which of the paths that changed during a run are its own doing. */
  ownedBy: (runId: string, record: CheckpointRecord) => (path: string) => boolean;
}

const ENDS: Partial<Record<CheckpointRecord["reason"], CheckpointRecord["reason"]>> = {
  "run-start": "run-end",
  merge: "merged",
  revert: "reverted",
};

/** What agents and rollbacks did in a folder since a checkpoint, in the order in which it began. */
export function spansSince(of: Changes, since: number): Span[] {
  const { records } = of;
  const workdir = records[since]?.workdir;
  return records.flatMap((record, at) => (record.workdir === workdir ? (spanAt(of, at, since) ?? []) : []));
}

/** The span that begins at a checkpoint, as far as it lies behind `since`. */
function spanAt(of: Changes, at: number, since = at): Span | undefined {
  const { records, store, ownedBy } = of;
  const record = records[at];
  if (record === undefined) return undefined;
  if (record.rollback !== undefined) return at < since ? undefined : rollbackSpan(record, at);
  const until = endOf(records, at);
  const from = Math.max(at, since);
  const [first, last] = [records[from], records[until ?? -1]];
  if (record.runId === undefined || until === undefined || until < from || !first || !last) return undefined;
  const isOwn = ownedBy(record.runId, record);
  const isKnown = knownBy(record);
  const changes = difference(store, first, last).filter(({ path }) => isKnown(path) && isOwn(path));
  return { from, until, runId: record.runId, changes, isDone: true };
}

/** A checkpoint that looked at a few paths is no witness for others: the next one may be the first to know of them. */
function knownBy({ paths }: CheckpointRecord): (path: string) => boolean {
  if (paths === undefined) return () => true;
  const known = new Set(paths.flatMap((path) => [path, ...foldersAbove(path)]));
  return (path) => known.has(path);
}

function difference(store: Changes["store"], first: CheckpointRecord, last: CheckpointRecord): PathChange[] {
  try {
    return store.difference(first.tree, last.tree);
  } catch (error) {
    const damaged = [first, last].find(({ tree }) => !store.isWhole(tree));
    throw damaged === undefined ? error : new DamagedCheckpoint(damaged.id);
  }
}

/** The disk has lost what tells of it. */
class DamagedCheckpoint extends HallError {
  constructor(id: string) {
    super("storage_failed", `Checkpoint '${id}' is missing or damaged on disk.`, {
      hint: "Nothing was changed. Choose a later checkpoint.",
    });
  }
}

/** As spanAt; "lost" when the disk has lost what tells of it. */
export function spanIfKept(of: Changes, at: number): Span | "lost" | undefined {
  try {
    return spanAt(of, at);
  } catch (error) {
    if (error instanceof DamagedCheckpoint) return "lost";
    throw error;
  }
}

function rollbackSpan(record: CheckpointRecord, at: number): Span {
  const moves = record.rollback?.moves ?? [];
  const changes = moves.map(({ path, from, to }) => ({ path, before: from, after: to }));
  return { from: at, until: at, runId: undefined, changes, isDone: record.rollback?.isDone === true };
}

/** Where what began at a checkpoint ended: at its own end, or else at whatever was kept of the folder next. */
function endOf(records: readonly CheckpointRecord[], at: number): number | undefined {
  const record = records[at];
  const end = record && ENDS[record.reason];
  if (record === undefined || end === undefined) return undefined;
  let next: number | undefined;
  for (let place = at + 1; place < records.length; place++) {
    if (records[place]?.reason === end && records[place]?.runId === record.runId) return place;
    if (records[place]?.workdir === record.workdir) next ??= place;
  }
  return next;
}

/** By path: what was done to it, the first first. */
export function stretchesOf({ store, records }: Changes, spans: readonly Span[]): Map<string, Stretch[]> {
  const byPath = new Map<string, Stretch[]>();
  for (const span of [...spans].sort((left, right) => left.from - right.from)) {
    for (const { path, before, after } of span.changes) {
      const stretches = byPath.get(path) ?? [];
      byPath.set(path, stretches);
      const runs = span.runId === undefined ? [] : [span.runId];
      const last = stretches.at(-1);
      if (last === undefined || last.until <= span.from || runs.length === 0) {
        stretches.push({ from: span.from, until: span.until, before, after, runs, isDone: span.isDone });
        continue;
      }
      // Two at once, as an agent and the one it started: nobody can tell whose state is whose in between.
      last.runs = [...new Set([...last.runs, ...runs])];
      if (span.until <= last.until) continue;
      last.until = span.until;
      last.after = store.stateIn(records[span.until]?.tree ?? "", path);
    }
  }
  return byPath;
}

/** The paths that more than one run changed. */
export function sharedPaths(byPath: ReadonlyMap<string, readonly Stretch[]>): { path: string; runs: string[] }[] {
  return [...byPath].flatMap(([path, stretches]) => {
    const runs = [...new Set(stretches.flatMap((stretch) => stretch.runs))];
    const isFolder = stretches.every(({ before, after }) => (before ?? after)?.startsWith("d ") === true);
    return runs.length > 1 && !isFolder ? [{ path, runs }] : [];
  });
}
