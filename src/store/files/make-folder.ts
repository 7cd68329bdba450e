import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { codeOf, statOf } from "./regular-file.ts";

/** Makes one folder, readable by its owner only where things are private. That it is there already is fine; that something else is, is not. */
export function makeFolder(absolute: string, shown: string, modes: "private" | "kept" = "private"): void {
  try {
    mkdirSync(absolute, { mode: modes === "private" ? 0o700 : 0o755 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (statOf(absolute)?.isDirectory()) return;
    throw new HallError("path_refused", `'${shown}' is not a folder.`);
  }
}

/** Makes a folder and those above it. Node's own recursive way of doing so never returns where the system refuses, as below /proc. */
export function makeTree(absolute: string): void {
  if (!existsSync(dirname(absolute))) makeTree(dirname(absolute));
  makeFolder(absolute, absolute);
}
