import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMAT } from "../../src/contract/format.ts";

/** They are chained by hash, or have a number for the whole file. */
const OTHERS = /^(?:events|state\/changes)\//;

/** Lines of durable files that do not say their format last, as `file:line`. */
export function linesWithoutFormat(workspace: string): string[] {
  return readdirSync(workspace, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl") && !path.startsWith(".guildhall/") && !OTHERS.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(workspace, path), "utf8").split("\n").slice(0, -1);
      return lines.flatMap((line, at) => (line.endsWith(`,"format":${FORMAT}}`) ? [] : [`${path}:${at + 1}`]));
    });
}
