import { basename, dirname } from "node:path";
import type { ControlFile } from "../../contract/documents/control-file.ts";
import type { MergeMethod } from "../../contract/documents/merge-method.ts";
import type { MergeBlocker } from "../../contract/runs/delivery.ts";
import { isThere } from "../../store/files/folders.ts";
import { checkoutAt, namedCheckout } from "../../store/git/git-checkout.ts";
import type { GitSync } from "../../store/git/git-sync.ts";
import type { Around } from "../results/checkpoints.ts";
import { Checkout } from "./checkout.ts";
import type { Git, GitPlace } from "./git.ts";
import { messageOf, SQUASHED, type Wording } from "./worktrees/worktrees.ts";

/** Somebody else may move the branch while a merge is made. */
const MOST_TRIES = 8;

/** What came of it: the commit, or what kept it from being made. */
export type Merged =
  | { commit: string }
  /**
   * `conflicts`: the paths that are in the way, where two have changed the same. `unapproved`: what needs an approval. `moved`: the
   * commit of the target with which it would become something else than what was judged.
   */
  | { obstacle: string; conflicts?: string[]; unapproved?: ControlFile[]; moved?: string };

/** What keeps a tree from coming into the branch, which is at `from`; nothing where it may. */
export type MergeCheck = (span: {
  repository: string;
  from: string;
  to: string;
}) => Promise<Extract<Merged, { obstacle: string }> | undefined>;

export interface MergeOrder {
  repository: string;
  target: string;
  wording: Wording;
  /** A merge commit unless given. */
  method?: MergeMethod;
  /** Called around the change of files in the person's checkouts, with the paths concerned. */
  around?: Around | undefined;
}

interface Made {
  tree: string;
  /** Of the commit to be made. */
  parents: string[];
}

interface Parts {
  git: Git;
  disk: GitSync;
  /** A path for a file that is needed for a moment. */
  scratch: () => string;
}

/**
 * Puts results into the person's branch without a checkout of its own, and lets the person's checkout follow. A commit that
 * it answers with is on disk, with all that belongs to it.
 */
export class Merging {
  readonly #git: Git;
  readonly #disk: GitSync;
  readonly #scratch: () => string;

  constructor({ git, disk, scratch }: Parts) {
    this.#git = git;
    this.#disk = disk;
    this.#scratch = scratch;
  }

