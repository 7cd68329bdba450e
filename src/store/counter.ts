import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync, writeSync } from "node:fs";

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/**
 * A number in a file of its own that only grows. It is written in place and not synced: a crash of the daemon keeps it,
 * a power cut may not, so whoever relies on it must also look at what it counted. People may raise it by hand.
 */
export class Counter {
  readonly #path: string;
  #open: { fd: number; value: number; seen: string } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  read(): number {
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    if (this.#open !== undefined && stats !== undefined && identityOf(stats) === this.#open.seen)
      return this.#open.value;
    this.close();
    const fd = openSync(this.#path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    const text = readFileSync(fd, "utf8").trim();
    const value = /^\d{1,12}$/.test(text) ? Number(text) : 0;
    this.#open = { fd, value, seen: identityOf(fstatSync(fd)) };
    return value;
  }

  raiseTo(value: number): void {
    if (value <= this.read() || this.#open === undefined) return;
    const { fd } = this.#open;
    writeSync(fd, `${value}\n`, 0);
    this.#open = { fd, value, seen: identityOf(fstatSync(fd)) };
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.fd);
    this.#open = undefined;
  }
}

function identityOf(stats: Stats): string {
  return `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}
