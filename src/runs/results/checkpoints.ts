import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import { syncFiles } from "../../store/files/durable-paths.ts";
import type { ControlFiles } from "../../store/git/control-files.ts";
import type { CheckpointReason, CheckpointRecord, CheckpointStore } from "../../store/snapshots/checkpoint-store.ts";
import { type PathChange, partsOf } from "../../store/snapshots/tree-objects.ts";
import type { ScannedTree } from "../../store/snapshots/tree-scan.ts";
import { BY_DAEMON, type Core, commit } from "../../workspace/core.ts";
import { OwnedPaths } from "../record/owned-paths.ts";
import type { RunBook } from "../record/run-book.ts";
import { withDescendants, writesInPlace } from "../schedule/writing-turn.ts";
import { type Changes, type Span, spanIfKept, stretchesOf } from "./agent-changes.ts";
import type { CheckpointShelf, Spot } from "./checkpoint-shelf.ts";

interface Parts {
  core: Core;
  book: RunBook;
  shelf: CheckpointShelf;
  control: Pick<ControlFiles, "kindOf">;
  onTrouble: (what: string, error: unknown) => void;
}

interface Taking {
  spot: Spot;
  reason: CheckpointReason;
  runId?: string | undefined;
  rollback?: CheckpointRecord["rollback"];
  /** Only what is at these paths is kept. */
  only?: string[] | undefined;
}

/** To be called around a change of files that are known beforehand; absolute paths. */
export type Around = <Result>(paths: readonly string[], change: () => Promise<Result>) => Promise<Result>;

/** A checkpoint that others wait for is told of; the one after it says nothing new. */
const TOLD: readonly CheckpointReason[] = ["run-start", "merge", "revert", "rollback"];

/** More files than this, such as those of a build, are left to the disk's own pace. */
const MOST_SYNCED = 5_000;

const BEGINS: readonly CheckpointReason[] = ["run-start", "merge", "revert"];
const AFTER: readonly CheckpointReason[] = ["run-end", "merged", "reverted"];

/** What a run, and those it started, did in a folder. */
export interface FolderWork {
  changes: PathChange[];
  /** Undefined where no checkpoint is kept, or none yet. */
  first: CheckpointRecord | undefined;
  last: CheckpointRecord | undefined;
  /** False while a checkpoint is missing that will tell more, or when one is lost or damaged. */
  isWhole: boolean;
}

