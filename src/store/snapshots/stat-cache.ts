import { readFileSync, type Stats } from "node:fs";

/** A file that changed this shortly before it was read may change again within the same tick of the disk's clock. */
const UNSURE_MS = 100;

type Known = [changed: number, modified: number, size: number, inode: number, hash: string];

/** Hashes of files by what the disk says about them, so that what did not change is not read again. */
export class StatCache {
  #known = new Map<string, Known>();
  #seen = new Map<string, Known>();
  #isChanged = false;

  static load(path: string): StatCache {
    const cache = new StatCache();
    try {
      cache.#known = new Map(JSON.parse(readFileSync(path, "utf8")) as [string, Known][]);
    } catch {
      // A cache that is missing or damaged costs one reading of every file.
    }
    return cache;
  }

  hashOf(path: string, stats: Stats): string | undefined {
    const known = this.#sameAs(path, stats);
    if (known !== undefined) this.#seen.set(path, known);
    return known?.[4];
  }

  /** The same cache for a scan that keeps nothing, and so has nothing to note. */
  get passing(): Pick<StatCache, "hashOf" | "note"> {
    return { hashOf: (path, stats) => this.#sameAs(path, stats)?.[4], note: () => {} };
  }

  #sameAs(path: string, stats: Stats): Known | undefined {
    const known = this.#known.get(path);
    if (known === undefined) return undefined;
    const [changed, modified, size, inode] = known;
    const isSame =
      changed === stats.ctimeMs && modified === stats.mtimeMs && size === stats.size && inode === stats.ino;
    return isSame ? known : undefined;
  }

  /** `now` is when the file was read. */
  note(path: string, stats: Stats, { hash, now }: { hash: string; now: number }): void {
    if (Math.max(stats.ctimeMs, stats.mtimeMs) > now - UNSURE_MS) return;
    this.#seen.set(path, [stats.ctimeMs, stats.mtimeMs, stats.size, stats.ino, hash]);
    this.#isChanged = true;
  }

  /** What was not seen since the last turn is forgotten. Answers the text to be kept, undefined when it is the same. */
  turn(): string | undefined {
    const isSame = !this.#isChanged && this.#seen.size === this.#known.size;
    this.#known = this.#seen;
    this.#seen = new Map();
    this.#isChanged = false;
    return isSame ? undefined : JSON.stringify([...this.#known]);
  }

  keepOnly(isNeeded: (hash: string) => boolean): void {
    for (const [path, [, , , , hash]] of this.#known) {
      if (isNeeded(hash)) continue;
      this.#known.delete(path);
      this.#isChanged = true;
    }
  }
}
