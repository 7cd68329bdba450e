import { HallError } from "../../../contract/errors.ts";
import type { Files } from "../../../store/files/files.ts";
import type { Entry } from "../../../store/files/listing/folder-listing.ts";
import { protectionOf } from "../../../store/files/paths.ts";
import type { Pace } from "../pace.ts";

const MOST_ENTRIES = 200_000;
const MOST_MS = 10_000;
/** What versions, dependencies and builds are kept in: large, and seldom what is meant. */
const PASSED_OVER = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "bower_components", "dist", "build", "target", "coverage"],
  ...[".venv", "venv", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache", ".next", ".turbo", ".cache", ".gradle"],
]);
const MOST_NAMED = 5;

/** The files below a folder, in the order of their names. Links are not followed, and folders that usually hold secrets are not opened. Afterwards it knows what it left out. */
export class Walk {
  readonly #files: Files;
  readonly #pace: Pace;
  readonly #isPassedOver: (name: string) => boolean;
  readonly #passedOver = new Set<string>();
  #closed = 0;
  #secret = 0;
  #seen = 0;
  #stopped: string | undefined;

  /** A folder that `glob` names is walked, whatever it is. */
  constructor(files: Files, pace: Pace, glob = "") {
    this.#files = files;
    this.#pace = pace;
    const named = new Set(glob.split("/"));
    this.#isPassedOver = (name) => PASSED_OVER.has(name) && !named.has(name);
  }

  async *below(folder: string): AsyncGenerator<Entry & { path: string }> {
    const stack = [{ prefix: folder === "." ? "" : `${folder}/`, entries: await this.#entriesOf(folder), next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (this.#isOver()) return;
      if (this.#pace.isRestDue) await this.#pace.rest();
      const entry = top.entries[top.next++];
      if (entry === undefined) stack.pop();
      else {
        const path = top.prefix + entry.name;
        if (entry.kind !== "folder") yield { ...entry, path };
        else if (protectionOf(entry.name) === "secret") this.#secret++;
        else if (this.#isPassedOver(entry.name)) this.#passedOver.add(entry.name);
        else stack.push({ prefix: `${path}/`, entries: await this.#entriesOf(path), next: 0 });
      }
    }
  }

  /** What whoever reads the result has to know, a line each. */
  notes(): string[] {
    const names = [...this.#passedOver].sort().slice(0, MOST_NAMED);
    const others = this.#passedOver.size > MOST_NAMED ? " and others" : "";
    return [
      ...(names.length === 0 ? [] : [`(skipped: folders named ${names.join(", ")}${others}; set path to search one)`]),
      ...(this.#secret === 0 ? [] : [`(skipped: protected folders, ${this.#secret})`]),
      ...(this.#closed === 0 ? [] : [`(${this.#closed} folders could not be opened)`]),
      ...(this.#stopped === undefined ? [] : [`(incomplete: ${this.#stopped}; use a narrower path)`]),
    ];
  }

  #isOver(): boolean {
    if (this.#seen >= MOST_ENTRIES) this.#stopped = `stopped after ${MOST_ENTRIES} names`;
    else if (this.#pace.elapsedMs > MOST_MS) this.#stopped = `stopped after ${MOST_MS / 1_000} seconds`;
    return this.#stopped !== undefined;
  }

  /** By name; a folder that vanished or is closed to us has none. */
  async #entriesOf(folder: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    try {
      for (const entry of this.#files.entries(folder)) {
        if (++this.#seen >= MOST_ENTRIES) break;
        entries.push(entry);
        if (this.#pace.isRestDue) await this.#pace.rest();
      }
    } catch (error) {
      const isGone = error instanceof HallError && error.code === "file_not_found";
      if (!isGone && !(error instanceof Error && "syscall" in error)) throw error;
      if (!isGone) this.#closed++;
    }
    return entries.sort(byName);
  }
}

function byName(left: Entry, right: Entry): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
