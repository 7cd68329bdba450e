import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { HallError } from "../../contract/errors.ts";
import type { Rollback } from "../../contract/runs/checkpoint.ts";
import type { Delivery, Discard } from "../../contract/runs/delivery.ts";
import type { RecordedEnd } from "../../contract/runs/journal.ts";
import type { Run, RunDiff } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Change } from "../../workspace/change.ts";
import { GUIDE_NAMES } from "../plan/code-guide.ts";
import type { Instructions } from "../plan/instructions.ts";
import { diffOfChanges } from "./changes-diff.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Approval, Approved, Delivered, DeliveryPlace, Discarded, Reverted } from "./delivery-place.ts";
import type { FolderControl } from "./folder-control.ts";
import type { FolderGlance } from "./folder-glance.ts";
import { type Gatekeeper, judged } from "./gatekeeper.ts";
import { decide } from "./lifecycle.ts";
import type { ResultPolicy } from "./lifecycle-events.ts";
import { noDiff } from "./no-changes.ts";
import type { Rollbacks } from "./rollbacks.ts";

interface Parts {
  checkpoints: Pick<Checkpoints, "workOf" | "contentOf" | "stateNow">;
  rollbacks: Pick<Rollbacks, "revert" | "undo">;
  control: Pick<FolderControl, "of">;
  glance: Pick<FolderGlance, "of">;
  policyOf: (run: Run) => ResultPolicy;
  gates: Gatekeeper;
  instructions: Pick<Instructions, "acceptApproved">;
}

const MOST_NAMED = 5;

/** A run that has changed its project's folder itself. */
type InFolder = Delivered<"folder">;

