import type { Run, Workplace } from "../../contract/runs/run.ts";
import type { GitSync } from "../../store/git/git-sync.ts";
import type { Core } from "../../workspace/core.ts";
import type { Git } from "./git.ts";
import type { PlaceNotes } from "./place-notes.ts";
import type { Trusted } from "./worktrees/left-worktrees.ts";

/** Where the commits of discarded branches are while the discard can be undone. */
const DISCARDED = "refs/guildhall/discarded";
/** Where the commits of branches are that were kept for as long as configured; nothing removes these. */
const ARCHIVED = "refs/guildhall/archived";
/** Where the commits of a review are while it is open. */
const REVIEWS = "refs/guildhall/reviews";
/** The longest that a timer can wait. */
const MOST_MS = 2_147_483_647;

/** A commit of a review, and when that was made. */
export interface Marked {
  ref: string;
  commit: string;
  at: string;
}

interface Parts {
  core: Core;
  git: Git;
  disk: GitSync;
  /** One for each commit that is hidden, written before it is. */
  notes: PlaceNotes;
  trusted: Trusted;
  onTrouble: (what: string, error: unknown) => void;
}

/** Commits of discarded branches, out of the person's sight, until the time for an undo is over. */
export class HiddenRefs {
  readonly #parts: Parts;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** On disk when it resolves. A crash before the decision is on disk leaves a note, by which a start removes it. */
  async hide(runId: string, place: Workplace, commit: string): Promise<void> {
    const { notes, trusted } = this.#parts;
    await notes.write({ ...place, owner: runId }, trusted(place.repository));
    await this.#point(place, `${DISCARDED}/${runId}`, commit);
  }

  /** For good: the branch can be made again from it. Answers its name. */
  async archive(runId: string, place: Workplace, commit: string): Promise<string> {
    const ref = `${ARCHIVED}/${runId}`;
    await this.#point(place, ref, commit);
    return ref;
  }

  /** Keeps a commit of a review from being lost, whatever happens to its branch. Answers whether it is new, and its name. */
  async mark(place: Workplace, name: string, commit: string): Promise<{ ref: string; isNew: boolean }> {
    const ref = `${REVIEWS}/${name}`;
    const known = await this.#parts.git.resolve({ gitDir: place.repository }, `${ref}^{commit}`);
    if (known !== commit) await this.#point(place, ref, commit);
    return { ref, isNew: known !== commit };
  }

  /** Those of all reviews in a repository, by review. */
  async marked({ repository }: Pick<Workplace, "repository">): Promise<Map<string, Marked[]>> {
    const format = "--format=%(refname) %(objectname) %(committerdate:unix)";
    const out = await this.#parts.git.text({ gitDir: repository }, ["for-each-ref", format, `${REVIEWS}/`]);
    const all = out.split("\n").flatMap((line): Marked[] => {
      const [ref = "", commit = "", seconds = ""] = line.split(" ");
      return seconds === "" ? [] : [{ ref, commit, at: new Date(Number(seconds) * 1_000).toISOString() }];
    });
    return Map.groupBy(all, ({ ref }) => ref.slice(REVIEWS.length + 1).split("/")[0] ?? "");
  }

  /** Those of a review that is over. */
  async unmark(place: Workplace, reviewId: string): Promise<void> {
    for (const { ref } of (await this.marked(place)).get(reviewId) ?? [])
      await this.#parts.git.run({ gitDir: place.repository }, ["update-ref", "-d", ref]);
  }

  /** The commit that a branch would get back, if it is still there. */
  commitOf({ repository }: Workplace, runId: string): Promise<string | undefined> {
    return this.#parts.git.resolve({ gitDir: repository }, `${DISCARDED}/${runId}^{commit}`);
  }

  /** The branch as it was; one that is there already stays as it is. */
  async restore(runId: string, place: Workplace): Promise<void> {
    const { git, disk } = this.#parts;
    const { repository, branch } = place;
    const commit = await this.commitOf(place, runId);
    const ref = `refs/heads/${branch}`;
    if (commit !== undefined && (await git.resolve({ gitDir: repository }, `${ref}^{commit}`)) === undefined) {
      await git.run({ gitDir: repository }, ["update-ref", "-m", "guildhall: undo discard", ref, commit, ""]);
      await disk.ref(repository, ref, commit);
    }
    await this.forget(runId, place);
  }

  async forget(runId: string, { repository }: Workplace): Promise<void> {
    clearTimeout(this.#timers.get(runId));
    this.#timers.delete(runId);
    await this.#parts.git.run({ gitDir: repository }, ["update-ref", "-d", `${DISCARDED}/${runId}`]);
    this.#parts.notes.discard(runId);
  }

  /** Has the commit forgotten when the discard cannot be undone any more. */
  expireLater({ id, delivery }: Pick<Run, "id" | "delivery">): void {
    const left = Date.parse(delivery?.discard?.until ?? "") - this.#parts.core.clock().getTime();
    clearTimeout(this.#timers.get(id));
    const timer = setTimeout(() => void this.#settle(id), Math.min(MOST_MS, Math.max(0, left) + 1));
    this.#timers.set(id, timer.unref());
  }

  /** What an earlier daemon left: undone where a crash came in between, forgotten where it expired, else later. */
  async sweep(): Promise<void> {
    for (const id of this.#parts.notes.all()) await this.#settle(id);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #settle(id: string): Promise<void> {
    const { core, notes, onTrouble } = this.#parts;
    const place = notes.read(id);
    try {
      if (place === undefined) return notes.discard(id);
      await core.locks.run(`review ${id}`, async () => {
        const run = core.runs.get(id)?.run;
        const { until } = run?.delivery?.discard ?? {};
        // Its discard was undone, or never came to be.
        if (run !== undefined && run.delivery?.state !== "discarded") return this.restore(id, place);
        const isOpen = run !== undefined && until !== undefined && core.clock().toISOString() <= until;
        return isOpen ? this.expireLater(run) : this.forget(id, place);
      });
    } catch (error) {
      onTrouble(`the commit of the discarded run ${id} could not be removed`, error);
    }
  }

  async #point({ repository }: Workplace, ref: string, commit: string): Promise<void> {
    const { git, disk } = this.#parts;
    await git.run({ gitDir: repository }, ["update-ref", "-m", "guildhall: discard", ref, commit]);
    await disk.ref(repository, ref, commit);
  }
}