  /** Merges a commit into the branch, unless something is found in what would come of it. */
  merge(given: MergeOrder, head: string, check?: MergeCheck): Promise<Merged> {
    const isSquash = given.method === "squash";
    const order = isSquash ? { ...given, wording: { ...given.wording, squashed: head } } : given;
    const at = { gitDir: order.repository };
    return this.#advance(order, async (tip, tries) => {
      // A git that outlived a daemon may have been the one that moved the branch.
      const merged = tries === 0 ? undefined : await this.mergeOf(order, head);
      const made = isSquash ? await this.#squashOf(order, head) : merged;
      if (made !== undefined) return { commit: made };
      const tree = await this.#combined(at, tip, head);
      if (typeof tree !== "string") return tree;
      // Asked of what really comes into the branch, which may be another by now than when the run ended.
      const span = { repository: order.repository, from: tip, to: tree };
      const found = await check?.(span);
      if (found !== undefined) return found;
      return { tree, parents: isSquash ? [tip] : [tip, head] };
    });
  }

  /** Merges a commit into the branch, unless it is in it; of files that conflict, the branch gets both sides between markers. */
  bringIn(order: MergeOrder, commit: string): Promise<Merged> {
    const at = { gitDir: order.repository };
    return this.#advance(order, async (tip) => {
      if (await this.isIn(order, commit)) return { commit: tip };
      const { tree } = await this.#mergeTree(at, tip, commit);
      return { tree, parents: [tip, commit] };
    });
  }

  /** Takes back what a merge brought: a commit that changes only what that merge changed. */
  revert(order: MergeOrder, merge: string): Promise<Merged> {
    const at = { gitDir: order.repository };
    return this.#advance(order, async (tip) => {
      const made = await this.#revertOf(order, `${merge}..${tip}`);
      if (made !== undefined) return { commit: made };
      const without = await this.#git.text(at, ["commit-tree", `${merge}^1^{tree}`, "-p", merge], {
        input: "without\n",
      });
      const tree = await this.#combined(at, tip, without);
      return typeof tree === "string" ? { tree, parents: [tip] } : tree;
    });
  }

  /** The commit that took it back already, before a crash kept everybody from hearing of it. */
  async #revertOf({ repository, wording }: MergeOrder, span: string): Promise<string | undefined> {
    const words = ["^Revert ", `^Guildhall-Run: ${wording.runId}$`].map((word) => `--grep=${word}`);
    const args = ["rev-list", "--first-parent", "--max-parents=1", "--all-match", ...words, span];
    return (await this.#git.text({ gitDir: repository }, args)).split("\n").find((line) => line !== "");
  }

  /** The commit that this one was squashed into, before a crash: nothing but its message tells. */
  async #squashOf({ repository, target }: MergeOrder, head: string): Promise<string | undefined> {
    const args = ["rev-list", "--first-parent", "--max-parents=1", `--grep=^${SQUASHED}: ${head}$`];
    const { out } = await this.#git.run({ gitDir: repository }, [...args, `refs/heads/${target}`, `^${head}`]);
    return out.split("\n").find((line) => line !== "");
  }

  /** The merge commit with which the branch got this head; undefined when it has not got it, or in another way. */
  async mergeOf({ repository, target }: Pick<MergeOrder, "repository" | "target">, head: string) {
    const at = { gitDir: repository };
    const { out } = await this.#git.run(at, [
      "rev-list",
      "--first-parent",
      "--parents",
      `refs/heads/${target}`,
      `^${head}`,
    ]);
    return out
      .split("\n")
      .map((line) => line.split(" "))
      .find((ids) => ids[2] === head)?.[0];
  }

  async isIn({ repository, target }: Pick<MergeOrder, "repository" | "target">, head: string): Promise<boolean> {
    const args = ["merge-base", "--is-ancestor", head, `refs/heads/${target}`];
    return (await this.#git.run({ gitDir: repository }, args, { allowed: [1] })).code === 0;
  }

  /** Files first, then the branch: whoever commits in between commits the result, and never its opposite. */
  async #advance(order: MergeOrder, make: (tip: string, tries: number) => Promise<Made | Merged>): Promise<Merged> {
    const tooOld = await this.#git.tooOldFor("merging");
    if (tooOld !== undefined) return { obstacle: tooOld };
    const at = { gitDir: order.repository };
    const ref = `refs/heads/${order.target}`;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const tip = await this.#git.resolve(at, `${ref}^{commit}`);
      if (tip === undefined) return { obstacle: `the branch '${order.target}' no longer exists` };
      const made = await make(tip, tries);
      if ("commit" in made) await this.confirm(order, made.commit);
      if (!("tree" in made)) return made;
      const obstacle = await this.#follow(order, { from: tip, to: made.tree });
      if (obstacle !== undefined) return { obstacle };
      const parents = made.parents.flatMap((parent) => ["-p", parent]);
      const commit = await this.#git.text(at, ["commit-tree", made.tree, ...parents], {
        input: messageOf(order.wording),
      });
      await this.#disk.objects(order.repository);
      const moved = await this.#git.run(at, ["update-ref", "-m", "guildhall: merge", ref, commit, tip], {
        allowed: [1, 128],
      });
      if (moved.code !== 0) continue;
      await this.#disk.ref(order.repository, ref, commit);
      return { commit };
    }
    return { obstacle: `other programs keep moving the branch '${order.target}'` };
  }

  /** Lets every checkout of the branch follow; answers what is in the way. */
  async #follow(order: MergeOrder, step: { from: string; to: string }): Promise<string | undefined> {
    for (const checkout of await this.#checkoutsOf(order)) {
      const obstacle = checkout instanceof Checkout ? await checkout.follow(step, order.around) : checkout;
      if (obstacle !== undefined) return obstacle;
    }
    return undefined;
  }

  /** Brings to disk a commit of the branch that was made before a crash, with the files of the checkouts that follow it. */
  async confirm(order: Pick<MergeOrder, "repository" | "target">, commit: string): Promise<void> {
    for (const checkout of await this.#checkoutsOf(order))
      if (checkout instanceof Checkout) await checkout.sync({ from: `${commit}^1`, to: commit });
    await this.#disk.objects(order.repository);
    await this.#disk.ref(order.repository, `refs/heads/${order.target}`, commit);
  }

  /** Writes files again that these merges brought into the checkouts of the branch and a power cut has emptied. */
  async restoreEmptied(order: Pick<MergeOrder, "repository" | "target">, merges: readonly string[]): Promise<string[]> {
    const steps = merges.map((merge) => ({ from: `${merge}^1`, to: merge }));
    const restored: string[] = [];
    for (const checkout of steps.length === 0 ? [] : await this.#checkoutsOf(order))
      if (checkout instanceof Checkout) restored.push(...(await checkout.restoreEmptied(steps)));
    return restored;
  }

  /** The paths that keep a commit from being merged now, because both have changed them. */
  async conflictsOf({ repository, target }: Pick<MergeOrder, "repository" | "target">, head: string) {
    const at = { gitDir: repository };
    const tip = await this.#git.resolve(at, `refs/heads/${target}^{commit}`);
    if (tip === undefined || (await this.#git.tooOldFor("merging")) !== undefined) return [];
    const made = await this.#combined(at, tip, head);
    return typeof made === "string" || !("conflicts" in made) ? [] : (made.conflicts ?? []);
  }

  /** What would keep a commit from being merged now, without merging it. */
  async blockersOf(order: Pick<MergeOrder, "repository" | "target">, head: string): Promise<MergeBlocker[]> {
    const at = { gitDir: order.repository };
    const tip = await this.#git.resolve(at, `refs/heads/${order.target}^{commit}`);
    if (tip === undefined || (await this.#git.tooOldFor("merging")) !== undefined) return [];
    const tree = await this.#combined(at, tip, head);
    if (typeof tree !== "string") return "conflicts" in tree ? [{ code: "conflict", paths: tree.conflicts ?? [] }] : [];
    const held: string[] = [];
    for (const checkout of await this.#checkoutsOf(order))
      if (checkout instanceof Checkout) held.push(...(await checkout.heldBy({ from: tip, to: tree })));
    return held.length === 0 ? [] : [{ code: "uncommitted", paths: held }];
  }

  /** The tree of a commit, or of what a merge of it into another one would give; undefined where they conflict. */
  async treeOf({ repository }: Pick<MergeOrder, "repository">, head: string, onto?: string) {
    const at = { gitDir: repository };
    const tree = onto === undefined ? this.#git.resolve(at, `${head}^{tree}`) : this.#combined(at, onto, head);
    const made = await tree;
    return typeof made === "string" ? made : undefined;
  }

  async #combined(at: GitPlace, tip: string, other: string): Promise<string | Merged> {
    const { isClean, tree, conflicts } = await this.#mergeTree(at, tip, other);
    return isClean
      ? tree
      : { obstacle: `it conflicts with the current branch in ${conflicts.slice(0, 5).join(", ")}`, conflicts };
  }

  async #mergeTree(at: GitPlace, tip: string, other: string) {
    const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", tip, other];
    const { code, out } = await this.#git.run(at, args, { allowed: [1] });
    const [tree = "", ...conflicts] = out.split("\0").filter((part) => part !== "");
    return { isClean: code === 0, tree, conflicts };
  }

  /** Checkouts that have the branch and are there; of one that cannot be used, why. */
  async #checkoutsOf({
    repository,
    target,
  }: Pick<MergeOrder, "repository" | "target">): Promise<(Checkout | string)[]> {
    const { out } = await this.#git.run({ gitDir: repository }, ["worktree", "list", "--porcelain", "-z"]);
    return out.split("\0\0").flatMap((record, at) => {
      const lines = record.split("\0");
      if (lines.includes("bare") || !lines.includes(`branch refs/heads/${target}`)) return [];
      // The first is the repository's own, which git knows by another name here; which are gone it cannot tell.
      const path = at === 0 ? firstCheckout(repository) : lines[0]?.slice("worktree ".length);
      return path === undefined || !isThere(path) ? [] : this.#checkoutIn(path, repository);
    });
  }

  #checkoutIn(root: string, repository: string): Checkout | string {
    const found = checkoutAt(root);
    if (typeof found === "string") return `the checkout in '${root}' cannot be used: ${found}`;
    if (found.repository !== repository) return `the checkout in '${root}' cannot be used`;
    const at = { gitDir: found.records, workTree: root };
    return new Checkout({ git: this.#git, disk: this.#disk, at, scratch: this.#scratch() });
  }
}

function firstCheckout(repository: string): string | undefined {
  return namedCheckout(repository) ?? (basename(repository) === ".git" ? dirname(repository) : undefined);
}
