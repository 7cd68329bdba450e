/**
 * Loaded into a daemon before anything else (node --import): lets every project process write down what it is told, what
 * it says and how it exits, one JSON line each, into the file named by GUILDHALL_RECORD.
 */
import { appendFileSync } from "node:fs";
import { forkWith, isProject } from "./fork-with.ts";

export interface Recorded {
  pid: number;
  way: "in" | "out";
  message: { type: string; [field: string]: unknown };
}

const path = process.env.GUILDHALL_RECORD ?? "";
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
  forkWith(import.meta.filename, { GUILDHALL_RECORD: path });
}
