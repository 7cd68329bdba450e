import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, type Stats, writeSync } from "node:fs";
import { HallError } from "../contract/errors.ts";
import { codeOf, statOf } from "./regular-file.ts";

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/**
 * A number in a file of its own that only grows. It is written in place and not synced: a crash of the daemon keeps it,
 * a power cut may not, so whoever relies on it must also look at what it counted. People may raise it by hand.
 */
export class Counter {
  readonly #path: string;
  readonly #shown: string;
  #open: { fd: number; value: number; seen: string } | undefined;

  /** `shown` is how the file is called in an error. */
  constructor(path: string, shown: string) {
    this.#path = path;
    this.#shown = shown;
  }

  read(): number {
    const stats = statOf(this.#path);
    if (this.#open !== undefined && stats !== undefined && identityOf(stats) === this.#open.seen)
      return this.#open.value;
    this.close();
    const fd = openRegular(this.#path, this.#shown);
    const value = numberIn(readFileSync(fd, "utf8"));
    this.#open = { fd, value, seen: identityOf(fstatSync(fd)) };
    return value;
  }

  raiseTo(value: number): void {
    if (value <= this.read() || this.#open === undefined) return;
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
