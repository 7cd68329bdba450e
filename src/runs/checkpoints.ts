import { HallError } from "../contract/errors.ts";
import type { Run } from "../contract/run.ts";
import type { CheckpointReason, CheckpointRecord, CheckpointStore } from "../store/checkpoint-store.ts";
import { foldersAbove, type PathChange, partsOf } from "../store/tree-objects.ts";
import { BY_DAEMON, type Core, commit } from "../workspace/core.ts";
import { type Changes, type Span, spanAt, spansSince, stretchesOf } from "./agent-changes.ts";
import type { CheckpointShelf, Spot } from "./checkpoint-shelf.ts";
import type { RunBook } from "./run-book.ts";
import { planIn } from "./run-facts.ts";
import { filesNamedIn, withDescendants, writesInPlace } from "./writing-turn.ts";

interface Parts {
  core: Core;
  book: RunBook;
  shelf: CheckpointShelf;
  onTrouble: (what: string, error: unknown) => void;
}

interface Taking {
  spot: Spot;
  reason: CheckpointReason;
  runId?: string | undefined;
  rollback?: CheckpointRecord["rollback"];
}

/** What the hall writes into a project's own folder while agents work there. */
const HALLS_OWN = /^(?:ARTIFACTS|knowledge)(?:\/|$)|^MEMORY\.md$/;
/** A checkpoint that others wait for is told of; the one after it says nothing new. */
const TOLD: readonly CheckpointReason[] = ["run-start", "merge", "rollback"];

const BEGINS: readonly CheckpointReason[] = ["run-start", "merge"];

/** What a run, and those it started, did in a folder. */
export interface FolderWork {
  changes: PathChange[];
  /** Undefined where no checkpoint is kept, or none yet. */
  first: CheckpointRecord | undefined;
  last: CheckpointRecord | undefined;
  /** False while a checkpoint is missing that will tell more. */
  isWhole: boolean;
}

