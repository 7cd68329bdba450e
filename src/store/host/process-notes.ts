import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const GONE_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 10;

/**
 * Which processes this daemon started, one file for each. A process that outlived its daemon (it was stopped, or too busy
 * to notice) must be gone before another one works on the same files.
 */
export class ProcessNotes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** `words` are part of the process's command line and tell it from any other that may have its number later. */
  add(pid: number, words: readonly string[]): void {
    writeFileSync(join(this.#folder, String(pid)), JSON.stringify(words), { mode: 0o600 });
  }

  remove(pid: number): void {
    rmSync(join(this.#folder, String(pid)), { force: true });
  }

  /** Ends what an earlier daemon left behind; resolves when it is gone. Answers how many there were. */
  async endLeftovers(): Promise<number> {
    const noted = readdirSync(this.#folder).filter((name) => /^\d+$/.test(name));
    const alive = noted.map(Number).filter((pid) => this.#isOurs(pid));
    for (const pid of alive) kill(pid);
    const deadline = performance.now() + GONE_WITHIN_MS;
    while (alive.some((pid) => this.#isOurs(pid)) && performance.now() < deadline) await delay(LOOK_EVERY_MS);
    for (const name of noted) this.remove(Number(name));
    return alive.length;
  }

  #isOurs(pid: number): boolean {
    try {
      const words = JSON.parse(readFileSync(join(this.#folder, String(pid)), "utf8")) as string[];
      const commandLine = commandLineOf(pid);
      return words.length > 0 && words.every((word) => commandLine.includes(word));
    } catch {
      return false;
    }
  }
}

/** Empty when there is no such process, or only its remains. */
function commandLineOf(pid: number): string {
  if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  return execFileSync("/bin/ps", ["-o", "command=", "-p", String(pid)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}
