import { posix } from "node:path";
import { isWithin, realPlaceOf } from "../store/folders.ts";

/** What may stand right before a path that somebody wrote, and right after it. */
const BEFORE = /[\s"'`“„«‘(<[{=:,;]/;
const AFTER = /^\/?(?:$|[\s"'`”“»’)>\]},;]|[.:!?]+(?:$|[\s"'`”“»’)>\]}]))/;

/**
 * Why a folder is not one that the person has named; undefined when it is. A part of a path that they wrote is not, nor
 * one that would show agents everything that is theirs.
 */
export function unnamed(folder: string, { texts, home }: { texts: readonly string[]; home: string }) {
  const plain = folder.length > 1 ? folder.replace(/\/$/, "") : folder;
  if (!posix.isAbsolute(plain) || posix.normalize(plain) !== plain) return "it is not a plain absolute path";
  if (isWithin(realPlaceOf(home), realPlaceOf(plain))) return "it holds all that the person has";
  const spellings = [plain, ...(isWithin(plain, home) ? [`~${plain.slice(home.length)}`] : [])];
  return texts.some((text) => spellings.some((path) => isWritten(text, path)))
    ? undefined
    : "the person has not named it";
}

function isWritten(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const isFirst = at === 0 || BEFORE.test(text.charAt(at - 1));
    if (isFirst && AFTER.test(text.slice(at + path.length, at + path.length + 20))) return true;
  }
  return false;
}
