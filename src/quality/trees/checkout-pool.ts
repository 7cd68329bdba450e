import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { makeFolder, removeFolder, removeLargeFolder } from "../../store/files/folders.ts";
import { removeQuietly } from "../../store/files/regular-file.ts";
import {
  areUntouched,
  countsOf,
  holdsOthers,
  othersIn,
  type PathStamps,
  stampsOfPaths,
} from "../../store/snapshots/path-stamps.ts";
import type { Listing, TreeEntry } from "./tree-entry.ts";

/** How files of a tree come into a folder. */
export interface CheckoutPorts {
  list(tree: string): Promise<Listing>;
  /** Writes files of a tree into a folder of the pool; all of them unless they are named. */
  write(tree: string, name: string, files?: Listing): Promise<void>;
  /** Paths whose content in the folder is not the tree's. */
  differing(tree: string, folder: string): Promise<string[]>;
}

interface Kept {
  name: string;
  tree: string;
  listing: Listing;
  stamps: PathStamps;
  /** Whether its files were found to be the tree's, and nothing was run in it since. */
  isClean: boolean;
}

/** A folder with the files of one tree. */
export interface Checkout {
  folder: string;
  /** Does something in the folder, and tells which paths of the tree have another content now. */
  during<Result>(work: () => Promise<Result>): Promise<{ result: Result; changed: string[] }>;
}

const MOST_IDLE = 2;
const IDLE_MS = 10 * 60_000;
/** By this file git decides how it writes all others. */
export const ATTRIBUTES = /(?:^|\/)\.gitattributes$/;

/**
 * Folders with the files of trees. Writing all files of a repository takes longer than most checks, so a folder is used again
 * for the next tree when nothing in it was touched: what commands left beside its files is removed, and only the files that
 * differ are written.
 */
export class CheckoutPool {
  readonly #root: string;
  readonly #ports: CheckoutPorts;
  readonly #counts = new WeakMap<Listing, ReadonlyMap<string, number>>();
  #idle: Kept[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(root: string, ports: CheckoutPorts) {
    makeFolder(root);
    this.#root = root;
    this.#ports = ports;
  }

  async use<Result>(tree: string, work: (checkout: Checkout) => Promise<Result>): Promise<Result> {
    const kept = await this.#take(tree);
    kept.isClean = false;
    const folder = join(this.#root, kept.name);
    const during: Checkout["during"] = async (act) => {
      kept.isClean = false;
      const result = await act();
      kept.isClean = await areUntouched(folder, kept.stamps);
      return { result, changed: kept.isClean ? [] : await this.#ports.differing(tree, folder) };
    };
    try {
      return await work({ folder, during });
    } finally {
      await this.#putBack(kept);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#discardIdle();
  }

  async #take(tree: string): Promise<Kept> {
    const listing = await this.#ports.list(tree);
    const same = this.#idle.find((kept) => kept.tree === tree) ?? this.#idle.at(-1);
    this.#idle = this.#idle.filter((kept) => kept !== same);
    if (same !== undefined) {
      if (await this.#switch(same, { tree, listing })) return same;
      await removeLargeFolder(join(this.#root, same.name));
    }
    const name = randomUUID();
    const folder = join(this.#root, name);
    makeFolder(folder);
    try {
      await this.#ports.write(tree, name);
    } catch (error) {
      await removeLargeFolder(folder);
      throw error;
    }
    return { name, tree, listing, stamps: await stampsOfPaths(folder, readable(listing)), isClean: false };
  }

  /** Makes a folder one of another tree. False where it has to be written anew. */
  async #switch(kept: Kept, { tree, listing }: { tree: string; listing: Listing }): Promise<boolean> {
    if (kept.tree === tree) return true;
    const folder = join(this.#root, kept.name);
    const gone = [...kept.listing.keys()].filter((path) => !isSame(kept.listing.get(path), listing.get(path)));
    const added = new Map([...listing].filter(([path, entry]) => !isSame(entry, kept.listing.get(path))));
    if ([...gone, ...added.keys()].some((path) => ATTRIBUTES.test(path) || !path.isWellFormed())) return false;
    if (added.size > listing.size / 2) return false;
    for (const path of gone) removeQuietly(join(folder, path));
    try {
      // Folders that have no file left.
      if (gone.some((path) => !listing.has(path))) await this.#removeOthers(folder, listing);
      if (added.size > 0) await this.#ports.write(tree, kept.name, added);
    } catch {
      return false;
    }
    for (const path of gone) kept.stamps.delete(path);
    for (const [path, stamp] of await stampsOfPaths(folder, readable(added))) kept.stamps.set(path, stamp);
    kept.tree = tree;
    kept.listing = listing;
    return true;
  }

  /** Kept for the next tree, if nobody touched its files. */
  async #putBack(kept: Kept): Promise<void> {
    const folder = join(this.#root, kept.name);
    const isText = readable(kept.listing).length === kept.listing.size;
    const isKept = isText && !this.#isClosed && (kept.isClean || (await areUntouched(folder, kept.stamps)));
    const isClean = isKept && (await this.#hasOnly(folder, kept.listing).catch(() => false));
    if (!isClean || this.#idle.length >= MOST_IDLE) return removeLargeFolder(folder);
    this.#idle.push(kept);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#discardIdle(), IDLE_MS).unref();
  }

  /** Of a folder that has all files of a tree: false where what else it has can't be removed. */
  async #hasOnly(folder: string, listing: Listing): Promise<boolean> {
    return !holdsOthers(folder, this.#countsOf(listing)) || this.#removeOthers(folder, listing);
  }

  #countsOf(listing: Listing): ReadonlyMap<string, number> {
    const counts = this.#counts.get(listing) ?? countsOf(listing.keys());
    this.#counts.set(listing, counts);
    return counts;
  }

  /** False where something has a name that is no text: it can't be told whether it is gone. */
  async #removeOthers(folder: string, listing: Listing): Promise<boolean> {
    const others = othersIn(folder, new Set(listing.keys()));
    if (others.some((path) => path.includes("\ufffd"))) return false;
    for (const path of others) await removeFolder(join(folder, path));
    return true;
  }

  async #discardIdle(): Promise<void> {
    for (const { name } of this.#idle.splice(0)) await removeLargeFolder(join(this.#root, name));
  }
}

function isSame(left: TreeEntry | undefined, right: TreeEntry | undefined): boolean {
  return left?.mode === right?.mode && left?.object === right?.object;
}

/** Paths that this process can look at; a submodule is an empty folder. */
function readable(listing: Listing): string[] {
  return [...listing].filter(([path, { mode }]) => path.isWellFormed() && mode !== "160000").map(([path]) => path);
}
