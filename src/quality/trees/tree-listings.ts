import type { Git, GitPlace } from "../../runs/git/git.ts";
import { type Comparison, comparisonIn } from "./tree-changes.ts";
import type { Listing, TreeEntry } from "./tree-entry.ts";
import { pathOfBytes } from "./tree-paths.ts";
import type { TreeChange } from "./tree-source.ts";

/** In the form that whoever reads it expects, whatever the repository or the person has set. */
export const PLAIN = [
  ...["--no-ext-diff", "--no-textconv", "--no-color"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--find-renames"],
];
/** Whoever judges a change asks for the same two or three trees. */
const MOST_KEPT = 6;
const MOST_KEPT_CHANGES = 10_000;

/** What trees hold and how they differ, kept by their hashes: every stage asks for the same. */
export class TreeListings {
  readonly #git: Git;
  readonly #at: GitPlace;
  readonly #listings = new Map<string, Promise<Listing>>();
  readonly #comparisons = new Map<string, Comparison & { from: string; to: string }>();

  constructor(git: Git, at: GitPlace) {
    this.#git = git;
    this.#at = at;
  }

  of(tree: string): Promise<Listing> {
    const known = this.#listings.get(tree);
    if (known !== undefined) return known;
    const listing = this.#derived(tree) ?? this.#list(tree);
    // A name may lead to another tree later, and a failure need not last.
    if (isHash(tree)) {
      keep(this.#listings, tree, listing);
      listing.catch(() => this.#listings.delete(tree));
    }
    return listing;
  }

  async changes(from: string, to: string): Promise<TreeChange[]> {
    const key = `${from} ${to}`;
    const known = this.#comparisons.get(key);
    if (known !== undefined) return [...known.changes];
    const args = ["diff", ...PLAIN, "--raw", "--numstat", "--no-abbrev", "-z", from, to];
    const compared = comparisonIn(await this.#git.list(this.#at, args, { bytes: true }));
    if (isHash(from) && isHash(to) && compared.changes.length <= MOST_KEPT_CHANGES)
      keep(this.#comparisons, key, { ...compared, from, to });
    return [...compared.changes];
  }

  /** From a listing that is known, by what is known to differ: reading a large tree takes longer. */
  #derived(tree: string): Promise<Listing> | undefined {
    for (const { from, to, placed } of this.#comparisons.values()) {
      const base = to === tree ? this.#listings.get(from) : undefined;
      if (base === undefined) continue;
      return base.then((listing) => {
        const next = new Map(listing);
        for (const { path, entry } of placed) {
          if (entry === undefined) next.delete(path);
          else next.set(path, entry);
        }
        const isLonger = placed.some(({ path }) => !listing.has(path));
        return isLonger ? new Map([...next].sort(([left], [right]) => (left < right ? -1 : 1))) : next;
      });
    }
    return undefined;
  }

  async #list(tree: string): Promise<Listing> {
    const lines = await this.#git.list(this.#at, ["ls-tree", "-r", "-z", "--full-tree", tree], { bytes: true });
    return new Map(
      lines.map((line): [string, TreeEntry] => {
        const tab = line.indexOf("\t");
        const [mode = "", , object = ""] = line.slice(0, tab).split(" ");
        return [pathOfBytes(line.slice(tab + 1)), { mode, object }];
      }),
    );
  }
}

export function isHash(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}

function keep<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
}
