import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { HallError } from "../contract/errors.ts";
import { Counter } from "./counter.ts";
import { FolderSync } from "./folder-sync.ts";
import { Log, type LogContent, scanLog } from "./log.ts";
import { codeOf, openDirectory, readRegular, removeQuietly, type Stamp, stampOf, writeAll } from "./regular-file.ts";

const TEMPORARY = ".tmp-";
const fsyncFile = promisify(fsync);
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** A file whose content is safe; `durable` resolves when its name is safe too, and must be awaited before anyone is told. */
export interface Placed {
  stamp: Stamp;
  durable: Promise<void>;
}

export interface Folder {
  /** Names of the regular files, without temporary ones. */
  names(): string[];
  stamp(name: string): Stamp | undefined;
  read(name: string): Buffer;
  close(): void;
}

/**
 * The only door to the workspace's files. Paths are relative to its root. Every open goes through a descriptor of the
 * parent folder whose real place was checked, so a link swapped in between cannot lead outside (on systems without
 * /proc the check is by realpath, which leaves a small race; `containment` says which).
 *
 * Cheap calls are synchronous on purpose: they take microseconds, a promise takes tens. Only fsync leaves the thread.
 */
export class Files {
  readonly root: string;
  readonly containment: "descriptor" | "realpath";
  readonly #folderSync = new FolderSync();

  constructor(root: string) {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    this.root = realpathSync(root);
    this.containment = existsSync("/proc/self/fd") ? "descriptor" : "realpath";
  }

  exists(path: string): boolean {
    return this.stat(path) !== undefined;
  }

  stat(path: string): Stats | undefined {
    return statSync(join(this.root, path), { throwIfNoEntry: false });
  }

  stamp(path: string): Stamp | undefined {
    return stampOf(this.stat(path));
  }

  read(path: string): Buffer {
    return this.#inFolder(dirname(path), (at) => readRegular(at(baseOf(path)), path));
  }

  /** Like read, for a path that came from outside: it must stay below `within` and must not be a hard link. */
  readContained(path: string, within: string): Buffer {
    return this.#inFolder(dirname(path), (at) => readRegular(at(baseOf(path)), path, { hardLinks: "refuse" }), within);
  }

  text(path: string): string {
    return this.read(path).toString("utf8");
  }

  /** Replaces or creates a file; when the promise resolves, the new content survives a power cut. */
  async replace(path: string, content: string): Promise<Stamp> {
    const { stamp, durable } = await this.place(path, content);
    await durable;
    return stamp;
  }

  /** As replace, but resolves when the content is safe under its name, while the name itself is still being made safe. */
  async place(path: string, content: string): Promise<Placed> {
    const stamp = await this.#write(path, content, (temporary, target) => renameSync(temporary, target));
    return { stamp, durable: this.syncFolder(dirname(path)) };
  }

