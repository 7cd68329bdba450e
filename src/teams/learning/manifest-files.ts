import { HallError } from "../../contract/errors.ts";
import { errorText } from "../../contract/words/error-text.ts";
import type { ProjectFiles } from "../../quality/trees/project-files.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { ManifestFiles } from "./project-kinds.ts";

/** Larger manifests are written by programs, or to harm. */
const LARGEST = 512 * 1024;
const TOO_LARGE = `it is larger than ${LARGEST / 1024} KB`;
const A_LINK = "it is a link, and links are not followed";
const MOST_FOLDERS = 100;
const MOST_ENTRIES = 2_000;

/** Of a revision of the project's repository. */
export function manifestsOf({ paths, read }: ProjectFiles): ManifestFiles {
  return {
    paths,
    read: async (path) => {
      const content = await read(path, LARGEST);
      if (content === "link") return { reason: A_LINK };
      if (content === "too-large") return { reason: TOO_LARGE };
      return content === undefined ? { reason: "it is gone" } : textIn(content);
    },
  };
}

/** Of a folder without a repository: its own manifests, and those of the folders in it. `folder`: a real path. */
export function manifestsIn(folder: string): ManifestFiles {
  const reader = new FolderReader(folder, "refused", "given");
  return {
    paths: [...pathsIn(reader)],
    read: async (path) => {
      try {
        return readIn(reader, path);
      } catch (error) {
        return { reason: errorText(error) };
      }
    },
  };
}

function* pathsIn(reader: FolderReader): Generator<string> {
  const folders: string[] = [];
  for (const { name, kind } of someOf(reader, ".")) {
    if (kind === "file" || kind === "link") yield name;
    else if (kind === "folder" && !name.startsWith(".")) folders.push(name);
  }
  for (const folder of folders.sort().slice(0, MOST_FOLDERS))
    for (const { name, kind } of someOf(reader, folder))
      if (kind === "file" || kind === "link") yield `${folder}/${name}`;
}

/** A folder that can't be read has nothing to say. */
function* someOf(reader: FolderReader, folder: string) {
  let seen = 0;
  try {
    for (const entry of reader.entries(folder)) {
      if (++seen > MOST_ENTRIES) return;
      yield entry;
    }
  } catch (error) {
    if (!(error instanceof HallError) && !(error instanceof Error && "code" in error)) throw error;
  }
}

function readIn(reader: FolderReader, path: string): Awaited<ReturnType<ManifestFiles["read"]>> {
  const standing = reader.standing(path);
  if (standing?.kind === "link") return { reason: A_LINK };
  if (standing?.kind !== "file") return { reason: "it is not a file" };
  if (standing.size > LARGEST) return { reason: TOO_LARGE };
  const file = reader.openContained(path, ".");
  try {
    return file.size > LARGEST ? { reason: TOO_LARGE } : textIn(file.all());
  } finally {
    file.close();
  }
}

function textIn(content: Buffer): { text: string } | { reason: string } {
  const text = decodeText(content);
  return text === undefined ? { reason: "it is not UTF-8 text" } : { text };
}
