import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { HallError } from "../../contract/errors.ts";
import { isTemporary, removeLeftovers } from "../files/leftovers.ts";
import { type OpenFolder, OpenFolders } from "../files/open-folders.ts";
import { codeOf, readWhole } from "../files/regular-file.ts";
import { type IgnoreFile, isIgnored, isPassedOver, parseIgnoreFile } from "./ignore-rules.ts";
import type { StatCache } from "./stat-cache.ts";
import {
  fileState,
  folderState,
  linkState,
  type Objects,
  partsOf,
  type TreeEntry,
  treeIfKept,
  unkeptState,
  writeTree,
} from "./tree-objects.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** How long others may wait while a tree is read, and for how many files at most. */
const REST_AFTER_MS = 15;
const REST_AFTER_FILES = 200;
const MOST_TOLD = 100;

export interface ScanOptions {
  /** A real path. */
  root: string;
  objects: Objects;
  cache: Pick<StatCache, "hashOf" | "note">;
  /** The folder is left as it is; else what interrupted writes left in it is removed. */
  isGlance?: boolean | undefined;
  /** Names at the top that are not looked at. */
  without: ReadonlySet<string>;
  longestFile: number;
  mostFiles: number;
  /** The tree of an earlier scan: what it holds is kept, whatever .gitignore says by now. */
  previous?: string | undefined;
  /** Only what is at these paths is looked at; of all else, what `previous` holds counts on. */
  only?: readonly string[] | undefined;
  /** True: .gitignore counts as `previous` has it, so that a run cannot hide what it does. */
  frozenRules?: boolean | undefined;
  /** Files and folders that steer the person's tools are looked at though .gitignore names them or they may hold secrets. */
  isControl?: ((path: string) => boolean) | undefined;
}

export interface ScannedTree {
  tree: string;
  files: number;
  bytes: number;
  /** What could not be kept, and why; the first of them. */
  notKept: { path: string; reason: string }[];
}

/** Names to be looked at in a folder, with those below them; none below: all of it. */
type Only = Map<string, Only>;

interface Spot {
  folder: OpenFolder;
  prefix: string;
  /** Undefined: everything. */
  only: Only | undefined;
  rules: readonly IgnoreFile[];
  before: Map<string, TreeEntry>;
}

