import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/** A private folder for files that are needed for a moment. Nothing in it is made durable. */
export class ScratchFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  at(name: string): string {
    return join(this.path, name);
  }

  folder(name: string): string {
    mkdirSync(this.at(name), { recursive: true, mode: 0o700 });
    return this.at(name);
  }

  write(name: string, content: string | Uint8Array): string {
    const fd = openSync(this.at(name), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(fd, content);
    } finally {
      closeSync(fd);
    }
    return this.at(name);
  }

  /** Links to what an absolute path leads to, at the time of each use. */
  link(name: string, to: string): void {
    symlinkSync(to, this.at(name));
  }

  /** Undefined when it holds more bytes than asked for. */
  read(name: string, most: number): Buffer | undefined {
    return statSync(this.at(name)).size > most ? undefined : readFileSync(this.at(name));
  }

  discard(names: readonly string[]): void {
    for (const name of names) rmSync(this.at(name), { force: true });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