/** Keeps the state of working folders before agents change them, and tells what they changed. */
export class Checkpoints {
  readonly #parts: Parts;
  readonly #owned: OwnedPaths;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#owned = new OwnedPaths(parts);
  }

  /** Durable when it resolves: what the folder of a run that may write held before. Once for each run. */
  async beforeRun(runId: string): Promise<void> {
    const run = this.#writing(runId);
    const spot = run && this.#parts.shelf.spotOf(run.projectId);
    if (run === undefined || spot === undefined) return;
    await this.inSpot(spot, async () => {
      // The checkpoint of a run that goes on after a crash may be lost: one from its middle would hide what it did before.
      if (this.#find(spot, "run-start", runId) !== undefined || !this.#owned.isEmpty(runId)) return;
      await this.take({ spot, reason: "run-start", runId });
    });
  }

  /**
   * To be called when the run does nothing more. Resolves when what it changed is known, and `durable` when that is on disk.
   * Neither rejects: a run ends, whatever the disk says. What is missed here, the next checkpoint of the folder tells.
   */
  async afterRun(runId: string): Promise<{ durable: Promise<void> }> {
    const missed = (error: unknown) => this.#parts.onTrouble(`the changes of run ${runId} could not be saved`, error);
    try {
      const run = this.#writing(runId);
      const spot = run && this.#parts.shelf.spotOf(run.projectId);
      const record = run && spot && (await this.inSpot(spot, () => this.#surveyAfter(run, spot)));
      if (spot === undefined || record === undefined) return { durable: Promise.resolve() };
      const written = this.#write(spot, record).then(() => this.#syncWork(runId, spot));
      return { durable: written.catch(missed) };
    } catch (error) {
      missed(error);
      return { durable: Promise.resolve() };
    }
  }

  /** What commands wrote is synced by nobody else. */
  async #syncWork(runId: string, { workdir }: Spot): Promise<void> {
    const { changes } = this.workOf(runId);
    await syncFiles(
      workdir,
      changes.slice(0, MOST_SYNCED).map(({ path }) => path),
    );
  }

  /** Undefined when there is nothing to note, or it was noted before. */
  async #surveyAfter(run: Run, spot: Spot): Promise<CheckpointRecord | undefined> {
    const begun = this.#find(spot, "run-start", run.id);
    const isKept = begun === undefined || this.#find(spot, "run-end", run.id) !== undefined;
    if (isKept || begun.workdir !== spot.workdir) return undefined;
    const taking = { spot, reason: "run-end", runId: run.id } as const;
    const record = this.#didNothing(run) ? this.#recordOf(taking, begun) : await this.#survey(taking);
    this.#parts.shelf.storeOf(spot.projectId).note(record);
    return record;
  }

  /** Whether a run, which nobody shares its turn with, called nothing that could change a file. */
  #didNothing(run: Run): boolean {
    const { runs } = this.#parts.core;
    return run.parentRunId === undefined && runs.childrenOf(run.id).length === 0 && this.#owned.isEmpty(run.id);
  }

  /**
   * Keeps what is at the paths in the project's working folder that a merge for a run changes, or a revert, before and after.
   * Nobody else keeps or restores the folder meanwhile.
   */
  async aroundMerge<Result>(runId: string, merge: (around: Around) => Promise<Result>, deed?: "revert") {
    const projectId = this.#parts.core.runs.get(runId)?.run.projectId;
    const spot = projectId === undefined ? undefined : this.#parts.shelf.spotOf(projectId);
    if (spot === undefined) throw new HallError("run_not_found", `Run '${runId}' has no working folder.`);
    const around: Around = async (paths, change) => {
      const only = this.#lookedAt(spot, paths);
      await this.take({ spot, reason: deed ?? "merge", runId, only });
      try {
        return await change();
      } finally {
        await this.take({ spot, reason: deed === "revert" ? "reverted" : "merged", runId, only });
      }
    };
    return this.inSpot(spot, () => merge(around));
  }

  /**
   * The paths in the folder, with those of a change that a crash cut off: the next checkpoint tells what came of it. Undefined,
   * which is everything, where somebody is at work there who may change any file.
   */
  #lookedAt({ projectId, workdir }: Spot, paths: readonly string[]): string[] | undefined {
    const records = this.#parts.shelf.storeOf(projectId).records();
    const last = records.findLast((record) => record.workdir === workdir);
    const cutOff = last !== undefined && BEGINS.includes(last.reason) ? last.paths : [];
    const inside = paths.filter((path) => path.startsWith(`${workdir}/`)).map((path) => path.slice(workdir.length + 1));
    return cutOff && [...new Set([...inside, ...cutOff])];
  }

  /** What a run, and those it started, changed in its working folder, and the checkpoints that it follows from. */
  workOf(runId: string): FolderWork {
    const run = this.#parts.core.runs.get(runId)?.run;
    if (run === undefined) throw new HallError("run_not_found", `There is no run '${runId}'.`);
    const of = this.changes(run.projectId);
    const spans = this.spansOf(of, runId);
    const changes = [...stretchesOf(of, spans)].flatMap(([path, stretches]) => {
      const [before, after] = [stretches[0]?.before, stretches.at(-1)?.after];
      return before === after ? [] : [{ path, before, after }];
    });
    const first = of.records[Math.min(...spans.map(({ from }) => from))];
    const last = of.records[Math.max(...spans.map(({ until }) => until))];
    const runs = new Set(withDescendants(runId, this.#parts.core.runs));
    const begun = of.records.filter((record) => BEGINS.includes(record.reason) && runs.has(record.runId ?? ""));
    const isWhole = begun.length === spans.length && [...runs].every((id) => this.#hasBeginning(id, of.records));
    return { changes: changes.sort(byPath), first, last, isWhole };
  }

  /** False for a run that may have changed files, when the checkpoint from before it is gone. */
  #hasBeginning(runId: string, records: readonly CheckpointRecord[]): boolean {
    if (this.#writing(runId) === undefined || this.#owned.isEmpty(runId)) return true;
    return records.some((record) => record.runId === runId && record.reason === "run-start");
  }

  /** What a folder that was kept holds at a path now. */
  stateNow(projectId: string, { workdir }: CheckpointRecord): (path: string) => string | undefined {
    const { shelf } = this.#parts;
    const restore = shelf.storeOf(projectId).restoring(workdir, shelf.limits);
    return (path) => restore.stateOf(path);
  }

  /** The links that a folder had at a checkpoint. */
  linksIn(projectId: string, { tree }: CheckpointRecord) {
    return this.#parts.shelf.storeOf(projectId).linksIn(tree);
  }

  /** The paths that a folder had at a checkpoint; folders end in `/`. */
  pathsIn(projectId: string, { tree }: CheckpointRecord): Iterable<string> {
    return this.#parts.shelf.storeOf(projectId).pathsIn(tree);
  }

  /** The bytes of a file as a checkpoint kept them. */
  contentOf(projectId: string, state: string): Buffer {
    return this.#parts.shelf.storeOf(projectId).read(partsOf(state).hash);
  }

  /** The spans of a run and of those it started. */
  spansOf(of: Changes, runId: string): Span[] {
    const runs = new Set(withDescendants(runId, this.#parts.core.runs));
    return of.records.flatMap((record, at) => {
      const span = record.runId !== undefined && runs.has(record.runId) ? spanIfKept(of, at) : undefined;
      return span === undefined || span === "lost" ? [] : span;
    });
  }

  changes(projectId: string): Changes & { store: CheckpointStore } {
    const store = this.#parts.shelf.storeOf(projectId);
    return { store, records: store.records(), ownedBy: (runId, record) => this.#owned.of(runId, record) };
  }

  /** To be called in the spot. Durable when it resolves. */
  async take(taking: Taking): Promise<CheckpointRecord> {
    const record = await this.#survey(taking);
    await this.#write(taking.spot, record);
    this.#parts.shelf.tidy(taking.spot.projectId);
    return record;
  }

  async #survey(taking: Taking): Promise<CheckpointRecord> {
    const { spot, reason, runId, only } = taking;
    const { shelf } = this.#parts;
    const store = shelf.storeOf(spot.projectId);
    const begun = runId === undefined ? undefined : this.#find(spot, "run-start", runId);
    const last = store.records().findLast(({ workdir }) => workdir === spot.workdir);
    const isAfter = AFTER.includes(reason);
    const previous = ((isAfter ? begun : undefined) ?? last)?.tree;
    const kept = await store.keep({
      ...spot,
      ...shelf.limits,
      previous,
      frozenRules: isAfter && previous !== undefined,
      only,
      isControl: (path) => this.#parts.control.kindOf(path, "link") !== undefined,
    });
    return this.#recordOf(taking, kept);
  }

  #recordOf(
    { spot, reason, runId, rollback, only: paths }: Taking,
    { tree, files, bytes, notKept }: ScannedTree,
  ): CheckpointRecord {
    const { core } = this.#parts;
    const about = { id: `ckpt-${core.nextId()}`, at: core.clock().toISOString(), reason, workdir: spot.workdir };
    return { ...about, runId, paths, rollback, tree, files, bytes, notKept };
  }

  async #write(spot: Spot, record: CheckpointRecord): Promise<void> {
    const { shelf, onTrouble } = this.#parts;
    const store = shelf.storeOf(spot.projectId);
    await store.write(record);
    store.sync().catch((error) => onTrouble("a checkpoint could not be written to disk", error));
    if (TOLD.includes(record.reason)) await this.#tell(spot, record);
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
    const known = core.runs.get(runId);
    const plan = known && book.planOf(known);
    // A run with a worktree of its own changes nothing here; what is merged for it does.
    return known !== undefined && writesInPlace(plan) ? known.run : undefined;
  }
}

function byPath(left: PathChange, right: PathChange): number {
  return left.path < right.path ? -1 : 1;
}
