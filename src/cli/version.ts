import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../program.ts";

export function readVersion(): string {
  const text = readFileSync(join(PROGRAM_FOLDER, "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
