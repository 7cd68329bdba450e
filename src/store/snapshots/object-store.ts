import { createHash } from "node:crypto";
import { closeSync, fsync, open, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { HallError } from "../../contract/errors.ts";
import { temporaryName } from "../files/draft-file.ts";
import { filesIn, foldersIn } from "../files/listing/folder-listing.ts";
import { makeTree } from "../files/make-folder.ts";
import { codeOf, removeQuietly } from "../files/regular-file.ts";
import type { Objects } from "./tree-objects.ts";

const HASH = /^[0-9a-f]{64}$/;
const HASH_OF_NOTHING = createHash("sha256").digest("hex");
const SYNCS_AT_ONCE = 8;
const openFile = promisify(open);
const syncFile = promisify(fsync);

/** Contents under the hash of their bytes: kept once, never changed, and checked whenever they are read. */
export class ObjectStore implements Objects {
  readonly #folder: string;
  readonly #made = new Set<string>();
  /** Written and not yet on disk for certain. */
  #unsynced: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(bytes: Uint8Array): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    const path = this.#pathOf(hash);
    // One that a power cut left empty or cut off is written again.
    if (sizeOf(path) === bytes.length) return hash;
    const folder = join(this.#folder, hash.slice(0, 2));
    if (!this.#made.has(folder)) makeTree(folder);
    this.#made.add(folder);
    const temporary = join(folder, temporaryName());
    const fd = openSync(temporary, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      renameSync(temporary, path);
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    } finally {
      closeSync(fd);
    }
    this.#unsynced.push(path);
    return hash;
  }

  putTree(bytes: Uint8Array): string {
    return this.put(bytes);
  }

  read(hash: string): Buffer {
    let bytes: Buffer | undefined;
    try {
      bytes = readFileSync(this.#pathOf(hash));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== hash)
      throw new HallError("storage_failed", "Content of a checkpoint is missing or damaged.", {
        hint: "Nothing was changed. The disk may have failed; choose another checkpoint.",
      });
    return bytes;
  }

  /** Says no of one that a power cut left empty; of other damage only `read` knows. */
  has(hash: string): boolean {
    const size = HASH.test(hash) ? sizeOf(this.#pathOf(hash)) : undefined;
    return size !== undefined && (size > 0 || hash === HASH_OF_NOTHING);
  }

  /** How many contents a power cut could still take. */
  get unsynced(): number {
    return this.#unsynced.length;
  }

  /** Resolves when everything that was put is on disk. */
  async sync(): Promise<void> {
    const paths = this.#unsynced;
    this.#unsynced = [];
    const work = async () => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncPath(path);
    };
    await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, work));
  }

  /** Removes what nobody needs any more, and what interrupted writes left behind. */
  sweep(isNeeded: (hash: string) => boolean): number {
    let removed = 0;
    for (const folder of foldersIn(this.#folder)) {
      for (const name of filesIn(join(this.#folder, folder))) {
        if (isNeeded(folder + name)) continue;
        removeQuietly(join(this.#folder, folder, name));
        removed++;
      }
    }
    return removed;
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2));
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

async function syncPath(path: string): Promise<void> {
  const fd = await openFile(path, "r");
  try {
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
}
