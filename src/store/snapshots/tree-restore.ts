import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path/posix";
import { promisify } from "node:util";
import { HallError } from "../../contract/errors.ts";
import { TEMPORARY_NAME, temporaryName } from "../files/draft-file.ts";
import { foldersUpTo, syncAll } from "../files/durable-paths.ts";
import { baseOf } from "../files/folder-reader.ts";
import { filesIn } from "../files/listing/folder-listing.ts";
import { type OpenFolder, OpenFolders } from "../files/open-folders.ts";
import { codeOf, isNowhere, linkStatOf, removeQuietly, writeAll } from "../files/regular-file.ts";
import type { ObjectStore } from "./object-store.ts";
import {
  fileState,
  folderState,
  kindOfState,
  linkState,
  linkTarget,
  partsOf,
  type TreeState,
  unkeptState,
} from "./tree-objects.ts";
import { readUnfollowed } from "./tree-scan.ts";

const syncFile = promisify(fsync);

export interface Move {
  path: string;
  /** What must stand there now, or nothing is done. */
  from: TreeState | undefined;
  to: TreeState | undefined;
}

const CHANGED = "it was changed in the meantime";

/** Puts single paths of a folder into another state: whole or not at all, never through a link, never over a state that was not expected. */
export class TreeRestore {
  readonly #root: string;
  readonly #objects: ObjectStore;
  readonly #folders: OpenFolders;

  readonly #longestFile: number;

  /** `root` is a real path. Larger files were not kept. */
  constructor(root: string, objects: ObjectStore, longestFile: number) {
    this.#root = root;
    this.#objects = objects;
    this.#longestFile = longestFile;
    this.#folders = new OpenFolders(root);
  }

  /** What stands at a path now; "x ?" when it cannot be known. Behind a link stands nothing: links are not followed. */
  stateOf(path: string): TreeState | undefined {
    try {
      return this.#inFolder(path, (folder, name) => this.#stateAt(folder.at(name)));
    } catch (error) {
      if (error instanceof HallError || error instanceof Left) return undefined;
      if (codeOf(error) === undefined) throw error;
      return "x ?";
    }
  }

