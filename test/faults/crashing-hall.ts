import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { client, eventually, type Hall, temporaryFolder } from "../harness/daemon.ts";
import { environment } from "../harness/guildhall.ts";
import { untilNoProcess } from "../harness/processes.ts";
import { furnish } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";

const root = join(import.meta.dirname, "../..");

/** Where the steps of a run are seen. */
export const JOURNAL = "/runs/[^/]+/run-[^/]+\\.jsonl$";
export const BOOK = "/runs/index\\.jsonl$";
export const CHANGES = "/state/changes/[^/]+\\.jsonl$";
export const EVENTS = "/events/[^/]+\\.jsonl$";

/** One with these playbooks, ended after the test. */
export async function crashingHall(playbooks: Record<string, string>): Promise<CrashingHall> {
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  await furnish(await crashing.start(), playbooks);
  return crashing;
}

/** A hall whose daemon and project processes can be made to die at an exact step, and that is started again when it did. */
export class CrashingHall {
  readonly workspace: string;
  readonly #crashFile: string;
  #child: ChildProcess | undefined;
  #hall: Hall | undefined;

  readonly #entry: string | undefined;

  /** `entry`: a program that starts the daemon on the workspace that it is given; the launcher unless told. */
  constructor(folder: string, entry?: string) {
    this.#entry = entry;
    this.workspace = join(folder, "workspace");
    this.#crashFile = join(folder, "crash.json");
    mkdirSync(folder, { recursive: true });
  }

  get hall(): Hall {
    if (this.#hall === undefined) throw new Error("the daemon is not up");
    return this.#hall;
  }

  async start(): Promise<Hall> {
    const args = ["up", "--workspace", this.workspace, "--port", "0", "--no-open", "--no-build"];
    const loaded = `--import "${join(import.meta.dirname, "crash-point.ts")}"`;
    const env = { ...environment(), NODE_OPTIONS: loaded, GUILDHALL_CRASH_FILE: this.#crashFile };
    const program =
      this.#entry === undefined ? [join(root, "bin/guildhall"), ...args] : [process.execPath, this.#entry];
    const [command = "", ...words] = this.#entry === undefined ? program : [...program, this.workspace];
    const child = spawn(command, words, { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#hall = client({ url: await urlOf(child), workspace: this.workspace, stop: () => this.end("SIGTERM") });
    return this.#hall;
  }

  arm(point: CrashPoint): void {
    rmSync(`${this.#crashFile}.struck`, { force: true });
    writeFileSync(`${this.#crashFile}.new`, JSON.stringify(point));
    renameSync(`${this.#crashFile}.new`, this.#crashFile);
  }

  /** Resolves when the armed point was reached; a daemon that died of it is up again then, and left nobody behind. */
  async struck({ victim }: CrashPoint, withinMs = 20_000): Promise<void> {
    await eventually(
      () => existsSync(`${this.#crashFile}.struck`),
      (isStruck) => isStruck,
      withinMs,
    );
    if (victim !== "daemon") return;
    await eventually(
      () => this.#child?.signalCode,
      (signal) => signal === "SIGKILL",
    );
    // One that was only just being started hears of it when it is up.
    await untilNoProcess(this.workspace, 60_000);
    await this.start();
  }

  /** Kills the daemon at no step in particular, and starts it again when nothing of it is left. */
  async killAndStart(): Promise<Hall> {
    await this.end();
    await untilNoProcess(this.workspace, 60_000);
    return this.start();
  }

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill(signal);
    await gone;
  }
}

function urlOf(child: ChildProcess): Promise<string> {
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once("close", (code, signal) => reject(new Error(`the daemon ended with ${signal ?? code}: ${errors}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const url = /^Guildhall is up at (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
