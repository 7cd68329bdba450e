import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");

/** Adds numbered lines to a fact as an agent of the project does, as fast as it can, and tells of each that was taken. */
const APPEND = `
  import { Files } from "${SOURCE}/store/files/files.ts";
  import { memoryTools } from "${SOURCE}/agent/tools/memory-tools.ts";
  const [root, path, prefix] = process.argv.slice(1);
  const files = new Files(root, "private", "refused");
  const tools = memoryTools({ files, clock: () => new Date(), redact: (text) => text });
  const append = tools.find(({ spec }) => spec.name === "memory_append");
  const signal = new AbortController().signal;
  for (let at = 0; ; at++) {
    const text = prefix + at + ".";
    const { failed } = await append.run(JSON.stringify({ path, text }), { callId: "c", signal });
    if (failed !== true) process.stdout.write(text + "\\n");
  }`;

export interface Appending {
  /** Ends it; answers every line that the tool said was added. */
  stop(): Promise<string[]>;
  /** How many were added so far. */
  count(): number;
}

/** Another process that adds to a memory. `prefix` tells its lines from those of others. */
export function appendTo(root: string, path: string, prefix: string): Appending {
  const child = spawn(process.execPath, ["--input-type=module", "-e", APPEND, root, path, prefix], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let told = "";
  child.stdout.on("data", (chunk) => {
    told += String(chunk);
  });
  const lines = () => told.split("\n").slice(0, -1);
  return {
    count: () => lines().length,
    stop: async () => {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
      return lines();
    },
  };
}
