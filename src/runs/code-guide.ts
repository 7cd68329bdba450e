import { dirname, join, relative } from "node:path";
import { Files } from "../store/files.ts";
import { isThere } from "../store/folders.ts";
import { decodeText } from "../store/frontmatter.ts";

/** In the order in which they count where a folder has both. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];

export interface Guide {
  path: string;
  text: string;
}

/**
 * What a code base tells its agents, in the file nearest to the working folder: up to the root of its repository, and no
 * further than the folder itself when it is in none. A repository that the whole home folder lies in does not count: what
 * people keep there is about themselves.
 */
export function findGuide(workdir: string, home: string): Guide | undefined {
  for (const folder of foldersOf(workdir, home)) {
    const guide = guideIn(folder);
    if (guide !== undefined) return { path: join(relative(workdir, folder), guide.path), text: guide.text };
  }
  return undefined;
}

/** The guide of one folder alone, which is a real path. */
export function guideIn(folder: string): Guide | undefined {
  const present = NAMES.filter((name) => isThere(join(folder, name)));
  if (present.length === 0) return undefined;
  const files = new Files(folder, "kept", "refused", "given");
  return present.map((path) => ({ path, text: textOf(files, path) })).find(({ text }) => text.trim() !== "");
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
