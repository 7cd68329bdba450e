import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
} from "node:fs";
import { codeOf, isNowhere } from "../files/regular-file.ts";
import { setAsideName } from "../files/set-aside-names.ts";
import { isBareLayout } from "./bare-layout.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
const MOST_FOLDERS = 200_000;
const MOST_REPORTED = 100;
const SLASH = Buffer.from("/");
/** Invisible characters that some file systems do not see in a name. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Something that makes git see a repository, by its identity, and where it is in the folder. */
export interface Counted {
  key: string;
  path: string;
}

/** A `.git` that was renamed. Paths are relative to the folder that was swept. */
export interface SetAside {
  path: string;
  /** Undefined when it could not be renamed. */
  to?: string | undefined;
}

export interface Swept {
  found: SetAside[];
  /** False when there was more than could be looked through. */
  isWhole: boolean;
}

/**
 * Finds everything in a folder that makes git take it for a repository: entries called `.git`, whatever they are, and folders
 * laid out like a repository without files. Names are bytes, links are not followed, and what is renamed is reached
 * through a descriptor whose real place was checked.
 */
export class GitSweep {
  readonly #root: Buffer;

  /** A real path. */
  constructor(root: string) {
    this.#root = Buffer.from(root);
  }

  /** What is there now, by identity: it may be moved to another place and is still the same. */
  census(): Counted[] {
    const known: Counted[] = [];
    this.#walk((folder, entries) => {
      const git = entries.filter(({ name }) => isGitName(name));
      const path = this.#shown(folder);
      const keys = git.flatMap(({ name }) => keyAt(joined(folder, name)) ?? []);
      for (const key of [...keys, ...(isBare(entries) ? bareKey(folder) : [])]) known.push({ key, path });
      return folders(entries.filter((entry) => !git.includes(entry)));
    });
    return known;
  }

  /** Of the folder itself; undefined while it is not there. */
  identity(): string | undefined {
    return keyAt(this.#root);
  }

  /** Renames what a census did not have. What was there stays as it is, and is not looked into. */
  setAside(known: ReadonlySet<string>): Swept {
    const found: SetAside[] = [];
    const isWhole = this.#walk((folder, entries) => {
      const git = entries.filter(({ name }) => isGitName(name));
      const fresh = git.filter(({ name }) => !known.has(keyAt(joined(folder, name)) ?? ""));
      const renamed = fresh.flatMap((entry) => {
        const to = this.#rename(folder, entry.name, found);
        return to !== undefined && entry.isDirectory() ? [to] : [];
      });
      const isFreshBare = isBare(entries) && !bareKey(folder).some((key) => known.has(key));
      if (isFreshBare) this.#rename(folder, Buffer.from("HEAD"), found);
      return [...folders(entries.filter((entry) => !git.includes(entry))), ...renamed];
    });
    return { found: found.slice(0, MOST_REPORTED), isWhole };
  }

  /** `visit` answers the names of the folders to look into next. False when not everything could be looked at. */
  #walk(visit: (folder: Buffer, entries: Dirent<Buffer>[]) => Buffer[]): boolean {
    const waiting = [this.#root];
    let isWhole = true;
    for (let count = 0; waiting.length > 0; count++) {
      const folder = waiting.pop() as Buffer;
      const entries = count < MOST_FOLDERS ? listed(folder) : undefined;
      if (entries === undefined) isWhole = false;
      else waiting.push(...visit(folder, entries).map((name) => joined(folder, name)));
      if (count >= MOST_FOLDERS) return false;
    }
    return isWhole;
  }

  #rename(folder: Buffer, name: Buffer, found: SetAside[]): Buffer | undefined {
    const to = Buffer.from(setAsideName(name.toString("utf8"), randomBytes(4).toString("hex")));
    const shown = (base: Buffer) => this.#shown(joined(folder, base));
    const isDone = renameIn(folder, name, to);
    found.push({ path: shown(name), ...(isDone ? { to: shown(to) } : {}) });
    return isDone ? to : undefined;
  }

  #shown(path: Buffer): string {
    return path.subarray(this.#root.length + 1).toString("utf8");
  }
}

/** However it is spelled, some file system takes it for `.git`. */
function isGitName(name: Buffer): boolean {
  const text = name.toString("utf8");
  return /^(?:\.git|git~\d+)$/i.test(/^[\x20-\x7e]*$/.test(text) ? text : text.replace(INVISIBLE, ""));
}

function isBare(entries: readonly Dirent<Buffer>[]): boolean {
  return isBareLayout(entries.map(({ name }) => name.toString("latin1")));
}

/** The folder's own identity: git replaces the file HEAD whenever it changes it. */
function bareKey(folder: Buffer): string[] {
  const key = keyAt(folder);
  return key === undefined ? [] : [`${key} bare`];
}

function keyAt(path: Buffer): string | undefined {
  try {
    const { ino, birthtimeNs } = lstatSync(path, { bigint: true });
    return `${ino} ${birthtimeNs}`;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function folders(entries: readonly Dirent<Buffer>[]): Buffer[] {
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Undefined where it cannot be looked into. One that its owner has closed is opened: a command can close and open it too. */
function listed(folder: Buffer): Dirent<Buffer>[] | undefined {
  const list = () => readdirSync(folder, { withFileTypes: true, encoding: "buffer" });
  try {
    return list();
  } catch (error) {
    if (isNowhere(error)) return [];
    if (codeOf(error) !== "EACCES" || !openUp(folder)) return undefined;
  }
  try {
    return list();
  } catch {
    return undefined;
  }
}

function openUp(folder: Buffer): boolean {
  try {
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false;
    chmodSync(folder, (stats.mode & 0o777) | 0o700);
    return true;
  } catch {
    return false;
  }
}

function renameIn(folder: Buffer, name: Buffer, to: Buffer): boolean {
  try {
    const fd = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      const hasProc = existsSync("/proc/self/fd");
      const real = hasProc ? readlinkSync(`/proc/self/fd/${fd}`, "buffer") : realpathSync(folder, "buffer");
      if (!real.equals(folder)) return false;
      const base = hasProc ? Buffer.from(`/proc/self/fd/${fd}`) : folder;
      try {
        renameSync(joined(base, name), joined(base, to));
      } catch (error) {
        if (codeOf(error) !== "EACCES" || !openUp(folder)) throw error;
        renameSync(joined(base, name), joined(base, to));
      }
      return true;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

function joined(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, SLASH, name]);
}
