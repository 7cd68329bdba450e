import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import type { Files } from "../files/files.ts";
import { decodeContent, type LoggedChange, type LoggedWrite } from "./change.ts";
import { type ReadSegment, readSegment, type Segment, segmentPaths } from "./change-segment.ts";
import { contentHash } from "./content-hash.ts";
import { type LoggedLine, replayLines } from "./replayed-lines.ts";
import { isTorn } from "./torn-content.ts";
import { movedPath, touch } from "./touched-paths.ts";

/** A file that was written right before a change was logged may seem to be later by so much. */
const CLOCK_MS = 2;

interface Replayed {
  /** The segments that were there, with the paths that have to be synced before they may go. */
  segments: Pick<Segment, "number" | "path" | "touched">[];
  /** The number of the newest change. */
  newest: number;
}

/** What a document was, from before the first change that the log tells of to the last. Undefined: no file. */
interface Chain {
  /** Hash of what was there before; null: no file; undefined: nobody knows. */
  base: string | null | undefined;
  versions: (Buffer | undefined)[];
  /** When the last of them was logged. */
  at: number;
  /** The folder that the path must not lead out of; the workspace when it is not given. */
  within: string | undefined;
}

/** Where everything has to be after the changes of the log. */
interface Target {
  documents: Map<string, Chain>;
  lines: Map<string, LoggedLine[]>;
  moves: { path: string; to: string }[];
  trees: { path: string; folders: readonly string[] }[];
  /** When the newest change was logged. */
  at: number;
}

/**
 * Brings the files up to what the log tells: a crash may have come before them, and a power cut may have taken what was not
 * synced. What a person changed since stands: a file that is none of the versions that the log knows, or was written after
 * the last of them, is left alone. Doing it again changes nothing.
 */
export function replayChanges(files: Files): Replayed {
  const segments = segmentPaths(files).map((path) => readSegment(files, path));
  const changes = segments.flatMap((segment) => segment.changes);
  const target = targetOf(changes);
  removeDrafts(files, target);
  for (const { path, to } of target.moves) {
    if (!files.exists(path) || files.exists(to)) continue;
    files.makeFolder(dirname(to));
    files.rename(path, to);
  }
  for (const [path, chain] of target.documents) replayDocument(files, path, chain);
  for (const { path, folders } of target.trees)
    if (files.exists(path)) for (const folder of folders) files.makeFolder(`${path}/${folder}`);
  for (const [path, lines] of target.lines) replayLines(files, path, lines);
  return { segments: segments.map(touchedIn), newest: Math.max(0, ...changes.map(({ number }) => number)) };
}

/** A new document may have the name of its draft beside its own; with two names, no file is read. */
function removeDrafts(files: Files, { documents }: Target): void {
  const before = Date.now();
  for (const folder of new Set([...documents.keys()].map((path) => dirname(path))))
    if (files.stat(folder)?.isDirectory()) for (const _ of files.sweep(folder, "here", { before }));
}

function targetOf(changes: readonly LoggedChange[]): Target {
  const target: Target = { documents: new Map(), lines: new Map(), moves: [], trees: [], at: 0 };
  for (const { at, writes } of changes) {
    target.at = at;
    for (const write of writes) add(target, write);
  }
  return target;
}

function add(target: Target, write: LoggedWrite): void {
  switch (write.kind) {
    case "put": {
      const content = decodeContent(write.content);
      version(target, write.path, { content, base: write.base, within: write.within });
      if (write.to === undefined) return;
      version(target, write.path, { content: undefined, base: write.base });
      version(target, write.to, { content, base: null });
      return;
    }
    case "tree":
      target.trees.push({ path: write.path, folders: write.folders });
      for (const [name, content] of Object.entries(write.files))
        version(target, `${write.path}/${name}`, { content: Buffer.from(content, "utf8"), base: null });
      return;
    case "found": {
      const content = write.content === null ? undefined : decodeContent(write.content);
      version(target, write.path, { content, base: write.base });
      return;
    }
    case "append":
      target.lines.set(write.path, [...(target.lines.get(write.path) ?? []), { at: write.at, line: write.line }]);
      return;
    case "move":
      move(target, write);
  }
}

function version(
  { documents, at }: Target,
  path: string,
  {
    content,
    base,
    within,
  }: { content: Buffer | undefined; base: string | null | undefined; within?: string | undefined },
): void {
  const chain = documents.get(path) ?? { base, versions: [], at, within };
  documents.set(path, { ...chain, versions: [...chain.versions, content], at });
}

/** What was told of the file, or of files in the folder, is told of them where they are now. */
function move(target: Target, moved: { path: string; to: string }): void {
  target.moves.push(moved);
  const isBelow = (path: string) => path === moved.path || path.startsWith(`${moved.path}/`);
  for (const map of [target.documents, target.lines] as Map<string, never>[]) {
    for (const [path, value] of [...map].filter(([found]) => isBelow(found))) {
      map.delete(path);
      map.set(movedPath(path, moved), value);
    }
  }
  for (const tree of target.trees) if (tree.path === moved.path) tree.path = moved.to;
}

function replayDocument(files: Files, path: string, chain: Chain): void {
  const stamp = files.stamp(path);
  const found = contentOf(files, path);
  if (found === "unreadable") return;
  const last = chain.versions.at(-1);
  if (found === undefined ? last === undefined : last?.equals(found)) return;
  // A person may have gone back to an earlier version, or emptied the file, since the change.
  if (stamp !== undefined && stamp.mtime > chain.at + CLOCK_MS) return;
  if (!isEarlier(found, chain) && !isLost(found, chain)) return;
  if (last === undefined) files.discard(path);
  else {
    bringBack(files, path, { content: last, within: chain.within });
  }
}

/** A folder that leads elsewhere since is a person's or an agent's doing, and nothing is written through it. */
function bringBack(files: Files, path: string, { content, within }: { content: Buffer; within: string | undefined }) {
  try {
    files.makeFolder(dirname(path), within);
    files.replaceGenerated(path, content, within);
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
  }
}

/** Whether a file is what it was before one of the changes. */
function isEarlier(found: Buffer | undefined, { base, versions }: Chain): boolean {
  if (found === undefined) return base === null || versions.includes(undefined);
  return base === contentHash(found) || versions.some((one) => one?.equals(found));
}

/** Whether a file is what a power cut makes of one whose content was not synced. */
function isLost(found: Buffer | undefined, { versions }: Chain): boolean {
  return found !== undefined && versions.some((one) => one !== undefined && isTorn(found, one));
}

/** Links, folders and what nobody may read are a person's doing and stay. */
function contentOf(files: Files, path: string): Buffer | undefined | "unreadable" {
  try {
    return files.exists(path) ? files.read(path) : undefined;
  } catch {
    return "unreadable";
  }
}

function touchedIn({ number, path, changes }: ReadSegment): Replayed["segments"][number] {
  const touched = new Set<string>();
  for (const { writes } of changes) for (const write of writes) touch(touched, write);
  return { number, path, touched };
}
