import { linkSync, unlinkSync } from "node:fs";
import { noteChange } from "./change-watch.ts";
import { codeOf } from "./regular-file.ts";

/** Gives a draft its name unless that is taken; answers whether it did. */
export function placedAsNew(temporary: string, target: string): boolean {
  if (!linkedTo(temporary, target)) return false;
  // A file with two names would not be read any more, so that it is taken back where its first name cannot go.
  removeOr(temporary, () => takeBack(target));
  return true;
}

function linkedTo(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes a file, with a second attempt; `otherwise` comes before what the second one throws. */
function removeOr(path: string, otherwise: () => void): void {
  try {
    unlinkSync(path);
  } catch {
    try {
      unlinkSync(path);
    } catch (error) {
      otherwise();
      throw error;
    }
  }
}

function takeBack(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    noteChange();
  }
}