  /** As place, for a new file; undefined when the name is taken, whoever took it. */
  async placeNew(path: string, content: string): Promise<Placed | undefined> {
    let taken = false;
    const stamp = await this.#write(path, content, (temporary, target) => {
      taken = !linkedTo(temporary, target);
      unlinkSync(temporary);
    });
    return taken ? undefined : { stamp, durable: this.syncFolder(dirname(path)) };
  }

  /** As place, and on into another folder: first the content in the old place, then the rename. The target must be free. */
  async placeAndMove(from: string, to: string, content: string): Promise<Placed> {
    const stamp = await this.#write(from, content, (temporary, target) => renameSync(temporary, target));
    this.#rename(from, to);
    return { stamp, durable: this.#syncFolders(dirname(from), dirname(to)) };
  }

  /** Creates a file durably; answers false when the name is taken. */
  async create(path: string, content: string): Promise<boolean> {
    const placed = await this.placeNew(path, content);
    await placed?.durable;
    return placed !== undefined;
  }

  /** Replaces a generated file: whole or not at all, but not synced, because it can be generated again. */
  replaceGenerated(path: string, content: string): void {
    this.#inFolder(dirname(path), (at) => {
      const temporary = at(temporaryName());
      const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        writeAll(fd, content);
      } finally {
        closeSync(fd);
      }
      renameSync(temporary, at(baseOf(path)));
    });
  }

  /** Renames a file or folder durably. The caller has made sure that the target is free. */
  async move(from: string, to: string): Promise<void> {
    this.#rename(from, to);
    await this.#syncFolders(dirname(from), dirname(to));
  }

  async ensureFolder(path: string): Promise<void> {
    if (this.stat(path)?.isDirectory()) return;
    const made = mkdirSync(join(this.root, path), { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    for (let folder = path; ; folder = dirname(folder)) {
      await this.syncFolder(dirname(folder));
      if (join(this.root, folder) === made || folder === ".") return;
    }
  }

  /** Makes a folder for generated files: not synced, it can be made again. */
  makeFolder(path: string): void {
    mkdirSync(join(this.root, path), { recursive: true, mode: 0o700 });
  }

  /** Removes what nobody was ever told of, such as the remains of an interrupted creation. */
  discard(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  /** Moves a file or folder to the workspace's trash and answers where it went. */
  async trash(path: string, stampText: string): Promise<string> {
    await this.ensureFolder("trash");
    const target = this.freeName("trash", `${stampText}-${baseOf(path)}`);
    await this.move(path, target);
    return target;
  }

  freeName(folder: string, name: string): string {
    const dot = name.lastIndexOf(".");
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    for (let number = 1; ; number++) {
      const candidate = `${folder}/${number === 1 ? name : `${stem}-${number}${extension}`}`;
      if (!this.exists(candidate)) return candidate;
    }
  }

  folders(path: string): string[] {
    return this.#entries(path)
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map((entry) => entry.name)
      .sort();
  }

  hiddenFolders(path: string): string[] {
    return this.#entries(path)
      .filter((entry) => entry.isDirectory() && entry.name.startsWith("."))
      .map((entry) => entry.name);
  }

  names(path: string): string[] {
    return this.#entries(path)
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
      .map((entry) => entry.name)
      .sort();
  }

  /** Opens a folder once for many reads; undefined when there is none. */
  openFolder(path: string): Folder | undefined {
    if (!this.stat(path)?.isDirectory()) return undefined;
    const { at, close } = this.#openParent(path, ".");
    return {
      names: () => this.names(path),
      stamp: (name) => stampOf(statSync(at(name), { throwIfNoEntry: false })),
      read: (name) => readRegular(at(name), `${path}/${name}`),
      close,
    };
  }

  openCounter(path: string): Counter {
    return new Counter(join(this.root, path));
  }

  openLog(path: string): { log: Log; content: LogContent } {
    return Log.open(join(this.root, path));
  }

  scanLog(path: string, from: number, visit: (text: string, offset: number) => boolean): void {
    if (this.exists(path)) scanLog(join(this.root, path), from, visit);
  }

  /** Removes what an interrupted write left behind in a folder. */
  sweep(path: string): void {
    for (const entry of this.#entries(path)) {
      if (entry.name.startsWith(TEMPORARY)) unlinkSync(join(this.root, path, entry.name));
    }
  }

  /** Resolves when everything renamed in the folder before the call is durable. */
  syncFolder(path: string): Promise<void> {
    return this.#folderSync.run(join(this.root, path));
  }

  async #write(path: string, content: string, place: (temporary: string, target: string) => void): Promise<Stamp> {
    const parent = this.#openParent(dirname(path), ".");
    const temporary = parent.at(temporaryName());
    try {
      const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        writeAll(fd, content);
        await fsyncFile(fd);
        place(temporary, parent.at(baseOf(path)));
        return stampOf(fstatSync(fd)) as Stamp;
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    } finally {
      parent.close();
    }
  }

  #rename(from: string, to: string): void {
    this.#inFolder(dirname(from), (source) => {
      this.#inFolder(dirname(to), (target) => renameSync(source(baseOf(from)), target(baseOf(to))));
    });
  }

  async #syncFolders(...folders: string[]): Promise<void> {
    await Promise.all([...new Set(folders)].map((folder) => this.syncFolder(folder)));
  }

  #entries(path: string) {
    try {
      return readdirSync(join(this.root, path), { withFileTypes: true });
    } catch (error) {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
      throw error;
    }
  }

  #inFolder<Result>(folder: string, use: (at: (name: string) => string) => Result, within = "."): Result {
    const parent = this.#openParent(folder, within);
    try {
      return use(parent.at);
    } finally {
      parent.close();
    }
  }

  #openParent(folder: string, within: string): { at: (name: string) => string; close: () => void } {
    const fd = openDirectory(join(this.root, folder), folder);
    try {
      const real =
        this.containment === "descriptor" ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(join(this.root, folder));
      const limit = within === "." ? this.root : join(this.root, within);
      if (real !== limit && !real.startsWith(`${limit}/`)) {
        throw new HallError(
          "path_refused",
          `The folder '${folder}' leads outside ${within === "." ? "the workspace" : within}.`,
        );
      }
      const base = this.containment === "descriptor" ? `/proc/self/fd/${fd}` : real;
      return { at: (name) => `${base}/${name}`, close: () => closeSync(fd) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function temporaryName(): string {
  return `${TEMPORARY}${randomBytes(8).toString("hex")}`;
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
