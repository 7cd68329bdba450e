import { HallError } from "../../contract/errors.ts";
import type { Checkpoint, CheckpointList, Rollback, RollbackRequest } from "../../contract/runs/checkpoint.ts";
import type { CheckpointRecord } from "../../store/snapshots/checkpoint-store.ts";
import type { Move, TreeRestore } from "../../store/snapshots/tree-restore.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import type { RunBook } from "../record/run-book.ts";
import { planRollback, type RollbackPlan } from "../schedule/unwinding.ts";
import { withDescendants, writesInPlace } from "../schedule/writing-turn.ts";
import { type Span, sharedPaths, spanIfKept, spansSince, stretchesOf } from "./agent-changes.ts";
import type { BranchCheckpoints } from "./branch-checkpoints.ts";
import type { CheckpointShelf, Spot } from "./checkpoint-shelf.ts";
import type { Checkpoints } from "./checkpoints.ts";

const MOST_LISTED = 500;
const MOST_LOGGED = 50;
const ROLLED_BACK = "checkpoint.rolledback";
/** How many rollbacks of a project are looked through for the event of one. */
const MOST_ROLLBACKS = 100;
const COMMITS_STAY =
  "Files are restored, commits stay: git shows the rollback as uncommitted changes. To undo a merge with a commit, revert the run.";

interface Parts {
  core: Core;
  book: RunBook;
  shelf: CheckpointShelf;
  checkpoints: Checkpoints;
  /** Of results in review, which are on branches of their own. */
  branches: Pick<BranchCheckpoints, "list" | "rollback">;
}

interface Drawn extends RollbackPlan {
  runs: string[];
  conflicts: Rollback["conflicts"];
  note?: string;
}

interface CarriedOut {
  restore: TreeRestore;
  moves: Move[];
  answerOf: (record: CheckpointRecord, failed: Rollback["left"]) => Rollback;
  change: Change;
}

