import type { ControlFile } from "../../contract/control-file.ts";
import { checkoutAt, namedCheckout } from "../../store/git-checkout.ts";
import { controlReason } from "../control-standing.ts";
import { Checkout } from "./checkout.ts";
import type { Git, GitPlace } from "./git.ts";
import { messageOf, type Wording } from "./worktrees.ts";

/** Somebody else may move the branch while a merge is made. */
const MOST_TRIES = 8;

/** What came of it: the commit, or what kept it from being made. */
export type Merged =
  | { commit: string }
  /** `conflicts`: the paths that are in the way, where two have changed the same. `unapproved`: what needs an approval. */
  | { obstacle: string; conflicts?: string[]; unapproved?: ControlFile[] };

export type ControlCheck = (span: { repository: string; from: string; to: string }) => Promise<ControlFile[]>;

export interface MergeOrder {
  repository: string;
  target: string;
  wording: Wording;
}

interface Made {
  tree: string;
  /** Of the commit to be made. */
  parents: string[];
}

/** Puts results into the person's branch without a checkout of its own, and lets the person's checkout follow. */
export class Merging {
  readonly #git: Git;
  /** A path for a file that is needed for a moment. */
  readonly #scratch: () => string;

  constructor(git: Git, scratch: () => string) {
    this.#git = git;
    this.#scratch = scratch;
  }

  /** Merges a commit into the branch. Without an approval of the person, not if it changes control files. */
  merge(order: MergeOrder, head: string, approval: "approved" | ControlCheck): Promise<Merged> {
    const at = { gitDir: order.repository };
    return this.#advance(order, async (tip, tries) => {
      // A git that outlived a daemon may have been the one that moved the branch.
      const made = tries === 0 ? undefined : await this.mergeOf(order, head);
      if (made !== undefined) return { commit: made };
      const tree = await this.#combined(at, tip, head);
      if (typeof tree !== "string") return tree;
      // Asked of what really comes into the branch, which may be another by now than when the run ended.
      const span = { repository: order.repository, from: tip, to: tree };
      const unapproved = approval === "approved" ? [] : await approval(span);
      if (unapproved.length > 0) return { obstacle: controlReason(unapproved), unapproved };
      return { tree, parents: [tip, head] };
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
      if (tip === undefined) return { obstacle: `there is no branch '${order.target}' any more` };
      const made = await make(tip, tries);
      if (!("tree" in made)) return made;
      for (const root of await this.#checkoutsOf(order.repository, ref)) {
        const found = checkoutAt(root);
        if (typeof found === "string" || found.repository !== order.repository)
          return {
            obstacle: `the checkout in '${root}' cannot be used${typeof found === "string" ? `: ${found}` : ""}`,
          };
        const at = { gitDir: found.records, workTree: root };
        const checkout = new Checkout(this.#git, { at, scratch: this.#scratch() });
        const obstacle = await checkout.follow({ from: tip, to: made.tree });
        if (obstacle !== undefined) return { obstacle };
      }
      const parents = made.parents.flatMap((parent) => ["-p", parent]);
      const commit = await this.#git.text(at, ["commit-tree", made.tree, ...parents], {
        input: messageOf(order.wording),
      });
      const moved = await this.#git.run(at, ["update-ref", "-m", "guildhall: merge", ref, commit, tip], {
        allowed: [1, 128],
      });
      if (moved.code === 0) return { commit };
    }
    return { obstacle: `the branch '${order.target}' is moved by somebody else all the time` };
  }

  /** The paths that keep a commit from being merged now, because both have changed them. */
  async conflictsOf({ repository, target }: Pick<MergeOrder, "repository" | "target">, head: string) {
    const at = { gitDir: repository };
    const tip = await this.#git.resolve(at, `refs/heads/${target}^{commit}`);
    if (tip === undefined || (await this.#git.tooOldFor("merging")) !== undefined) return [];
    const made = await this.#combined(at, tip, head);
    return typeof made === "string" || !("conflicts" in made) ? [] : (made.conflicts ?? []);
  }

  async #combined(at: GitPlace, tip: string, other: string): Promise<string | Merged> {
    const { code, out } = await this.#git.run(
      at,
      ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", tip, other],
      { allowed: [1] },
    );
    const [tree = "", ...conflicts] = out.split("\0").filter((part) => part !== "");
    return code === 0
      ? tree
      : { obstacle: `it conflicts with what the branch has now: ${conflicts.slice(0, 5).join(", ")}`, conflicts };
  }

  /** Checkouts that have the branch and are there. */
  async #checkoutsOf(repository: string, ref: string): Promise<string[]> {
    const { out } = await this.#git.run({ gitDir: repository }, ["worktree", "list", "--porcelain", "-z"]);
    return out.split("\0\0").flatMap((record) => {
      const lines = record.split("\0");
      const isGone = lines.some((line) => line === "bare" || line.startsWith("prunable"));
      if (isGone || !lines.includes(`branch ${ref}`)) return [];
      const path = lines[0]?.slice("worktree ".length) ?? "";
      // So git names the checkout of a submodule.
      return path === repository ? (namedCheckout(repository) ?? path) : path;
    });
  }
}
