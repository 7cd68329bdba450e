import { type FSWatcher, type Stats, watch } from "node:fs";
import { joinPath } from "./join-path.ts";
import { filesIn, foldersIn } from "./listing/folder-listing.ts";
import { codeOf, linkStatOf } from "./regular-file.ts";

const QUIET_MS = 40;
const LONGEST_WAIT_MS = 400;
/** The kernel drops events beyond 16,384 waiting ones without telling; a batch of this size may have lost some. */
const OVERFLOW_BATCH = 8_000;

export interface WatcherOptions {
  root: string;
  /** Whether a folder (relative path, "." for the root) is looked into. */
  wants: (folder: string) => boolean;
  /** Paths that changed, appeared or went, relative to the root. Must not reject. */
  onChange: (paths: string[]) => Promise<void>;
  /** Something may have been missed: compare everything. Must not reject. */
  onOverflow: () => Promise<void>;
  onTrouble: (reason: string) => void;
}

/**
 * Tells of every file that changes below the root. One watch per folder, never per file; a new folder is watched first
 * and listed afterwards, so nothing that is put into it meanwhile is missed.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #folders = new Map<string, { watcher: FSWatcher; identity: string }>();
  #changed = new Set<string>();
  #quiet: NodeJS.Timeout | undefined;
  #deadline = 0;
  #delivering: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#watchTree(".", false);
  }

  /** Resolves when every change noticed so far has been delivered. */
  async settled(): Promise<void> {
    this.#flush();
    await this.#delivering;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#quiet);
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
    await this.#delivering;
  }

  #watchTree(folder: string, report: boolean): void {
    if (this.#folders.has(folder) || !this.#options.wants(folder) || !this.#watchFolder(folder)) return;
    const absolute = joinPath(this.#options.root, folder);
    for (const path of visiblePaths(folder, foldersIn(absolute))) this.#watchTree(path, report);
    if (report) for (const path of visiblePaths(folder, filesIn(absolute))) this.#note(path);
  }

  #watchFolder(folder: string): boolean {
    try {
      const watcher = watch(joinPath(this.#options.root, folder), { persistent: false }, (_kind, name) => {
        if (name === null) this.#forget(folder);
        else if (!name.startsWith(".")) this.#note(folder === "." ? name : `${folder}/${name}`);
      });
      watcher.on("error", () => this.#forget(folder));
      this.#folders.set(folder, { watcher, identity: identityOf(this.#stat(folder)) });
      return true;
    } catch (error) {
      if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") {
        this.#options.onTrouble(
          `'${folder}' cannot be watched (${codeOf(error)}); file edits there are detected after a restart`,
        );
      }
      return false;
    }
  }

  #forget(folder: string): void {
    for (const [path, { watcher }] of this.#folders) {
      if (path === folder || path.startsWith(`${folder}/`)) {
        watcher.close();
        this.#folders.delete(path);
      }
    }
  }

  #note(path: string): void {
    if (this.#closed) return;
    const now = Date.now();
    if (this.#changed.size === 0) this.#deadline = now + LONGEST_WAIT_MS;
    this.#changed.add(path);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#flush(), Math.max(0, Math.min(QUIET_MS, this.#deadline - now)));
    this.#quiet.unref();
  }

  #flush(): void {
    clearTimeout(this.#quiet);
    if (this.#changed.size === 0 || this.#closed) return;
    const noted = this.#changed;
    this.#changed = new Set();
    for (const path of noted) this.#followFolder(path);
    const paths = [...noted];
    this.#delivering = this.#delivering.then(() => this.#options.onChange(paths));
    if (paths.length >= OVERFLOW_BATCH) this.#delivering = this.#delivering.then(() => this.#options.onOverflow());
  }

  /** A path may be a folder that came (its files are noted for the next batch) or one that went. */
  #followFolder(path: string): void {
    const stats = this.#stat(path);
    const known = this.#folders.get(path);
    if (known !== undefined && known.identity !== identityOf(stats)) this.#forget(path);
    if (stats?.isDirectory()) this.#watchTree(path, true);
  }

  #stat(path: string): Stats | undefined {
    return linkStatOf(joinPath(this.#options.root, path));
  }
}

function visiblePaths(folder: string, names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(".")).map((name) => (folder === "." ? name : `${folder}/${name}`));
}

/** A folder that was removed and made again under the same name is another folder; its inode number may be the same. */
function identityOf(stats: Stats | undefined): string {
  return stats === undefined ? "none" : `${stats.ino} ${stats.birthtimeMs}`;
}
