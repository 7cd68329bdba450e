import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { Files } from "../../store/files/files.ts";
import { isThere } from "../../store/files/folders.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";

/** In the order in which they count where a folder has both. */
export const GUIDE_NAMES = ["AGENTS.md", "CLAUDE.md"];

export interface Guide {
  /** Relative to the working folder. */
  path: string;
  /** Absolute. */
  file: string;
  text: string;
  hash: string;
}

/**
 * What a code base tells its agents, the file nearest to the working folder first: up to the root of its repository, and
 * no further than the folder itself when it is in none, or no home is given. A repository that the whole home folder lies
 * in does not count: what people keep there is about themselves.
 */
export function guidesFor(workdir: string, home?: string): Guide[] {
  const folders = home === undefined ? [workdir] : foldersOf(workdir, home);
  return folders.flatMap((folder) =>
    guidesIn(folder).map(({ name, text }) => ({
      path: join(relative(workdir, folder), name),
      file: join(folder, name),
      text,
      hash: guideHash(text),
    })),
  );
}

export function guideHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function guidesIn(folder: string): { name: string; text: string }[] {
  const present = GUIDE_NAMES.filter((name) => isThere(join(folder, name)));
  if (present.length === 0) return [];
  const files = new Files(folder, "kept", "refused", "given");
  return present.map((name) => ({ name, text: textOf(files, name) })).filter(({ text }) => text.trim() !== "");
}

function foldersOf(workdir: string, home: string): string[] {
  const folders: string[] = [];
  for (let folder = workdir; folder !== home; folder = dirname(folder)) {
    folders.push(folder);
    if (isThere(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) break;
  }
  return [workdir];
}

/** One that is a link or no text is as good as none. */
function textOf(files: Files, path: string): string {
  try {
    return decodeText(files.readContained(path, ".")) ?? "";
  } catch {
    return "";
  }
}