/** Reads a folder into objects. Links are kept as links and never followed. */
export class TreeScan {
  readonly #options: ScanOptions;
  readonly #folders: OpenFolders;
  readonly #notKept: ScannedTree["notKept"] = [];
  /** What interrupted writes left, and the repositories in which a file of such a name may be the person's own. */
  readonly #leftovers: string[] = [];
  readonly #repositories: string[] = [];
  #files = 0;
  #bytes = 0;
  #restedAt = performance.now();
  #sinceRest = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#folders = new OpenFolders(options.root);
  }

  async scan(): Promise<ScannedTree> {
    const { previous, only } = this.#options;
    const tree = await this.#folder("", { previous, only: only && namesOf(only) }, []);
    if (!this.#options.isGlance) this.#sweep();
    return {
      tree: tree ?? writeTree(this.#options.objects, []),
      files: this.#files,
      bytes: this.#bytes,
      notKept: this.#notKept,
    };
  }

  #sweep(): void {
    const isOwn = (path: string) => !this.#repositories.some((prefix) => path.startsWith(prefix));
    removeLeftovers(this.#leftovers.filter(isOwn).map((path) => join(this.#options.root, path)));
  }

  /** Undefined when it is no folder, or not open to us. */
  async #folder(
    prefix: string,
    { previous, only }: { previous: string | undefined; only: Only | undefined },
    above: readonly IgnoreFile[],
  ): Promise<string | undefined> {
    const place = prefix.slice(0, -1) || ".";
    let folder: OpenFolder;
    try {
      folder = this.#folders.open(place, ".");
    } catch (error) {
      if (!(error instanceof HallError) && codeOf(error) === undefined) throw error;
      this.#tell(place, "the folder cannot be opened");
      return undefined;
    }
    try {
      if (folder.place !== place) return undefined;
      const before = new Map(treeIfKept(this.#options.objects, previous)?.map((entry) => [entry[0], entry]));
      const rules = only === undefined ? [...above, ...this.#rulesIn(folder, prefix, before)] : [];
      return writeTree(this.#options.objects, await this.#entries({ folder, prefix, only, rules, before }));
    } finally {
      folder.close();
    }
  }

  async #entries(spot: Spot): Promise<TreeEntry[]> {
    const entries: TreeEntry[] = [];
    for (const name of this.#namesIn(spot).sort()) {
      if (++this.#sinceRest >= REST_AFTER_FILES || performance.now() - this.#restedAt > REST_AFTER_MS)
        await this.#rest();
      const isLookedAt = spot.only === undefined || spot.only.has(name);
      const entry = isLookedAt ? await this.#entry(spot, name) : spot.before.get(name);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  async #rest(): Promise<void> {
    await nextTurn();
    this.#restedAt = performance.now();
    this.#sinceRest = 0;
  }

  #namesIn({ folder, prefix, only, before }: Spot): string[] {
    if (only !== undefined) return [...new Set([...before.keys(), ...only.keys()])];
    try {
      return readdirSync(folder.at("."));
    } catch {
      this.#tell(prefix.slice(0, -1) || ".", "the folder cannot be read");
      return [];
    }
  }

  async #entry({ folder, prefix, only, rules, before }: Spot, name: string): Promise<TreeEntry | undefined> {
    if (name === ".git") this.#repositories.push(prefix);
    if (isTemporary(name)) this.#leftovers.push(prefix + name);
    if (isTemporary(name) || (prefix === "" && this.#options.without.has(name))) return undefined;
    const path = prefix + name;
    const stats = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (stats === undefined) {
      if (name.includes("\ufffd")) this.#tell(path, "its name is not UTF-8");
      return undefined;
    }
    const isFolder = stats.isDirectory();
    const known = before.get(name);
    if (isPassedOver(name, isFolder))
      // What may hold secrets is not copied: only that it changed is told.
      return !isFolder && this.#options.isControl?.(path) ? [name, unkeptState(stats)] : undefined;
    if (known === undefined && isIgnored(path, isFolder, rules) && !this.#options.isControl?.(path)) return undefined;
    if (isFolder) {
      const inner = only?.get(name);
      const looked = { previous: known?.[2], only: inner?.size === 0 ? undefined : inner };
      const tree = await this.#folder(`${path}/`, looked, rules);
      return tree === undefined ? undefined : [name, folderState(stats.mode), tree];
    }
    if (stats.isSymbolicLink()) return [name, linkState(readlinkSync(folder.at(name)))];
    return [name, this.#file(folder.at(name), path, stats)];
  }

  #file(absolute: string, path: string, stats: Stats): string {
    const { cache, objects, longestFile, mostFiles } = this.#options;
    const unkept = (reason: string) => {
      this.#tell(path, reason);
      return unkeptState(stats);
    };
    if (!stats.isFile()) return unkept("it is a pipe, a socket or a device");
    if (stats.size > longestFile) return unkept("it is too large");
    if (++this.#files > mostFiles) return unkept("there are too many files");
    this.#bytes += stats.size;
    const cached = cache.hashOf(path, stats);
    if (cached !== undefined) return fileState({ mode: stats.mode, hash: cached, size: stats.size });
    try {
      const now = Date.now();
      const read = readUnfollowed(absolute);
      const hash = objects.put(read.bytes);
      if (read.isStill) cache.note(path, read.stats, { hash, now });
      return fileState({ mode: read.stats.mode, hash, size: read.bytes.length });
    } catch (error) {
      if (!["EACCES", "EPERM", "ELOOP", "ENOENT", "ENXIO", "EIO"].includes(codeOf(error) ?? "")) throw error;
      return unkept("it cannot be read");
    }
  }

  #rulesIn(folder: OpenFolder, prefix: string, before: Map<string, TreeEntry>): IgnoreFile[] {
    const { frozenRules, objects } = this.#options;
    const known = before.get(".gitignore");
    try {
      if (!frozenRules)
        return [parseIgnoreFile(prefix, readUnfollowed(folder.at(".gitignore")).bytes.toString("utf8"))];
      if (known?.[1].startsWith("f ") !== true) return [];
      return [parseIgnoreFile(prefix, objects.read(partsOf(known[1]).hash).toString("utf8"))];
    } catch (error) {
      if (codeOf(error) === undefined && !(error instanceof HallError)) throw error;
      return [];
    }
  }

  #tell(path: string, reason: string): void {
    if (this.#notKept.length < MOST_TOLD) this.#notKept.push({ path, reason });
  }
}

function namesOf(paths: readonly string[]): Only {
  const top: Only = new Map();
  for (const path of paths) {
    let at = top;
    for (const name of path.split("/")) {
      const next: Only = at.get(name) ?? new Map();
      at.set(name, next);
      at = next;
    }
  }
  return top;
}

/** `isStill`: nobody wrote into it meanwhile. */
export function readUnfollowed(absolute: string): { bytes: Buffer; stats: Stats; isStill: boolean } {
  const fd = openSync(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw Object.assign(new Error("no regular file"), { code: "ENXIO" });
    const bytes = readWhole(fd, stats.size);
    const after = fstatSync(fd);
    return { bytes, stats, isStill: after.mtimeMs === stats.mtimeMs && after.size === bytes.length };
  } finally {
    closeSync(fd);
  }
}
