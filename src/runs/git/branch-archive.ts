import { HallError } from "../../contract/errors.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { isThere } from "../../store/files/folders.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Delivered } from "../results/delivery-place.ts";
import { decide } from "../results/lifecycle.ts";
import type { Verdicts } from "../results/verdicts.ts";
import { assertNotCheckedOut, otherUser } from "./branch-use.ts";
import { type Git, GitFailure } from "./git.ts";
import type { HiddenRefs } from "./hidden-refs.ts";
import type { LeftWorktrees } from "./worktrees/left-worktrees.ts";

const DAY_MS = 86_400_000;
const EVERY_MS = 6 * 3_600_000;
const MOST_AT_ONCE = 500;

interface Parts {
  core: Core;
  git: Git;
  hidden: Pick<HiddenRefs, "archive">;
  left: Pick<LeftWorktrees, "save">;
  verdicts: Pick<Verdicts, "record">;
  placeOf: (runId: string) => Workplace | undefined;
  /** How long branches of runs that failed or were stopped are kept; 0: for good. */
  keptDays: number;
  /** Six hours unless given. */
  everyMs?: number | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/** Deletes branches that nobody decided about for long. Their commits stay in the repository, under a hidden ref. */
export class BranchArchive {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    const { keptDays, everyMs = EVERY_MS } = this.#parts;
    if (keptDays === 0) return;
    this.#timer = setInterval(() => void this.sweep(), everyMs).unref();
    void this.sweep();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async sweep(): Promise<void> {
    const { core, keptDays } = this.#parts;
    const since = new Date(core.clock().getTime() - keptDays * DAY_MS).toISOString();
    const kept = core.runs.list({ kept: true, limit: MOST_AT_ONCE }).map(({ run }) => run);
    for (const { id, endedAt = since } of kept)
      if (endedAt < since) await this.archive(id, `kept for ${keptDays} ${keptDays === 1 ? "day" : "days"}`);
  }

  /** A branch that is in use, or cannot be reached, stays as it is. */
  async archive(runId: string, why: string): Promise<void> {
    const { core, onTrouble } = this.#parts;
    try {
      await core.locks.run(`review ${runId}`, async () => {
        const run = core.runs.get(runId)?.run;
        if (run?.delivery?.kind !== "branch" || decide({ run }, { type: "discard" }).refused !== undefined) return;
        await this.#archive({ ...run, delivery: run.delivery }, why);
      });
    } catch (error) {
      if (error instanceof GitFailure || (error instanceof HallError && error.code !== "storage_failed")) return;
      onTrouble(`the branch of run ${runId} could not be archived`, error);
    }
  }

  async #archive(run: Run & Delivered<"branch">, why: string): Promise<void> {
    const { core, git, hidden, left, verdicts, placeOf } = this.#parts;
    const place = placeOf(run.id);
    if (place === undefined || !isThere(place.repository) || otherUser(core.runs, run) !== undefined) return;
    await assertNotCheckedOut(git, place);
    const commit = await left.save(run, place);
    const ref = commit && (await hidden.archive(run.id, place, commit));
    const discard = { at: core.clock().toISOString(), task: "keep" as const, ...(commit && { commit }) };
    const reason = ref === undefined ? why : `${why}; restore it with: git branch ${run.delivery.name} ${ref}`;
    await verdicts.record(run, { event: { type: "discarded", discard, reason } }, { actor: BY_DAEMON });
  }
}
