import { renameSync, rmSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { HeldLineFiles } from "../logs/held-line-files.ts";
import { LineFile } from "../logs/line-file.ts";
import { Log } from "../logs/log.ts";
import type { LogTail } from "../logs/log-reader.ts";
import { Momentary } from "../momentary.ts";
import { noteChange, noteTakenBack } from "./change-watch.ts";
import { Counter } from "./counter.ts";
import { type Draft, draftFile, type Placement, replaceUnsynced, type Target, targetIn } from "./draft-file.ts";
import { baseOf, FolderReader } from "./folder-reader.ts";
import { FolderSync } from "./folder-sync.ts";
import { namesLike } from "./free-names.ts";
import { joinPath } from "./join-path.ts";
import { removeLeftovers } from "./leftovers.ts";
import { makeFolder, makeTree } from "./make-folder.ts";
import { placedAsNew } from "./new-file.ts";
import type { LinkUse, OpenFolder } from "./open-folders.ts";
import { type Content, removeQuietly, type Stamp } from "./regular-file.ts";
import { SpareFiles } from "./spare-files.ts";

/**
 * A file whose content is safe. `durable` makes its name safe too and must be awaited before anyone is told. It is a call,
 * not a promise, so that it can start together with another sync: the file system then commits both at once.
 */
export interface Placed {
  stamp: Stamp;
  durable: () => Promise<void>;
}

export interface Placing {
  /** The folder that the path must not lead out of; the workspace when it is not said. */
  within?: string | undefined;
  /** The state of the file that the new content was made from. Another one is not written over: ChangedMeanwhile. */
  from?: { stamp: Stamp | undefined } | undefined;
  /** Other processes replace the file too, and say so: between the look at its state and the new content comes nobody. */
  shared?: boolean | undefined;
}

interface Change extends Placing {
  path: string;
  content: Content;
}

interface Sweeping {
  before?: number | undefined;
  /** Folders that are not entered. */
  without?: readonly string[];
}

/**
 * The only door to the workspace's files. Paths are relative to its root. Every open goes through a descriptor of the
 * parent folder whose real place was checked, so a link swapped in between cannot lead outside (on systems without
 * /proc the check is by realpath, which leaves a small race; `containment` says which).
 *
 * Cheap calls are synchronous on purpose: they take microseconds, a promise takes tens. Only fsync leaves the thread.
 */
export class Files extends FolderReader {
  readonly #folderSync = new FolderSync();
  readonly #lineFiles = new HeldLineFiles(() => this.#spares?.take());
  readonly #folders = new Momentary(() => new Set<string>());
  readonly #modes: "private" | "kept";
  #spares: SpareFiles | undefined;

  /** `modes`: a workspace is its owner's alone; in a person's own folder files keep the permissions they have. */
  constructor(
    root: string,
    modes: "private" | "kept" = "private",
    links: LinkUse = "followed",
    place: "found" | "given" = "found",
  ) {
    if (place === "found") makeTree(root);
    super(root, links, place);
    this.#modes = modes;
  }

  /** Replaces or creates a file; when the promise resolves, the new content survives a power cut. */
  async replace(path: string, content: Content, placing: Placing = {}): Promise<Stamp> {
    const { stamp, durable } = await this.place(path, content, placing);
    await durable();
    return stamp;
  }

  /** As replace, but resolves when the content is safe under its name, while the name itself is still being made safe. */
  async place(path: string, content: Content, placing: Placing = {}): Promise<Placed> {
    const stamp = await this.#write({ ...placing, path, content });
    return { stamp, durable: () => this.syncFolder(dirname(path)) };
  }

  /** As place, for a new file; undefined when the name is taken, whoever took it. */
  async placeNew(path: string, content: Content, placing: Placing = {}): Promise<Placed | undefined> {
    let taken = false;
    const stamp = await this.#write({ ...placing, path, content }, (temporary, target) => {
      taken = !placedAsNew(temporary, target);
      if (taken) removeQuietly(temporary);
    });
    if (taken) noteTakenBack();
    return taken ? undefined : { stamp, durable: () => this.syncFolder(dirname(path)) };
  }

  /** Creates a file durably; answers false when the name is taken. */
  async create(path: string, content: Content, placing: Placing = {}): Promise<boolean> {
    const placed = await this.placeNew(path, content, placing);
    await placed?.durable();
    return placed !== undefined;
  }

  /** Replaces a generated file: whole or not at all, but not synced, because it can be generated again. */
  replaceGenerated(path: string, content: Content, within = "."): void {
    this.inFolder(dirname(path), (at) => replaceUnsynced(at, baseOf(path), content), within);
  }

  /** Renames a file or folder durably. The caller has made sure that the target is free. */
  async move(from: string, to: string): Promise<void> {
    this.#rename(from, to);
    await this.#syncFolders(dirname(from), dirname(to));
  }

  /** Whether there is such a folder. Asked for many lines at once, it is looked for once. */
  isFolder(path: string): boolean {
    const found = this.#folders.now();
    if (!found.has(path) && this.stat(path)?.isDirectory()) found.add(path);
    return found.has(path);
  }

  /** Makes a folder and those above it that are missing. */
  async ensureFolder(path: string, within = "."): Promise<void> {
    for (const folder of this.#makeFolders(path, within)) await this.syncFolder(folder);
  }

  /** Makes a folder that is not synced: for generated files, and for what the change log keeps. */
  makeFolder(path: string, within = "."): void {
    this.#makeFolders(path, within);
  }

  /** Where a document is, or will be, in its folder, which is made if it is missing. To be closed. */
  target(path: string, within = "."): Target {
    return targetIn(this.#reach(dirname(path), within), baseOf(path));
  }

  /** A document that the change log keeps too, without its name and not synced. */
  draft(target: Target, content: Content): Promise<Draft> {
    const mode = this.#modes === "private" ? undefined : modeOf(target);
    return draftFile(target, { content, mode, sync: "later", spare: this.#spares?.take() });
  }

  /** From now on new files that the change log keeps too are made ahead, in a folder of the hall's own. */
  makeAhead(folder: string): void {
    this.#spares = new SpareFiles(joinPath(this.root, folder));
  }

  /** Removes those that were made ahead. */
  endAhead(): void {
    this.#spares?.close();
    this.#spares = undefined;
  }

  #reach(folder: string, within: string): OpenFolder {
    try {
      return this.openFolders.open(folder, within);
    } catch (error) {
      if (!(error instanceof HallError) || error.code !== "file_not_found") throw error;
      this.makeFolder(folder, within);
      return this.openFolders.open(folder, within);
    }
  }

  /** Renames a file or folder; not synced. The caller has made sure that the target is free. */
  rename(from: string, to: string): void {
    this.#rename(from, to);
  }

  /** Writes bytes at the end of a file, whole or not at all; not synced. Answers where they begin. */
  appendBytes(path: string, bytes: Buffer): number {
    const reach = (open: (absolute: string) => number) => this.inFolder(dirname(path), (at) => open(at(baseOf(path))));
    return this.#lineFiles.append(joinPath(this.root, path), bytes, reach);
  }

  /** Cuts a file off; not synced. */
  cutFile(path: string, size: number): void {
    this.inFolder(dirname(path), (at) => truncateSync(at(baseOf(path)), size));
  }

  /** Where the next line of a log will start. A last line without its newline is kept beside it, as every repair does. */
  endOfLog(path: string): number {
    if (!this.exists(path)) return 0;
    const { log, end } = this.openLogEnd(path);
    void log.close();
    return end;
  }

  /** Removes what nobody was ever told of, such as the remains of an interrupted creation. */
  discard(path: string): void {
    rmSync(joinPath(this.root, path), { recursive: true, force: true });
  }

  freeName(folder: string, name: string): string {
    const names = namesLike(name);
    for (;;) {
      const candidate = `${folder}/${names.next().value}`;
      if (!this.exists(candidate)) return candidate;
    }
  }

  openCounter(path: string): Counter {
    return new Counter({
      path: joinPath(this.root, path),
      shown: path,
      reach: (open) => this.inFolder(dirname(path), (at) => open(at(baseOf(path)))),
    });
  }

  openLog(path: string, atLeast: number): { log: Log; tail: LogTail } {
    return Log.open(joinPath(this.root, path), atLeast);
  }

  /** Opens a log only to append; answers where the next line will start. */
  openLogEnd(path: string, last?: "acknowledged" | "whole"): { log: Log; end: number } {
    return Log.openEnd(joinPath(this.root, path), last);
  }

  openLineFile(path: string, onTrouble: (error: unknown) => void): LineFile {
    return new LineFile(joinPath(this.root, path), onTrouble);
  }

  /**
   * Removes what interrupted writes left behind in a folder and, if asked, below it; nothing that was changed since
   * `before`, in milliseconds since the epoch. Links are not followed, and repositories not entered: a file of such a name
   * may have been committed there. Stops after each folder, so that others get their turn.
   */
  *sweep(path: string, reach: "here" | "below", { before, without = [] }: Sweeping): Generator<void> {
    const { files, folders } = this.contents(path);
    removeLeftovers(
      files.map((name) => joinPath(this.root, `${path}/${name}`)),
      before,
    );
    yield;
    if (reach === "here") return;
    for (const folder of folders.filter((name) => !name.startsWith(".")).map((name) => `${path}/${name}`))
      if (!without.includes(folder) && !this.exists(`${folder}/.git`))
        yield* this.sweep(folder, reach, { before, without });
  }

  /** Resolves when everything renamed in the folder before the call is durable. */
  syncFolder(path: string): Promise<void> {
    return this.#folderSync.run(joinPath(this.root, path));
  }

  /** Answers the folders that got a new entry. */
  #makeFolders(path: string, within: string): string[] {
    if (path === "." || this.stat(path)?.isDirectory()) return [];
    const above = dirname(path);
    const changed = this.#makeFolders(above, within);
    this.inFolder(above, (at) => makeFolder(at(baseOf(path)), path, this.#modes), within);
    return [...changed, above];
  }

  async #write(change: Change, how?: Placement): Promise<Stamp> {
    const { path, content, within = ".", shared, from } = change;
    const target = targetIn(this.openFolders.open(dirname(path), within), baseOf(path));
    let draft: Draft | undefined;
    let release: (() => void) | undefined;
    try {
      const mode = this.#modes === "private" ? undefined : modeOf(target);
      draft = await draftFile(target, { content, mode, sync: "now" });
      if (shared === true) release = await target.claim();
      // From here to the new name nothing is awaited, so that nobody's change comes in between.
      if (from !== undefined) target.expect(from.stamp);
      return draft.place(how);
    } finally {
      release?.();
      draft?.close();
      target.close();
    }
  }

  #rename(from: string, to: string): void {
    this.inFolder(dirname(from), (source) => {
      this.inFolder(dirname(to), (target) => renameSync(source(baseOf(from)), target(baseOf(to))));
    });
    noteChange();
  }

  async #syncFolders(...folders: string[]): Promise<void> {
    await Promise.all([...new Set(folders)].map((folder) => this.syncFolder(folder)));
  }
}

/** As the file has them now; those of a new file otherwise. */
function modeOf(target: Target): number {
  return (target.standing("followed")?.mode ?? 0o644) & 0o777;
}
