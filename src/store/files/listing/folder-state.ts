import { accessSync, constants, statSync } from "node:fs";

const { R_OK, W_OK, X_OK } = constants;

/** `closed`: it may not be read and written. */
export type FolderState = "none" | "file" | "closed" | "open";

export function folderState(absolute: string): FolderState {
  try {
    if (!statSync(absolute).isDirectory()) return "file";
  } catch {
    return "none";
  }
  try {
    accessSync(absolute, R_OK | W_OK | X_OK);
    return "open";
  } catch {
    return "closed";
  }
}