/** What people do with checkpoints. */
export class Rollbacks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The newest first; those of branches before those of the folder. */
  async list(projectId: string): Promise<CheckpointList> {
    const { checkpoints, conflicts } = this.#ofFolder(projectId);
    return { checkpoints: [...(await this.#parts.branches.list(projectId)), ...checkpoints], conflicts };
  }

  #ofFolder(projectId: string): CheckpointList {
    const of = this.#changesOf(projectId);
    const told = of.records.map((_, at) => spanIfKept(of, at));
    const spans = told.map((span) => (span === "lost" ? undefined : span));
    const known = new Map<string, boolean>();
    const isDamaged = ({ tree }: CheckpointRecord) => told.includes("lost") && !of.store.isWhole(tree, known);
    const views = of.records.map((record, at) => ({
      ...viewOf(record, spans[at]?.changes ?? []),
      ...this.#taskOf(record),
      ...(isDamaged(record) ? { damaged: true as const } : {}),
    }));
    const conflicts = sharedPaths(
      stretchesOf(
        of,
        spans.filter((span) => span !== undefined),
      ),
    );
    return { checkpoints: views.reverse(), conflicts };
  }

  #taskOf({ runId }: CheckpointRecord): Pick<Checkpoint, "task"> {
    const run = runId === undefined ? undefined : this.#parts.core.runs.get(runId)?.run;
    return run === undefined ? {} : { task: { id: run.taskId, title: run.title } };
  }

  /** Takes back what agents did since a checkpoint. Doing it again changes nothing more. */
  async rollback(projectId: string, id: string, { request, change }: { request: RollbackRequest; change: Change }) {
    const { shelf, checkpoints, core } = this.#parts;
    this.#changesOf(projectId);
    const { runId, dryRun } = request;
    const onBranch = await this.#parts.branches.rollback(projectId, id, { dryRun, change });
    if (onBranch !== undefined) return onBranch;
    if (runId !== undefined && core.runs.get(runId)?.run.projectId !== projectId)
      throw new HallError("run_not_found", `There is no run '${runId}' in project '${projectId}'.`);
    const spot = shelf.spotOf(projectId);
    if (spot === undefined) throw this.#unreached(projectId);
    return checkpoints.inSpot(spot, async (): Promise<Rollback> => {
      const earlier = this.#answered(projectId, change);
      if (earlier !== undefined) {
        await this.#tellUnlessTold(projectId, earlier, change);
        return earlier;
      }
      const { restore, moves, left, ...drawn } = this.#draw(spot, id, request.runId);
      const told = { to: id, dryRun: request.dryRun, ...drawn };
      if (request.dryRun) return { ...told, restored: moves.map(shownMove), left };
      this.#assertQuiet(spot);
      const answerOf = (record: CheckpointRecord, failed: Rollback["left"]): Rollback => {
        const restored = moves.filter(({ path }) => !failed.some((one) => one.path === path)).map(shownMove);
        return { ...told, checkpointId: record.id, restored, left: [...left, ...failed] };
      };
      const done = await this.#carryOut(spot, id, { restore, moves, answerOf, change });
      await this.#tell(projectId, done, change);
      return done;
    });
  }

  /** Takes back what one run, and those it started, did: a rollback to where it began, of its files alone. */
  async revert(runId: string, { dryRun, change }: { dryRun: boolean; change: Change }): Promise<Rollback> {
    const projectId = this.#parts.core.runs.get(runId)?.run.projectId;
    const of = projectId === undefined ? undefined : this.#changesOf(projectId);
    const from = of && this.#parts.checkpoints.spansOf(of, runId).at(0)?.from;
    const begun = of?.records[from ?? -1]?.id;
    if (projectId === undefined || begun === undefined)
      throw new HallError("checkpoint_not_found", `No checkpoint was taken for run '${runId}'.`);
    return this.rollback(projectId, begun, { request: { dryRun, runId }, change });
  }

  /** Undoes a rollback alone: what was done after it stays. Doing it again changes nothing more. */
  async undo(projectId: string, checkpointId: string): Promise<void> {
    const { shelf, checkpoints } = this.#parts;
    const spot = shelf.spotOf(projectId);
    if (spot === undefined) throw this.#unreached(projectId);
    await checkpoints.inSpot(spot, async () => {
      const of = this.#changesOf(projectId);
      const at = of.records.findIndex(({ id }) => id === checkpointId);
      if (at < 0) throw new HallError("checkpoint_not_found", `There is no checkpoint '${checkpointId}'.`);
      this.#assertQuiet(spot);
      const restore = of.store.restoring(spot.workdir, shelf.limits);
      const own = spansSince(of, at).filter(({ from, runId }) => from === at && runId === undefined);
      const { moves } = planRollback(stretchesOf(of, own), (path) => restore.stateOf(path), of.store);
      if (moves.length === 0) return;
      const rollback = { to: checkpointId, moves, isDone: false };
      const record = await checkpoints.take({ spot, reason: "rollback", rollback });
      const failed = await restore.apply(moves);
      const done = moves.filter(({ path }) => !failed.some((one) => one.path === path));
      await shelf.storeOf(projectId).write({ ...record, rollback: { ...rollback, moves: done, isDone: true } });
    });
  }

  /** The intention is written first: after a crash it tells what may have been done. */
  async #carryOut(spot: Spot, to: string, { restore, moves, answerOf, change }: CarriedOut): Promise<Rollback> {
    const { checkpoints, shelf } = this.#parts;
    const rollback = { to, moves, isDone: false };
    const record = await checkpoints.take({ spot, reason: "rollback", rollback });
    const failed = await restore.apply(moves);
    const done = moves.filter(({ path }) => !failed.some((one) => one.path === path));
    const answer = answerOf(record, failed);
    const answered = change.request && { ...change.request, answer };
    const ended = { ...rollback, moves: done, isDone: true, ...(answered && { answered }) };
    await shelf.storeOf(spot.projectId).write({ ...record, rollback: ended });
    return answer;
  }

  /** What the same request was answered before, also by an earlier daemon. */
  #answered(projectId: string, { request }: Change): Rollback | undefined {
    if (request === undefined) return undefined;
    const found = this.#changesOf(projectId).records.find(({ rollback }) => rollback?.answered?.key === request.key);
    const earlier = found?.rollback?.answered;
    if (earlier !== undefined && earlier.fingerprint !== request.fingerprint)
      throw new HallError("idempotency_mismatch", "This Idempotency-Key was used for a different request.");
    return earlier?.answer;
  }

  #draw(spot: Spot, id: string, runId: string | undefined): Drawn & { restore: TreeRestore } {
    const of = this.#changesOf(spot.projectId);
    const at = of.records.findIndex((record) => record.id === id);
    const target = of.records[at];
    if (target === undefined) throw new HallError("checkpoint_not_found", `There is no checkpoint '${id}'.`);
    if (target.workdir !== spot.workdir)
      throw new HallError(
        "illegal_move",
        `Checkpoint '${id}' is for '${target.workdir}', which is no longer the working folder.`,
        {
          hint: "Set the project's working folder to that folder first.",
        },
      );
    const all = spansSince(of, at);
    const wanted = runId === undefined ? all : this.#ofRun(all, runId);
    const byPath = stretchesOf(of, wanted);
    const restore = of.store.restoring(spot.workdir, this.#parts.shelf.limits);
    const { moves, left } = planRollback(byPath, (path) => restore.stateOf(path), of.store);
    const everyone = stretchesOf(of, all);
    const runs = [...new Set(wanted.flatMap((span) => span.runId ?? []))];
    const others = (path: string) =>
      everyone
        .get(path)
        ?.flatMap((one) => one.runs)
        .find((one) => !runs.includes(one));
    const isMerged = of.records.some((record) => record.reason === "merge" && runs.includes(record.runId ?? ""));
    const named = left.map((one) => ({ ...one, reason: laterRun(others(one.path)) ?? one.reason }));
    return {
      restore,
      moves,
      left: named,
      runs,
      conflicts: sharedPaths(everyone).filter(({ path }) => byPath.has(path)),
      ...(isMerged && moves.length > 0 ? { note: COMMITS_STAY } : {}),
    };
  }

  /** What a run, and those it started, did. */
  #ofRun(spans: readonly Span[], runId: string): Span[] {
    const { runs } = this.#parts.core;
    if (runs.get(runId) === undefined) throw new HallError("run_not_found", `There is no run '${runId}'.`);
    const family = new Set(withDescendants(runId, runs));
    return spans.filter((span) => span.runId !== undefined && family.has(span.runId));
  }

  #assertQuiet(spot: Spot): void {
    const { core, book, shelf } = this.#parts;
    const works = core.runs.unsettled().find((known) => {
      if (known.run.status !== "running" || !writesInPlace(book.planOf(known))) return false;
      return shelf.spotOf(known.run.projectId)?.workdir === spot.workdir;
    });
    if (works !== undefined)
      throw new HallError("folder_busy", `Run '${works.run.id}' is working in '${spot.workdir}' and may write to it.`);
  }

  #unreached(projectId: string): HallError {
    const { projects, workdirRecords } = this.#parts.core;
    const project = projects.get(projectId);
    const place = project && workdirRecords.placeOf(project);
    if (place instanceof HallError) return place;
    return new HallError("workdir_missing", `Project '${projectId}' has no working folder.`);
  }

  #changesOf(projectId: string) {
    if (this.#parts.core.projects.status(projectId) === undefined)
      throw new HallError("project_not_found", `There is no project '${projectId}'.`);
    return this.#parts.checkpoints.changes(projectId);
  }

  /** A crash may have come between the rollback and its event. */
  async #tellUnlessTold(projectId: string, rollback: Rollback, change: Change): Promise<void> {
    const told = this.#parts.core.events.tail({ type: ROLLED_BACK, project: projectId, count: MOST_ROLLBACKS });
    if (told.some(({ after }) => (after as Partial<Rollback>)?.checkpointId === rollback.checkpointId)) return;
    await this.#tell(projectId, rollback, change);
  }

  async #tell(projectId: string, { to, checkpointId, restored, left }: Rollback, change: Change): Promise<void> {
    const paths = restored.slice(0, MOST_LOGGED).map(({ path }) => path);
    const after = { to, checkpointId, restored: restored.length, left: left.length, paths };
    const subject = { kind: "checkpoint" as const, id: to };
    const { actor } = byChange(change);
    await commit(this.#parts.core, { type: ROLLED_BACK, actor, projectId, subject, after }, () => {});
  }
}

function laterRun(runId: string | undefined): string | undefined {
  return runId === undefined ? undefined : `run ${runId} changed it too`;
}

function viewOf(
  record: CheckpointRecord,
  changes: { path: string; before?: string | undefined; after?: string | undefined }[],
): Checkpoint {
  const { id, at, reason, runId, workdir, files, bytes, notKept } = record;
  const changed = changes.slice(0, MOST_LISTED).map(({ path, before, after }) => ({ path, how: howOf(before, after) }));
  const by = runId === undefined ? {} : { runId };
  return { id, at, reason, ...by, workdir, files, bytes, notKept, changed, changedCount: changes.length };
}

function shownMove({ path, from, to }: Move) {
  return { path, how: howOf(from, to) };
}

function howOf(before: string | undefined, after: string | undefined): "created" | "changed" | "removed" {
  if (before === undefined) return "created";
  return after === undefined ? "removed" : "changed";
}
