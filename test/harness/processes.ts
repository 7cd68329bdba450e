import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "./daemon.ts";

/** The project processes of a workspace that are alive, whoever their parent is. */
export function projectProcesses(workspace: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const words = commandLine(pid);
      return (
        words.some((word) => /\/project\.(?:cjs|ts)$/.test(word)) &&
        words.some((word) => word.startsWith(`${workspace}/`))
      );
    })
    .map(Number);
}

/** One of them. Throws when there is none: a signal to process 0 would reach the tests themselves. */
export function projectProcess(workspace: string): number {
  const [pid] = projectProcesses(workspace);
  if (pid === undefined) throw new Error(`no project of ${workspace} has a process`);
  return pid;
}

/** Resolves when none of them is left. */
export async function untilNoProcess(workspace: string, withinMs?: number): Promise<void> {
  await eventually(
    () => projectProcesses(workspace),
    ({ length }) => length === 0,
    withinMs,
  );
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Processes with this text among the words they were started with, in whatever namespace they live. */
export function processesNaming(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandLine(pid).some((word) => word.includes(text)))
    .map(Number);
}

let sleeps = 0;

/** A time to sleep that nobody else sleeps, so that the sleeper is found. */
export function uniqueSleep(): string {
  return `7${process.pid}${++sleeps}`;
}

/** Resolves when somebody sleeps that long. */
export async function untilFound(sleep: string): Promise<void> {
  await eventually(
    () => processesNaming(sleep),
    ({ length }) => length > 0,
  );
}

/** Resolves when nobody sleeps that long any more. */
export async function untilGone(sleep: string): Promise<void> {
  await eventually(
    () => processesNaming(sleep),
    ({ length }) => length === 0,
  );
}
