import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";

const END_MS = 10_000;

export interface SystemFault {
  call: string;
  error: string;
  /** The first call of a thread that fails, counted from the moment at which it is armed, and each so many after that. */
  first: number;
  every: number;
}

export function whyNoStrace(): string | undefined {
  try {
    execFileSync("strace", ["-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=99", "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "it needs strace, and the right to trace processes";
  }
}

/** Lets system calls of a process, and of those that it starts, fail. Resolves when that is armed, with what ends it. */
export async function inject(pid: number, { call, error, first, every }: SystemFault): Promise<() => Promise<number>> {
  const output = join(temporaryFolder(), "trace");
  const how = ["-f", "-p", String(pid), "-o", output, "-e", `trace=${call}`, "-e", "signal=none"];
  const fault = `inject=${call}:error=${error}:when=${first}+${every}`;
  const child = spawn("strace", [...how, "-e", fault], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => end(child));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`strace ended with ${code}`)));
    createInterface({ input: child.stderr }).once("line", () => resolve());
  });
  return async () => {
    await end(child);
    return readFileSync(output, "utf8").split("(INJECTED)").length - 1;
  };
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    // It may wait for ever for a process that died meanwhile.
    const insist = setTimeout(() => child.kill("SIGKILL"), END_MS);
    child.once("exit", () => {
      clearTimeout(insist);
      resolve();
    });
    child.kill("SIGINT");
  });
}

/** The processes that a process has started, and those that these have. */
export function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const named = threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "));
  const own = named.filter((name) => name.trim() !== "").map(Number);
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}
