import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildFolder } from "../../bin/program.js";
import { type Client, connect } from "./client.ts";

const root = join(import.meta.dirname, "../..");
export const LAUNCHER = join(root, "bin/guildhall");
/** Named as an installed package names its only build: a launcher in a checkout reads the times of all sources first. */
const GUILDHALL_BUILD = buildFolder(root);

export interface Daemon {
  pid: number;
  url: string;
  /** From the start of the process to its first answer. */
  startMs: number;
  connect(connections?: number): Client;
  /** Asks it to stop, or kills it, and waits until it is gone. */
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const running = new Set<ChildProcess>();

/** The daemon as people run it: a process of its own, from the launcher. */
export async function startDaemon(workspace: string, environment: Record<string, string> = {}): Promise<Daemon> {
  const start = performance.now();
  const child = spawn(LAUNCHER, ["up", "--workspace", workspace, "--port", "0", "--no-open", "--no-build"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, GUILDHALL_BUILD, ...environment },
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const url = await announcedUrl(child);
  const token = readFileSync(join(workspace, ".guildhall/token"), "utf8").trim();
  const first = connect(url, token);
  await first.call("GET", "/api/health");
  const startMs = performance.now() - start;
  first.close();
  return {
    pid: child.pid as number,
    url,
    startMs,
    connect: (connections) => connect(url, token, connections),
    end: (signal = "SIGTERM") => end(child, signal),
  };
}

/** For a benchmark that breaks off: nothing it started is left running. */
export async function endDaemons(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, "SIGKILL")));
}

function announcedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = "";
    child.stderr?.on("data", (part) => {
      told += String(part);
    });
    child.once("exit", (code) => reject(new Error(`the daemon ended with ${code} before it was up: ${told}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const url = /^Guildhall is up at (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}
