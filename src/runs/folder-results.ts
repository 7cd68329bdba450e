import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { Rollback } from "../contract/checkpoint.ts";
import { HallError } from "../contract/errors.ts";
import type { RecordedEnd } from "../contract/journal.ts";
import type { Run, RunChanges, RunDiff } from "../contract/run.ts";
import { isOver } from "../contract/run-status.ts";
import type { Change } from "../workspace/change.ts";
import { diffOfChanges } from "./changes-diff.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { GUIDE_NAMES } from "./code-guide.ts";
import { decided } from "./control-standing.ts";
import type { FolderControl } from "./folder-control.ts";
import { type Gatekeeper, judged } from "./gatekeeper.ts";
import { afterGates, handedIn, type ResultPolicy } from "./lifecycle.ts";
import { noDiff } from "./no-changes.ts";
import { assertDecidable } from "./review-refusals.ts";
import type { Rollbacks } from "./rollbacks.ts";

interface Parts {
  checkpoints: Pick<Checkpoints, "workOf" | "contentOf" | "stateNow">;
  rollbacks: Pick<Rollbacks, "revert">;
  control: Pick<FolderControl, "of">;
  policyOf: (projectId: string) => ResultPolicy;
  gates: Gatekeeper;
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
  async settle(run: Run, end: RecordedEnd): Promise<RunChanges | undefined> {
    if (run.purpose === "review") return undefined;
    const policy = this.#parts.policyOf(run.projectId);
    const nothing = { place: "folder", changed: "nothing", controlFiles: [] } as const;
    if (!isInFolder(run)) {
      // What a run that cannot write has to say is looked at like any other result.
      const standing =
        run.branch === undefined && run.parentRunId === undefined && handedIn(end.status, nothing, policy);
      return standing && standing !== "judge" && standing.state === "review" ? standing : undefined;
    }
    const { changes, isWhole, controlFiles, last } = await this.#parts.control.of(run);
    const changed = isWhole ? (changes.length === 0 ? "nothing" : "something") : "unknown";
    const files = isWhole ? { files: changes.filter(isNoFolder).length } : {};
    const begun = handedIn(end.status, { place: "folder", changed, controlFiles }, policy);
    if (begun !== "judge") return { ...files, ...begun };
    const folder = last?.workdir ?? "";
    const next = afterGates(await judged(this.#parts.gates, run, { kind: "folder", folder }), policy);
    return next === "deliver" ? { state: "applied", ...files } : { ...files, ...next };
  }

  async diff(run: InFolder): Promise<RunDiff> {
    if (!isOver(run))
      throw new HallError(
        "illegal_move",
        `Run '${run.id}' is still ${run.status}: what it changes is told at its end.`,
      );
    const { checkpoints } = this.#parts;
    const { changes, first, last, isWhole, controlFiles } = await this.#parts.control.of(run);
    if (first === undefined || last === undefined) return this.#withoutCheckpoints(run);
    if (isWhole && changes.length === 0) return noDiff(run);
    const stateNow = checkpoints.stateNow(run.projectId, last);
    const changedSince = changes.filter(({ path, after }) => stateNow(path) !== after).map(({ path }) => path);
    const shown = await diffOfChanges(changes, (state) => checkpoints.contentOf(run.projectId, state));
    const hash = hashOf([run.id, changes.map(({ path, before, after }) => [path, before, after]), changedSince]);
    const about = { runId: run.id, changes: run.changes, base: first.id, head: last.id, hash };
    return { ...about, ...shown, controlFiles, changedSince, ...(isWhole ? {} : { incomplete: true }) };
  }

  #withoutCheckpoints(run: InFolder): RunDiff {
    const { state, files } = run.changes;
    if (state === "unchanged" || files === 0) return noDiff(run);
    // Somebody has to decide about it all the same.
    if (state === "review") return { ...noDiff(run), hash: hashOf([run.id, "unknown"]), incomplete: true };
    throw new HallError("checkpoint_not_found", `The checkpoints that tell what run '${run.id}' changed are gone.`);
  }

  /** How the result stands when the person agrees with what was shown: it is where it belongs already. */
  async approved(run: InFolder, hash: string): Promise<RunChanges> {
    assertDecidable(run, "approved");
    const shown = await this.diff(run);
    if (shown.hash !== hash)
      throw new HallError("diff_changed", `The diff of run '${run.id}' is not, or no longer, the one with this hash.`);
    const isNothing = shown.head === "" && shown.incomplete === undefined;
    return { ...decided(run.changes), state: isNothing ? "unchanged" : "applied" };
  }

  /** What the run left in files that instruct agents, by absolute path: all of it was shown. */
  async guidesIn(run: InFolder): Promise<Map<string, string>> {
    const { checkpoints, control } = this.#parts;
    const { changes, last } = await control.of(run);
    const found = changes.flatMap(({ path, after }): [string, string][] => {
      if (last === undefined || !GUIDE_NAMES.includes(basename(path)) || after?.startsWith("f ") !== true) return [];
      return [[join(last.workdir, path), checkpoints.contentOf(run.projectId, after).toString("utf8")]];
    });
    return new Map(found);
  }

  /** Takes back what the run changed, where nobody has changed it since. Doing it again changes nothing more. */
  async reverted(run: InFolder, change: Change): Promise<{ changes: RunChanges; rollback: Rollback }> {
    // What was left the first time may be taken back when it is out of the way.
    const isPart = run.changes.state === "reverted" && run.changes.reason !== undefined;
    if (!isPart) assertDecidable(run, "reverted");
    const [latest, ...earlier] = await this.#runsToRevert(run);
    if (latest === undefined)
      throw new HallError("illegal_move", `Run '${run.id}' changed nothing that could be taken back.`);
    const { rollbacks } = this.#parts;
    let rollback = await rollbacks.revert(latest, { dryRun: false, change });
    for (const id of earlier)
      rollback = joined(rollback, await rollbacks.revert(id, { dryRun: false, change: { actor: change.actor } }));
    const { restored, left } = rollback;
    if (restored.length === 0 && left.length > 0) return { changes: run.changes, rollback };
    const kept = left.length === 0 ? {} : { reason: `${left.length} of its paths were left as they are` };
    return { changes: { ...decided(run.changes), ...kept, state: "reverted" }, rollback };
  }

  /** The run, if it changed anything, and the earlier ones whose control files are a part of its result. */
  async #runsToRevert({ id, ...run }: InFolder): Promise<string[]> {
    const work = this.#parts.checkpoints.workOf(id);
    const { inheritedFrom } = await this.#parts.control.of({ id, ...run });
    const isNothing = work.isWhole && work.changes.length === 0;
    return isNothing && (run.changes.files === 0 || inheritedFrom.length > 0) ? inheritedFrom : [id, ...inheritedFrom];
  }
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
