import { existsSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { type LogTail, readTail, scanLog } from "../logs/log-reader.ts";
import { TEMPORARY_NAME } from "./draft-file.ts";
import { joinPath } from "./join-path.ts";
import {
  contentsOf,
  type Entry,
  type EntryKind,
  entriesOf,
  filesIn,
  foldersIn,
  kindOf,
} from "./listing/folder-listing.ts";
import { type LinkUse, OpenFolders } from "./open-folders.ts";
import { maySharedBeRead } from "./paths.ts";
import { realPath } from "./real-path.ts";
import {
  linkStatOf,
  type OpenFile,
  openRegular,
  readRegular,
  readStamped,
  type Stamp,
  stampOf,
  statOf,
} from "./regular-file.ts";

/** What stands at a path itself, links not followed. */
export interface Standing {
  kind: EntryKind;
  size: number;
  /** How many names it has; of a file with several, the others may lie anywhere. */
  names: number;
  stamp: Stamp;
}

/** The half of `Files` that changes nothing. */
export class FolderReader {
  readonly root: string;
  protected readonly openFolders: OpenFolders;

  /**
   * The folder must be there. `place`: what is `given` is a real path that was checked before, and is not followed again: a
   * link that is put there meanwhile leads nowhere.
   */
  constructor(root: string, links: LinkUse = "followed", place: "found" | "given" = "found") {
    this.root = place === "given" ? root : realPath(root);
    this.openFolders = new OpenFolders(this.root, links);
  }

  get containment(): OpenFolders["containment"] {
    return this.openFolders.containment;
  }

  /** For work that reads many files of few folders and waits for nothing: opens each folder once. */
  readMany<Result>(work: () => Result): Result {
    return this.openFolders.hold(work);
  }

  exists(path: string): boolean {
    return this.stat(path) !== undefined;
  }

  /** Takes half as long as `exists`, and does not see a link that leads nowhere. */
  isReached(path: string): boolean {
    return existsSync(joinPath(this.root, path));
  }

  stat(path: string): Stats | undefined {
    return statOf(joinPath(this.root, path));
  }

  stamp(path: string): Stamp | undefined {
    return stampOf(this.stat(path));
  }

  read(path: string): Buffer {
    return this.inFolder(dirname(path), (at) => readRegular(at(baseOf(path)), path));
  }

  /** As read, with the state of the file that was read. */
  readStamped(path: string): { bytes: Buffer; stamp: Stamp } {
    return this.inFolder(dirname(path), (at) => readStamped(at(baseOf(path)), path));
  }

  /** Like read, for a path that came from outside: it must stay below `within` and must not be a hard link. */
  readContained(path: string, within: string): Buffer {
    return this.inFolder(dirname(path), (at) => readRegular(at(baseOf(path)), path, { hardLinks: "refuse" }), within);
  }

  /** As readContained, for files of any size and those of packages: the caller reads what it needs, and closes. */
  openContained(path: string, within: string): OpenFile {
    const rule = { hardLinks: maySharedBeRead(path) ? ("accept" as const) : ("refuse" as const) };
    return this.inFolder(dirname(path), (at) => openRegular(at(baseOf(path)), path, rule), within);
  }

  /** Undefined when there is nothing. The folder above must be there. */
  standing(path: string): Standing | undefined {
    const found = this.inFolder(dirname(path), (at) => linkStatOf(at(baseOf(path))));
    if (found === undefined) return undefined;
    return { kind: kindOf(found), size: found.size, names: found.nlink, stamp: stampOf(found) as Stamp };
  }

  /** Where a folder really lies, from the root: another path than the one given when it is reached through a link. */
  placeOf(folder: string): string {
    const opened = this.openFolders.open(folder, ".");
    opened.close();
    return opened.place;
  }

  /** What is in a folder, hidden names too, but not what a write under way has there for a moment. */
  *entries(folder: string): Generator<Entry> {
    const opened = this.openFolders.open(folder, ".");
    try {
      for (const entry of entriesOf(opened.at("."))) if (!TEMPORARY_NAME.test(entry.name)) yield entry;
    } finally {
      opened.close();
    }
  }

  text(path: string): string {
    return this.read(path).toString("utf8");
  }

  folders(path: string): string[] {
    return visible(this.list(path, foldersIn));
  }

  hiddenFolders(path: string): string[] {
    return this.list(path, foldersIn).filter((name) => name.startsWith("."));
  }

  names(path: string): string[] {
    return visible(this.list(path, filesIn));
  }

  /** `names` and `folders` from one look. */
  namesAndFolders(path: string): { names: string[]; folders: string[] } {
    const { files, folders } = this.contents(path);
    return { names: visible(files), folders: visible(folders) };
  }

  logTail(path: string, atLeast: number): LogTail {
    return readTail(joinPath(this.root, path), atLeast);
  }

  scanLog(path: string, from: number, visit: (text: string, offset: number) => boolean): void {
    if (this.exists(path)) scanLog(joinPath(this.root, path), from, visit);
  }

  /** Nothing, where the path leads out of the workspace or to no folder. */
  protected list(path: string, list: (absolute: string) => string[]): string[] {
    return this.#look(path, list) ?? [];
  }

  /** As list, hidden names too. */
  protected contents(path: string): { files: string[]; folders: string[] } {
    return this.#look(path, contentsOf) ?? { files: [], folders: [] };
  }

  #look<Result>(path: string, look: (absolute: string) => Result): Result | undefined {
    try {
      return this.inFolder(path, (at) => look(at(".")));
    } catch (error) {
      if (error instanceof HallError) return undefined;
      throw error;
    }
  }

  protected inFolder<Result>(folder: string, use: (at: (name: string) => string) => Result, within = "."): Result {
    const parent = this.openFolders.open(folder, within);
    try {
      return use(parent.at);
    } finally {
      parent.close();
    }
  }
}

function visible(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(".")).sort();
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
