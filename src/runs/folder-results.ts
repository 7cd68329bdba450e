import { createHash } from "node:crypto";
import type { Rollback } from "../contract/checkpoint.ts";
import { HallError } from "../contract/errors.ts";
import type { RunEnd } from "../contract/journal.ts";
import type { Run, RunChanges, RunDiff } from "../contract/run.ts";
import { isOver } from "../contract/run-status.ts";
import type { Change } from "../workspace/hall.ts";
import { diffOfChanges } from "./changes-diff.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Rollbacks } from "./rollbacks.ts";

interface Parts {
  checkpoints: Pick<Checkpoints, "workOf" | "contentOf" | "stateNow">;
  rollbacks: Pick<Rollbacks, "revert">;
  requiresReview: (projectId: string) => boolean;
}

/** A run that has changed its project's folder itself. */
type InFolder = Run & { changes: RunChanges };

export function isInFolder(run: Run): run is InFolder {
  return run.changes !== undefined;
}

/** The results of runs that work in their project's folder itself: checkpoints tell what they are, and take them back. */
export class FolderResults {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What becomes of a run's result; undefined when it cannot have one here. To be asked when its last checkpoint is taken. */
  settle(run: Run, end: RunEnd): RunChanges | undefined {
    if (!isInFolder(run)) return undefined;
    const { changes, isWhole } = this.#parts.checkpoints.workOf(run.id);
    if (isWhole && changes.length === 0) return { state: "unchanged" };
    const files = isWhole ? { files: changes.filter(isNoFolder).length } : {};
    if (end.status !== "completed") return { state: "kept", reason: `the run is ${end.status}`, ...files };
    if (this.#parts.requiresReview(run.projectId))
      return { state: "review", reason: "the project asks for a review", ...files };
    return { state: "applied", ...files };
  }

  async diff(run: InFolder): Promise<RunDiff> {
    if (!isOver(run))
      throw new HallError(
        "illegal_move",
        `Run '${run.id}' is still ${run.status}: what it changes is told at its end.`,
      );
    const { checkpoints } = this.#parts;
    const { changes, first, last } = checkpoints.workOf(run.id);
    if (first === undefined || last === undefined) return this.#withoutCheckpoints(run);
    const stateNow = checkpoints.stateNow(run.projectId, last);
    const changedSince = changes.filter(({ path, after }) => stateNow(path) !== after).map(({ path }) => path);
    const shown = await diffOfChanges(changes, (state) => checkpoints.contentOf(run.projectId, state));
    const hash = createHash("sha256")
      .update(JSON.stringify([run.id, changes.map(({ path, before, after }) => [path, before, after]), changedSince]))
      .digest("hex")
      .slice(0, 32);
    return { runId: run.id, changes: run.changes, base: first.id, head: last.id, hash, ...shown, changedSince };
  }

  #withoutCheckpoints(run: InFolder): RunDiff {
    if (run.changes.state !== "unchanged")
      throw new HallError("checkpoint_not_found", `The checkpoints that tell what run '${run.id}' changed are gone.`);
    return { runId: run.id, changes: run.changes, base: "", head: "", hash: "", files: [], diff: "", truncated: false };
  }

  /** How the result stands when the person agrees with what was shown: it is where it belongs already. */
  async approved(run: InFolder, hash: string): Promise<RunChanges> {
    this.assertState(run, ["review"]);
    if ((await this.diff(run)).hash !== hash)
      throw new HallError("diff_changed", `The diff of run '${run.id}' is not, or no longer, the one with this hash.`);
    const { reason, ...rest } = run.changes;
    return { ...rest, state: "applied" };
  }

  /** Takes back what the run changed, where nobody has changed it since. Doing it again changes nothing more. */
  async reverted(run: InFolder, change: Change): Promise<{ changes: RunChanges; rollback: Rollback }> {
    this.assertState(run, ["applied", "review", "kept", "rejected", "reverted"]);
    const rollback = await this.#parts.rollbacks.revert(run.id, { dryRun: false, change });
    const { restored, left } = rollback;
    if (restored.length === 0 && left.length > 0) return { changes: run.changes, rollback };
    const { reason, ...rest } = run.changes;
    const kept = left.length === 0 ? {} : { reason: `${left.length} of its paths were left as they are` };
    return { changes: { ...rest, ...kept, state: "reverted" }, rollback };
  }

  assertState(run: InFolder, states: readonly RunChanges["state"][]): void {
    if (states.includes(run.changes.state)) return;
    const wanted = states.includes("applied") ? "cannot be taken back" : "waits for no review";
    throw new HallError("illegal_move", `The result of run '${run.id}' ${wanted}: it is ${run.changes.state}.`, {
      hint: `See 'guildhall run show ${run.id}'.`,
    });
  }
}

function isNoFolder({ before, after }: { before: string | undefined; after: string | undefined }): boolean {
  return (after ?? before)?.startsWith("d ") !== true;
}
