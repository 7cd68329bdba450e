import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, type Stats, writeSync } from "node:fs";
import { HallError } from "../../contract/errors.ts";
import { codeOf, statOf } from "./regular-file.ts";

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

export interface CounterPlace {
  path: string;
  /** How the file is called in an error. */
  shown: string;
  /** Opens the file by a path that is sure to stay where it should. */
  reach: (open: (path: string) => number) => number;
}

/**
 * A number in a file of its own that only grows. It is written in place and not synced: a crash of the daemon keeps it,
 * a power cut may not, so whoever relies on it must also look at what it counted. People may raise it by hand.
 */
export class Counter {
  readonly #place: CounterPlace;
  #open: { fd: number; value: number; seen: string } | undefined;

  constructor(place: CounterPlace) {
    this.#place = place;
  }

  read(): number {
    const stats = statOf(this.#place.path);
    if (this.#open !== undefined && stats !== undefined && identityOf(stats) === this.#open.seen)
      return this.#open.value;
    this.close();
    const { reach, shown } = this.#place;
    const fd = reach((path) => openRegular(path, shown));
    const value = numberIn(readFileSync(fd, "utf8"));
    this.#open = { fd, value, seen: identityOf(fstatSync(fd)) };
    return value;
  }

  /** `last` is what was read a moment ago. */
  raiseTo(value: number, last = this.read()): void {
    if (value <= last || this.#open === undefined) return;
    const { fd } = this.#open;
    const text = `${value}\n`;
    writeSync(fd, text, 0);
    // What people wrote by hand may have been longer.
    if (fstatSync(fd).size > text.length) ftruncateSync(fd, text.length);
    this.#open = { fd, value, seen: identityOf(fstatSync(fd)) };
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.fd);
    this.#open = undefined;
  }
}

/** Only the first number counts: whatever stands after it is left over from an interrupted write. */
function numberIn(text: string): number {
  return Number(/^\s*(\d{1,12})(?:\s|$)/.exec(text)?.[1] ?? 0);
}

function openRegular(path: string, shown: string): number {
  const refused = () => new HallError("path_refused", `'${shown}' is not a regular file.`);
  try {
    const fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    throw refused();
  } catch (error) {
    throw ["ELOOP", "EISDIR", "ENXIO"].includes(codeOf(error) ?? "") ? refused() : error;
  }
}

function identityOf(stats: Stats): string {
  return `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}