/** Keeps the state of working folders before agents change them, and tells what they changed. */
export class Checkpoints {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Durable when it resolves: what the folder of a run that may write held before. Once for each run. */
  async beforeRun(runId: string): Promise<void> {
    const run = this.#writing(runId);
    const spot = run && this.#parts.shelf.spotOf(run.projectId);
    if (run === undefined || spot === undefined) return;
    await this.inSpot(spot, async () => {
      if (this.#find(spot, "run-start", runId) === undefined) await this.take({ spot, reason: "run-start", runId });
    });
  }

  /** Never rejects: a run ends, whatever the disk says. What is missed here, the next checkpoint of the folder tells. */
  async afterRun(runId: string): Promise<void> {
    try {
      const run = this.#writing(runId);
      const spot = run && this.#parts.shelf.spotOf(run.projectId);
      if (run === undefined || spot === undefined) return;
      await this.inSpot(spot, async () => {
        const begun = this.#find(spot, "run-start", runId);
        const isKept = begun === undefined || this.#find(spot, "run-end", runId) !== undefined;
        if (!isKept && begun.workdir === spot.workdir) await this.take({ spot, reason: "run-end", runId });
      });
    } catch (error) {
      this.#parts.onTrouble(`what run ${runId} changed could not be kept`, error);
    }
  }

  /** Keeps the project's working folder before and after something is merged into it for a run. */
  async aroundMerge<Result>(runId: string, merge: () => Promise<Result>): Promise<Result> {
    const projectId = this.#parts.core.index.runs.get(runId)?.run.projectId;
    const spot = projectId === undefined ? undefined : this.#parts.shelf.spotOf(projectId);
    if (spot === undefined) throw new HallError("run_not_found", `Run '${runId}' has no folder to work in.`);
    return this.inSpot(spot, async () => {
      await this.take({ spot, reason: "merge", runId });
      try {
        return await merge();
      } finally {
        await this.take({ spot, reason: "merged", runId });
      }
    });
  }

  /** What a run, and those it started, changed in its working folder; nothing as long as it is at work. */
  changesOf(runId: string): PathChange[] {
    return this.workOf(runId).changes;
  }

  /** The same, with the checkpoints that it follows from. */
  workOf(runId: string): FolderWork {
    const run = this.#parts.core.index.runs.get(runId)?.run;
    if (run === undefined) throw new HallError("run_not_found", `There is no run '${runId}'.`);
    const of = this.changes(run.projectId);
    const spans = this.spansOf(of, runId);
    const changes = [...stretchesOf(of, spans)].flatMap(([path, stretches]) => {
      const [before, after] = [stretches[0]?.before, stretches.at(-1)?.after];
      return before === after ? [] : [{ path, before, after }];
    });
    const first = of.records[Math.min(...spans.map(({ from }) => from))];
    const last = of.records[Math.max(...spans.map(({ until }) => until))];
    const runs = new Set(withDescendants(runId, this.#parts.core.index.runs));
    const begun = of.records.filter((record) => BEGINS.includes(record.reason) && runs.has(record.runId ?? ""));
    return { changes: changes.sort(byPath), first, last, isWhole: begun.length === spans.length };
  }

  /** What a folder that was kept holds at a path now. */
  stateNow(projectId: string, { workdir }: CheckpointRecord): (path: string) => string | undefined {
    const { shelf } = this.#parts;
    const restore = shelf.storeOf(projectId).restoring(workdir, shelf.limits);
    return (path) => restore.stateOf(path);
  }

  /** The bytes of a file as a checkpoint kept them. */
  contentOf(projectId: string, state: string): Buffer {
    return this.#parts.shelf.storeOf(projectId).read(partsOf(state).hash);
  }

  /** The spans of a run and of those it started. */
  spansOf(of: Changes, runId: string): Span[] {
    const runs = new Set(withDescendants(runId, this.#parts.core.index.runs));
    return of.records.flatMap((record, at) =>
      record.runId !== undefined && runs.has(record.runId) ? (spanAt(of, at) ?? []) : [],
    );
  }

  changes(projectId: string): Changes & { store: CheckpointStore } {
    const store = this.#parts.shelf.storeOf(projectId);
    return { store, records: store.records(), ownedBy: (runId, record) => this.#ownedBy(runId, record) };
  }

  spansSince(projectId: string, since: number): Span[] {
    return spansSince(this.changes(projectId), since);
  }

  /** To be called in the spot. */
  async take({ spot, reason, runId, rollback }: Taking): Promise<CheckpointRecord> {
    const { core, shelf, onTrouble } = this.#parts;
    const store = shelf.storeOf(spot.projectId);
    const begun = runId === undefined ? undefined : this.#find(spot, "run-start", runId);
    const last = store.records().findLast(({ workdir }) => workdir === spot.workdir);
    const isAfter = reason === "run-end" || reason === "merged";
    const previous = ((isAfter ? begun : undefined) ?? last)?.tree;
    const kept = await store.keep({
      ...spot,
      ...shelf.limits,
      previous,
      frozenRules: isAfter && previous !== undefined,
    });
    const at = core.clock().toISOString();
    const record = { id: `ckpt-${core.nextId()}`, at, reason, workdir: spot.workdir, runId, rollback, ...kept };
    await store.write(record);
    store.sync().catch((error) => onTrouble("a checkpoint could not be brought to the disk", error));
    if (TOLD.includes(reason)) await this.#tell(spot, record);
    shelf.tidy(spot.projectId);
    return record;
  }

  /** Nobody else keeps or restores the folder, or looks after the project's checkpoints, at the same time. */
  inSpot<Result>({ projectId, workdir }: Spot, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.runAll([`checkpoints of ${projectId}`, `workdir ${workdir}`], work);
  }

  async #tell({ projectId }: Spot, { id, reason, runId, files, bytes }: CheckpointRecord): Promise<void> {
    const after = { reason, ...(runId === undefined ? {} : { runId }), files, bytes };
    const subject = { kind: "checkpoint" as const, id };
    await commit(
      this.#parts.core,
      { type: "checkpoint.created", actor: BY_DAEMON, projectId, subject, after },
      () => {},
    );
  }

  #find({ projectId }: Spot, reason: CheckpointReason, runId: string): CheckpointRecord | undefined {
    const records = this.#parts.shelf.storeOf(projectId).records();
    return records.find((record) => record.runId === runId && record.reason === reason);
  }

  /** The run, if it may write. */
  #writing(runId: string): Run | undefined {
    const { core, book } = this.#parts;
    const known = core.index.runs.get(runId);
    const plan = known && planIn(book.journalOf(known));
    // A run with a worktree of its own changes nothing here; what is merged for it does.
    return known !== undefined && writesInPlace(plan) ? known.run : undefined;
  }

  /** A tool that names its file is taken at its word, so that what a person does beside a run stays theirs. */
  #ownedBy(runId: string, { reason, workdir }: CheckpointRecord): (path: string) => boolean {
    const { core, book, shelf } = this.#parts;
    const known = core.index.runs.get(runId);
    if (known === undefined || reason === "merge") return () => true;
    const entries = book.journalOf(known);
    const named = filesNamedIn(entries, planIn(entries));
    if (named === undefined) return (path) => !shelf.isOwnFolder(known.run.projectId, workdir) || !HALLS_OWN.test(path);
    const above = new Set([...named].flatMap(foldersAbove));
    return (path) => named.has(path) || above.has(path);
  }
}

function byPath(left: PathChange, right: PathChange): number {
  return left.path < right.path ? -1 : 1;
}