/** The results of runs that work in their project's folder itself: checkpoints tell what they are, and take them back. */
export class FolderResults implements DeliveryPlace<"folder"> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What becomes of a run's result; undefined when it cannot have one here. To be asked when its last checkpoint is taken. */
  async settle(run: Run, { status }: RecordedEnd): Promise<Delivery | undefined> {
    if (run.delivery?.kind !== "folder") return undefined;
    const policy = this.#parts.policyOf(run);
    const { changes, isWhole, controlFiles, last } = await this.#parts.control.of(run);
    const changed = isWhole ? (changes.length === 0 ? "nothing" : "something") : "unknown";
    const counts = isWhole ? { files: changes.filter(isNoFolder).length } : {};
    const begun = decide({ run }, { type: "handed-in", status, changed, controlFiles, counts }, policy);
    if (!begun.effects.includes("judge")) return begun.delivery;
    const judgement = await judged(this.#parts.gates, run, { kind: "folder", folder: last?.workdir ?? "" });
    return decide({ run: { ...run, ...begun } }, { type: "judged", judgement }, policy).delivery;
  }

  async diff(run: InFolder): Promise<RunDiff> {
    if (!isOver(run)) return this.#underWay(run);
    const { checkpoints } = this.#parts;
    const { changes, first, last, isWhole, controlFiles } = await this.#parts.control.of(run);
    if (first === undefined || last === undefined) return this.#withoutCheckpoints(run);
    if (isWhole && changes.length === 0) return noDiff(run);
    const stateNow = checkpoints.stateNow(run.projectId, last);
    const changedSince = changes.filter(({ path, after }) => stateNow(path) !== after).map(({ path }) => path);
    const shown = await diffOfChanges(changes, (state) => checkpoints.contentOf(run.projectId, state));
    const hash = hashOf([run.id, changes.map(({ path, before, after }) => [path, before, after]), changedSince]);
    const about = { runId: run.id, delivery: run.delivery, base: first.id, head: last.id, hash };
    return { ...about, ...shown, controlFiles, changedSince, ...(isWhole ? {} : { incomplete: true }) };
  }

  /** What it has changed so far. */
  async #underWay(run: InFolder): Promise<RunDiff> {
    const seen = await this.#parts.glance.of(run.id, run.projectId);
    const about = { runId: run.id, delivery: run.delivery, isLive: true } as const;
    if (seen === undefined) return { ...noDiff(run), ...about };
    const shown = await diffOfChanges(seen.changes, seen.contentOf);
    return { ...noDiff(run), ...about, ...shown, base: seen.since, hash: hashOf([run.id, seen.changes]) };
  }

  #withoutCheckpoints(run: InFolder): RunDiff {
    const { state, files } = run.delivery;
    if (state === "unchanged" || files === 0) return noDiff(run);
    // Somebody has to decide about it all the same.
    if (state === "review") return { ...noDiff(run), hash: hashOf([run.id, "unknown"]), incomplete: true };
    throw new HallError("checkpoint_not_found", `The checkpoints of run '${run.id}' no longer exist.`);
  }

  /** It is where it belongs already. The person has seen, and so accepted, what it changed in files that instruct agents. */
  async deliver(run: InFolder, { hash }: Approval): Promise<Approved> {
    const shown = await this.diff(run);
    if (shown.hash !== hash)
      throw new HallError("diff_changed", `The diff of run '${run.id}' does not match this hash.`);
    const isNothing = shown.head === "" && shown.incomplete === undefined;
    await this.#parts.instructions.acceptApproved(run.projectId, await this.#guidesIn(run));
    return { type: "approved", isNothing };
  }

  /** Rolls back what the run changed, where nobody has changed it since. */
  async discard(run: InFolder, change: Change): Promise<Discarded> {
    if ((await this.#runsToRevert(run)).length === 0) return {};
    const { rollback, checkpoints, reason } = await this.#undo(run, change);
    const isAllLeft = rollback.restored.length === 0 && rollback.left.length > 0;
    if (isAllLeft) throw allLeft(run, rollback.left);
    return { rollback, checkpoints, ...(reason === undefined ? {} : { reason }) };
  }

  async assertRestorable(): Promise<void> {}

  /** Files that were changed since the discard stay as they are. Doing it again changes nothing more. */
  async restore(run: Run, { checkpoints = [] }: Discard): Promise<void> {
    for (const id of checkpoints.toReversed()) await this.#parts.rollbacks.undo(run.projectId, id);
  }

  async forNext(): Promise<object> {
    return {};
  }

  /** What the run left in files that instruct agents, by absolute path: all of it was shown. */
  async #guidesIn(run: InFolder): Promise<Map<string, string>> {
    const { checkpoints, control } = this.#parts;
    const { changes, last } = await control.of(run);
    const found = changes.flatMap(({ path, after }): [string, string][] => {
      if (last === undefined || !GUIDE_NAMES.includes(basename(path)) || after?.startsWith("f ") !== true) return [];
      return [[join(last.workdir, path), checkpoints.contentOf(run.projectId, after).toString("utf8")]];
    });
    return new Map(found);
  }

  /** Takes back what the run changed, where nobody has changed it since. Doing it again changes nothing more. */
  async takeBack(run: InFolder, change: Change): Promise<{ event?: Reverted; rollback: Rollback }> {
    const { rollback, reason } = await this.#undo(run, change);
    if (rollback.restored.length === 0 && rollback.left.length > 0) return { rollback };
    return { event: { type: "reverted", reason }, rollback };
  }

  async #undo(run: InFolder, change: Change) {
    const [latest, ...earlier] = await this.#runsToRevert(run);
    if (latest === undefined) throw new HallError("illegal_move", `Run '${run.id}' changed nothing to revert.`);
    const { rollbacks } = this.#parts;
    let rollback = await rollbacks.revert(latest, { dryRun: false, change });
    const checkpoints = checkpointOf(rollback);
    for (const id of earlier) {
      const next = await rollbacks.revert(id, { dryRun: false, change: { actor: change.actor } });
      checkpoints.push(...checkpointOf(next));
      rollback = joined(rollback, next);
    }
    const { left } = rollback;
    const reason = left.length === 0 ? undefined : `${left.length} of its paths were left unchanged`;
    return { rollback, checkpoints, reason };
  }

  /** The run, if it changed anything, and the earlier ones whose control files are a part of its result. */
  async #runsToRevert({ id, ...run }: InFolder): Promise<string[]> {
    const work = this.#parts.checkpoints.workOf(id);
    const { inheritedFrom } = await this.#parts.control.of({ id, ...run });
    const isNothing = work.isWhole && work.changes.length === 0;
    return isNothing && (run.delivery.files === 0 || inheritedFrom.length > 0) ? inheritedFrom : [id, ...inheritedFrom];
  }
}

function checkpointOf({ checkpointId }: Rollback): string[] {
  return checkpointId === undefined ? [] : [checkpointId];
}

function allLeft({ id }: Run, left: Rollback["left"]): HallError {
  const named = left.slice(0, MOST_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  return new HallError("illegal_move", `The changes of run '${id}' can't be rolled back: ${named.join(", ")}.`, {
    hint: "Restore those files yourself, or approve the result.",
  });
}

function joined(first: Rollback, next: Rollback): Rollback {
  const { restored, left, runs, conflicts } = next;
  return {
    ...first,
    restored: [...first.restored, ...restored],
    left: [...first.left, ...left],
    runs: [...first.runs, ...runs],
    conflicts: [...first.conflicts, ...conflicts],
  };
}

function hashOf(shown: unknown): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 32);
}

function isNoFolder({ before, after }: { before: string | undefined; after: string | undefined }): boolean {
  return (after ?? before)?.startsWith("d ") !== true;
}
