import { randomUUID } from "node:crypto";
import { closeSync, constants, linkSync, open, readdirSync } from "node:fs";
import { codeOf, removeQuietly } from "./regular-file.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const MOST = 16;
const NAME = /^\.spare-[0-9a-f-]{36}$/;

/** An empty file of nobody's, open to be written at its end. Whoever has it gives it a name, or removes it. */
export interface SpareFile {
  fd: number;
  /** Absolute. */
  path: string;
}

/**
 * Files that are made before they are needed, off the thread: making one can take longer than all else that a change does, where
 * the disk is busy or many files were removed lately. There are as many as were missing so far.
 */
export class SpareFiles {
  readonly #folder: string;
  readonly #ready: SpareFile[] = [];
  #wanted = 0;
  #making = 0;
  #isClosed = false;

  /** `folder`: absolute. What an earlier process left there is removed. */
  constructor(folder: string) {
    this.#folder = folder;
    for (const name of readdirSync(folder)) if (NAME.test(name)) removeQuietly(`${folder}/${name}`);
  }

  /** Undefined when there is none for now. */
  take(): SpareFile | undefined {
    const spare = this.#ready.pop();
    if (spare === undefined) this.#wanted = Math.min(MOST, this.#wanted + 1);
    while (this.#ready.length + this.#making < this.#wanted && !this.#isClosed) this.#make();
    return spare;
  }

  /** Removes those that are left. */
  close(): void {
    this.#isClosed = true;
    for (const spare of this.#ready.splice(0)) removeSpare(spare);
  }

  #make(): void {
    this.#making++;
    const path = `${this.#folder}/.spare-${randomUUID()}`;
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600, (error, fd) => {
      this.#making--;
      if (error !== null) return;
      if (this.#isClosed) removeSpare({ fd, path });
      else this.#ready.push({ fd, path });
    });
  }
}

function removeSpare({ fd, path }: SpareFile): void {
  removeQuietly(path);
  closeSync(fd);
}

/** Gives a spare file a name that must be free; undefined where it can't have it, and is removed. Answers what it is open as. */
export function namedSpare(spare: SpareFile, path: string): number | undefined {
  try {
    linkSync(spare.path, path);
  } catch (error) {
    removeSpare(spare);
    // The name is taken, or on another disk.
    if (["EEXIST", "EXDEV"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
  removeQuietly(spare.path);
  return spare.fd;
}