  /** Carries out moves in an order in which each has room. Answers those that were not possible, with the reason. Durable when it resolves. */
  async apply(moves: readonly Move[]): Promise<{ path: string; reason: string }[]> {
    const failed = new Map<string, string>();
    const attempt = async (move: Move, step: (move: Move) => void | Promise<void>) => {
      if (failed.has(move.path)) return;
      try {
        await step(move);
      } catch (error) {
        failed.set(move.path, reasonOf(error));
      }
    };
    for (const folder of new Set(moves.map(({ path }) => dirname(path)))) this.#sweep(folder);
    const down = [...moves].sort((left, right) => depthOf(left) - depthOf(right));
    const up = down.toReversed();
    for (const move of up.filter(isRemoved)) await attempt(move, (one) => this.#remove(one));
    for (const move of down.filter(({ to }) => isFolder(to))) await attempt(move, (one) => this.#makeFolder(one));
    for (const move of down.filter(({ to }) => to !== undefined && !isFolder(to)))
      await attempt(move, (one) => this.#place(one));
    for (const move of up.filter(({ to }) => isFolder(to))) await attempt(move, (one) => this.#setMode(one));
    await this.#syncFolders(moves.filter(({ path }) => !failed.has(path)));
    return [...failed].map(([path, reason]) => ({ path, reason }));
  }

  /** The contents are synced already; here are their names, and those that are gone. */
  async #syncFolders(moves: readonly Move[]): Promise<void> {
    const folders = moves.flatMap(({ path }) => foldersUpTo(this.#root, join(this.#root, path)));
    await syncAll([...new Set(folders)].sort((left, right) => right.length - left.length));
  }

  #remove({ path, from }: Move): void {
    this.#inFolder(path, (folder, name) => {
      this.#assertState(folder.at(name), from);
      if (isFolder(from)) rmdirSync(folder.at(name));
      else unlinkSync(folder.at(name));
    });
  }

  #makeFolder({ path, from }: Move): void {
    if (isFolder(from)) return;
    this.#inFolder(path, (folder, name) => mkdirSync(folder.at(name), { mode: 0o700 }));
  }

  #setMode({ path, from, to }: Move): void {
    this.#inFolder(path, (folder, name) => {
      const now = this.#stateAt(folder.at(name));
      if (now !== from && !isFolder(now)) throw new Left(CHANGED);
      if (to !== undefined) chmodSync(folder.at(name), partsOf(to).mode);
    });
  }

  async #place({ path, from, to = "" }: Move): Promise<void> {
    const folder = this.#open(path);
    const target = folder.at(baseOf(path));
    const temporary = folder.at(temporaryName());
    // What had another kind was removed before.
    const expected = from !== undefined && isFolder(from) ? undefined : from;
    try {
      if (kindOfState(to) === "link") symlinkSync(linkTarget(to), temporary);
      else await this.#draft(temporary, to);
      this.#assertState(target, expected);
      if (expected !== undefined) renameSync(temporary, target);
      else placeNew(temporary, target, to);
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    } finally {
      folder.close();
    }
  }

  async #draft(temporary: string, to: TreeState): Promise<void> {
    const { hash, mode } = partsOf(to);
    const bytes = this.#objects.read(hash);
    const fd = openSync(temporary, "wx", 0o600);
    try {
      writeAll(fd, bytes);
      fchmodSync(fd, mode);
      await syncFile(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** Removes what an interrupted restoring left behind. */
  #sweep(folder: string): void {
    try {
      const opened = this.#folders.open(folder, ".");
      for (const name of filesIn(opened.at("."))) if (TEMPORARY_NAME.test(name)) unlinkSync(opened.at(name));
      opened.close();
    } catch {
      // No such folder, or not ours to tidy: then there is nothing of ours in it.
    }
  }

  #stateAt(absolute: string): TreeState | undefined {
    return stateAt(absolute, this.#longestFile);
  }

  #assertState(absolute: string, expected: TreeState | undefined): void {
    if (this.#stateAt(absolute) !== expected) throw new Left(CHANGED);
  }

  #open(path: string): OpenFolder {
    const above = dirname(path);
    const folder = this.#folders.open(above, ".");
    if (folder.place === above) return folder;
    folder.close();
    throw new Left("a folder above it is a link");
  }

  #inFolder<Result>(path: string, use: (folder: OpenFolder, name: string) => Result): Result {
    const folder = this.#open(path);
    try {
      return use(folder, baseOf(path));
    } finally {
      folder.close();
    }
  }
}

class Left extends Error {}

function stateAt(absolute: string, longestFile: number): TreeState | undefined {
  const stats = linkStatOf(absolute);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return folderState(stats.mode);
  try {
    if (stats.isSymbolicLink()) return linkState(readlinkSync(absolute));
    if (!stats.isFile() || stats.size > longestFile) return unkeptState(stats);
    const { bytes, stats: read } = readUnfollowed(absolute);
    const hash = createHash("sha256").update(bytes).digest("hex");
    return fileState({ mode: read.mode, hash, size: bytes.length });
  } catch (error) {
    if (isNowhere(error)) return lstatSync(absolute, { throwIfNoEntry: false }) === undefined ? undefined : "x ?";
    return "x ?";
  }
}

/** Fails when somebody else has taken the name. */
function placeNew(temporary: string, target: string, state: TreeState): void {
  if (kindOfState(state) === "link") symlinkSync(linkTarget(state), target);
  else linkSync(temporary, target);
  unlinkSync(temporary);
}

function isFolder(state: TreeState | undefined): boolean {
  return state !== undefined && kindOfState(state) === "folder";
}

/** Whether what stands there has to go before anything else can come. */
function isRemoved({ from, to }: Move): boolean {
  return from !== undefined && (to === undefined || isFolder(from) !== isFolder(to));
}

function depthOf({ path }: Move): number {
  return path.split("/").length;
}

const REASONS: Record<string, string> = {
  ENOTEMPTY: "it contains files that no agent created",
  EEXIST: CHANGED,
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};

function reasonOf(error: unknown): string {
  if (error instanceof HallError || error instanceof Left) return error.message;
  const code = codeOf(error);
  if (code === undefined) throw error;
  return REASONS[code] ?? `the file system refused (${code})`;
}
