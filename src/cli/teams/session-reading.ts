import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { HallError } from "../../contract/errors.ts";

/** Parts of a session folder that count; those in folders are read with all below them. */
const FILES = ["team.json", "spec.md", "plan.json"];
const FOLDERS = ["role-specs", "roles", "artifacts", "wisdom"];
const LARGEST = 1_000_000;
const DEEPEST = 6;

interface SessionParts {
  /** Texts by path. */
  files: Record<string, string>;
  /** What is there and can't be sent. */
  unreadable?: { path: string; reason: string }[];
}

/** A session folder as it is sent. What is missing is left out: the daemon says what it needs. Links are not followed. */
export function readSessionFolder(folder: string): SessionParts {
  try {
    return partsIn(folder);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new HallError("usage", `Can't read the folder${reason}.`, {
      file: folder,
      hint: "Pass the folder of a session.",
    });
  }
}

function partsIn(folder: string): SessionParts {
  // Of an empty folder, too, it is seen whether it can be read.
  readdirSync(folder);
  const files: Record<string, string> = {};
  const unreadable: { path: string; reason: string }[] = [];
  const paths = [...FILES, ...FOLDERS.map((name) => `${name}/`)];
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const full = join(folder, path.replace(/\/$/, ""));
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found === undefined) continue;
    const isFolder = found.isDirectory() && (path.endsWith("/") || path.includes("/"));
    const reason = isFolder ? folderReason(path) : fileReason(found, { isFolder: path.endsWith("/") });
    if (reason !== undefined) unreadable.push({ path, reason });
    else if (isFolder) paths.push(...readdirSync(full).map((name) => `${path.replace(/\/?$/, "/")}${name}`));
    else {
      const bytes = readFileSync(full);
      if (isUtf8(bytes)) files[path] = bytes.toString("utf8");
      else unreadable.push({ path, reason: "is not UTF-8 text" });
    }
  }
  return { files, ...(unreadable.length === 0 ? {} : { unreadable }) };
}

function folderReason(path: string): string | undefined {
  return path.split("/").length > DEEPEST ? "is too deep in folders" : undefined;
}

function fileReason(found: Stats, { isFolder }: { isFolder: boolean }): string | undefined {
  if (found.isSymbolicLink()) return "is a link, which is not followed";
  if (isFolder) return "is not a folder";
  if (!found.isFile()) return "is not a regular file";
  return found.size > LARGEST ? "has more than 1 MB" : undefined;
}
