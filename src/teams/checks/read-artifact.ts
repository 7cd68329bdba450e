import { posix } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";

/** What a member wrote, or why it can't be used. */
export type ArtifactRead = { ok: true; name: string; text: string } | { ok: false; reason: string };

const LARGEST_ARTIFACT = 1_000_000;

/**
 * Reads a document that a member names. Only regular files of its working folder: neither links nor files with other names
 * lead out of it.
 */
export function readArtifact(folder: string, given: string): ArtifactRead {
  const path = posix.normalize(given.replace(/^\.\//, ""));
  if (posix.isAbsolute(path) || path.split("/").some((part) => part === ".." || part.toLowerCase() === ".git"))
    return refused(`'${given}' is outside the working folder`);
  try {
    const file = new FolderReader(folder, "refused").openContained(path, ".");
    try {
      if (file.size > LARGEST_ARTIFACT) return refused(`'${given}' is larger than 1 MB`);
      return textIn(posix.basename(path), file.all());
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof HallError) return refused(error.message.replace(/\.$/, ""));
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return refused(`there is no file '${given}'`);
    throw error;
  }
}

/** What a member sent as text. */
export function sentArtifact(name: string, content: string): ArtifactRead {
  return content.trim() === "" ? refused(`'${name}' is empty`) : { ok: true, name, text: content };
}

function textIn(name: string, bytes: Buffer): ArtifactRead {
  const text = bytes.toString("utf8");
  if (text.includes("\0") || text.includes("\ufffd")) return refused(`'${name}' is not UTF-8 text`);
  return sentArtifact(name, text);
}

function refused(reason: string): ArtifactRead {
  return { ok: false, reason };
}
