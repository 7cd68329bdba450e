/**
 * Loaded into a daemon before anything else (node --import): lets every project process write down what it is told, what
 * it says and how it exits, one JSON line each, into the file named by GUILDHALL_RECORD.
 */
import child_process, { type ForkOptions } from "node:child_process";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

export interface Recorded {
  pid: number;
  way: "in" | "out";
  message: { type: string; [field: string]: unknown };
}

const path = process.env.GUILDHALL_RECORD ?? "";
const isProject = /\/project\.[jt]s$/.test(process.argv[1] ?? "");
const record = (way: Recorded["way"], message: unknown) =>
  appendFileSync(path, `${JSON.stringify({ pid: process.pid, way, message })}\n`);

if (isProject) {
  process.on("message", (message) => record("in", message));
  process.on("exit", (code) => record("out", { type: "exit", code }));
  const send = process.send?.bind(process) as (...all: unknown[]) => boolean;
  process.send = ((message: unknown, ...rest: unknown[]) => {
    for (const one of Array.isArray(message) ? message : [message]) record("out", one);
    return send(message, ...rest);
  }) as NonNullable<typeof process.send>;
} else {
  const { fork } = child_process;
  child_process.fork = ((entry: string, args: string[], options: ForkOptions) =>
    fork(entry, args, {
      ...options,
      execArgv: [...(options.execArgv ?? []), "--import", import.meta.filename],
      env: { ...options.env, GUILDHALL_RECORD: path },
    })) as typeof fork;
  syncBuiltinESMExports();
}
