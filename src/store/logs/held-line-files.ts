import { closeSync, constants, fstatSync, ftruncateSync, openSync, readlinkSync } from "node:fs";
import { hasDescriptorPaths } from "../files/real-path.ts";
import { codeOf, writeAll } from "../files/regular-file.ts";
import { namedSpare, type SpareFile } from "../files/spare-files.ts";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
const APPENDED = O_WRONLY | O_APPEND | O_NOFOLLOW;
/** Long enough for what one request brings about, short enough that nothing of a file that was removed is kept. */
const HELD_MS = 250;
const MOST_HELD = 64;

/**
 * Appends to files of lines, and holds open for a moment those that are appended to more than once. A file that is held
 * counts only while it lies where it was opened: one that was moved, removed, replaced or put behind a link is opened again,
 * with every check. Where the system does not tell that, nothing is held.
 */
export class HeldLineFiles {
  readonly #held = new Map<string, number>();
  /** Appended to since the last time that all were let go of. */
  readonly #known = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  readonly #spare: () => SpareFile | undefined;

  /** `spare`: an empty file for one that is not there yet, if there is any. */
  constructor(spare: () => SpareFile | undefined = () => undefined) {
    this.#spare = spare;
  }

  /**
   * Writes bytes at the end of a file, or nothing; answers where they begin. `place`: its absolute path; `reach` has it
   * opened below a folder that was checked.
   */
  append(place: string, bytes: Buffer, reach: (open: (absolute: string) => number) => number): number {
    const fd = this.#at(place) ?? reach((absolute) => this.#open(absolute));
    let isHeld = false;
    try {
      isHeld = this.#hold(place, fd);
      return appendWhole(fd, bytes);
    } finally {
      if (!isHeld) closeSync(fd);
    }
  }

  /** Lets go of every file. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const fd of this.#held.values()) closeSync(fd);
    this.#held.clear();
    this.#known.clear();
  }

  #open(absolute: string): number {
    try {
      return openSync(absolute, APPENDED);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    const spare = this.#spare();
    return (spare && namedSpare(spare, absolute)) ?? openSync(absolute, APPENDED | O_CREAT, 0o600);
  }

  #at(place: string): number | undefined {
    const fd = this.#held.get(place);
    if (fd === undefined || placeOf(fd) === place) return fd;
    this.#held.delete(place);
    closeSync(fd);
    return undefined;
  }

  /** Not what is reached through a link, which may lead elsewhere the next time. */
  #hold(place: string, fd: number): boolean {
    if (this.#held.get(place) === fd) return true;
    if (!hasDescriptorPaths) return false;
    if (this.#held.size >= MOST_HELD) this.close();
    this.#timer ??= setTimeout(() => this.close(), HELD_MS).unref();
    const isKnown = this.#known.has(place);
    this.#known.add(place);
    if (!isKnown || placeOf(fd) !== place) return false;
    this.#held.set(place, fd);
    return true;
  }
}

/** Where the file lies now; another text when it was removed. */
function placeOf(fd: number): string {
  return readlinkSync(`/proc/self/fd/${fd}`);
}

function appendWhole(fd: number, bytes: Buffer): number {
  const { size } = fstatSync(fd);
  try {
    writeAll(fd, bytes);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
  return size;
}
