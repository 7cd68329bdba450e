import { dirname, join } from "node:path/posix";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { Files } from "../../store/files/files.ts";
import { isThere, realPlaceOf } from "../../store/files/folders.ts";
import type { GitSync } from "../../store/git/git-sync.ts";
import type { Around } from "../results/checkpoints.ts";
import { restoreEmptied } from "./emptied-files.ts";
import { type Git, GitFailure } from "./git.ts";

/** What one path was and is to be; undefined: not there. */
interface PathChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

interface Parts {
  git: Git;
  disk: GitSync;
  at: { gitDir: string; workTree: string };
  scratch: string;
}

interface Step {
  /** Trees, or commits. */
  from: string;
  to: string;
}

const UNDER_WAY: Record<string, string> = {
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
};
const LOCK = "index.lock";
/** Editors ask for the state of a checkout all the time, and lock its index for a moment. */
const LOCKED_MS = 3_000;
const LOOK_MS = 25;
const MOST_NAMED = 5;
/** Paths that are looked at before others have their turn: a result may have very many. */
const LOOKS_AT_ONCE = 200;

/** A checkout of the person, which follows its branch only where none of its files is in the person's hands. */
export class Checkout {
  readonly #git: Git;
  readonly #disk: GitSync;
  readonly #root: string;
  readonly #at: { gitDir: string; workTree: string };
  /** Where an index for looking may stand for a moment. */
  readonly #scratch: string;

  /** Where it lies is said and not found: the settings of a repository can name any folder. */
  constructor({ git, disk, at, scratch }: Parts) {
    this.#git = git;
    this.#disk = disk;
    this.#root = at.workTree;
    this.#at = at;
    this.#scratch = scratch;
  }

  /**
   * Changes files and index from one state to the other, or nothing at all; then it answers what is in the way. What it
   * changed is on disk when it resolves.
   */
  async follow(step: Step, around: Around = (_, change) => change()): Promise<string | undefined> {
    const changes = await this.#changesOf(step);
    if (changes.length === 0) return undefined;
    const busy = await this.#underWay();
    if (busy !== undefined) return busy;
    const { held, arrived } = await this.#look(changes, step);
    if (held.length > 0) return `uncommitted changes in ${named(held)} block the merge`;
    const paths = changes.map(({ path }) => join(realPlaceOf(this.#root), path));
    return around(paths, () => this.#change(step, { changes, arrived }));
  }

  /** The person's changes that keep it from following, without changing anything. */
  async heldBy(step: Step): Promise<string[]> {
    const changes = await this.#changesOf(step);
    return changes.length === 0 ? [] : (await this.#look(changes, step)).held;
  }

  async #change(step: Step, { changes, arrived }: Record<"changes" | "arrived", PathChange[]>) {
    try {
      // Files that a crash let arrive before the index knew.
      await this.#enter(arrived.filter(({ after }) => after !== undefined));
      await this.#git.run(this.#at, ["update-index", "-q", "--refresh"], { allowed: [1] });
      await this.#git.run(this.#at, ["read-tree", "-m", "-u", step.from, step.to]);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return `the files in '${this.#root}' could not be updated (${error.message})`;
    }
    await this.#sync(changes);
    return undefined;
  }

  /** Brings to disk what following from one state to the other has changed, whenever that was. */
  async sync(step: Step): Promise<void> {
    await this.#sync(await this.#changesOf(step));
  }

  /** Writes files again that these steps brought and a power cut has emptied since; answers their paths. */
  async restoreEmptied(steps: readonly Step[]): Promise<string[]> {
    const changes = await Promise.all(steps.map((step) => this.#changesOf(step)));
    return restoreEmptied(this.#git, this.#at, new Set(changes.flat().map(({ path }) => path)));
  }

  async #sync(changes: PathChange[]): Promise<void> {
    await this.#disk.checkout(
      this.#at,
      changes.map(({ path }) => path),
    );
  }

  async #changesOf({ from, to }: Step): Promise<PathChange[]> {
    const parts = await this.#git.list(this.#at, [
      "diff-tree",
      "-r",
      "-z",
      "--no-renames",
      `${from}^{tree}`,
      `${to}^{tree}`,
    ]);
    return pairs(parts).map(({ fields: [modeBefore, modeAfter, before, after], path }) => ({
      path,
      before: entry(modeBefore, before),
      after: entry(modeAfter, after),
    }));
  }

  async #underWay(): Promise<string | undefined> {
    const records = this.#at.gitDir;
    const found = Object.keys(UNDER_WAY).find((name) => isThere(`${records}/${name}`));
    if (found !== undefined) return `${UNDER_WAY[found]} is in progress in '${this.#root}'`;
    const lock = `${records}/${LOCK}`;
    for (let waited = 0; isThere(lock); waited += LOOK_MS) {
      if (waited >= LOCKED_MS) return `another git command is in progress, or was interrupted and left '${lock}'`;
      await delay(LOOK_MS);
    }
    return undefined;
  }

  /** Which paths the person has changed, and which are already as they are to be. */
  async #look(changes: PathChange[], { from }: Step) {
    const staged = await this.#staged(changes, from);
    const isOld = await this.#standsAs(changes, "before", changes);
    const others = changes.filter(({ path }) => !isOld.has(path));
    const isNew = await this.#standsAs(others, "after", changes);
    const arrived = changes.filter(({ path }) => !isOld.has(path) && isNew.has(path));
    const held = changes.filter(({ path }) => staged.has(path) || (!isOld.has(path) && !isNew.has(path)));
    return { held: held.map(({ path }) => path), arrived };
  }

  /** Paths whose entry in the index is neither what was nor what is to be. */
  async #staged(changes: PathChange[], from: string): Promise<Set<string>> {
    const parts = await this.#git.list(this.#at, ["diff-index", "--cached", "-z", "--no-renames", from]);
    const wanted = new Map(changes.map(({ path, after }) => [path, after]));
    const others = pairs(parts).filter(
      ({ path, fields }) => wanted.has(path) && (fields[4] === "U" || entry(fields[1], fields[3]) !== wanted.get(path)),
    );
    return new Set(others.map(({ path }) => path));
  }

  /** The paths whose file, however it is flagged in the person's index, is what they were or are to be. */
  async #standsAs(asked: PathChange[], side: "before" | "after", all: PathChange[]): Promise<Set<string>> {
    const files = new Files(this.#root, "kept");
    const present = asked.filter((change) => change[side] !== undefined);
    const missing = asked.filter((change) => change[side] === undefined);
    const absent = await freeOf(files, missing, all);
    if (present.length === 0) return new Set(absent.map(({ path }) => path));
    const scratch = { index: this.#scratch };
    try {
      await this.#enter(
        present.map((change) => ({ ...change, after: change[side] })),
        scratch,
      );
      // Compares contents; without it everything that an index has no stamp of counts as changed.
      await this.#git.run(this.#at, ["update-index", "-q", "--refresh"], { ...scratch, allowed: [1] });
      const parts = await this.#git.list(this.#at, ["diff-files", "-z", "--no-renames"], scratch);
      const other = new Set(pairs(parts).map(({ path }) => path));
      return new Set([...present.filter(({ path }) => !other.has(path)), ...absent].map(({ path }) => path));
    } finally {
      new Files(dirname(this.#scratch)).discard(this.#scratch.slice(dirname(this.#scratch).length + 1));
    }
  }

  async #enter(changes: PathChange[], call: { index?: string } = {}): Promise<void> {
    if (changes.length === 0 && call.index === undefined) return;
    const input = changes.map(({ path, after = "" }) => `${after}\t${path}\0`).join("");
    await this.#git.run(this.#at, ["update-index", "-z", "--index-info"], { ...call, input });
  }
}

/** Those at whose path nothing stands. */
async function freeOf(files: Files, asked: PathChange[], all: PathChange[]): Promise<PathChange[]> {
  const free: PathChange[] = [];
  for (const [at, change] of asked.entries()) {
    if (at % LOOKS_AT_ONCE === LOOKS_AT_ONCE - 1) await nextTurn();
    if (isFree(files, change.path, all)) free.push(change);
  }
  return free;
}

/** Nothing stands there, nor anything but folders above it that the change itself does not take away. */
function isFree(files: Files, path: string, changes: PathChange[]): boolean {
  try {
    const above = parentsOf(path);
    for (const folder of above) {
      const standing = files.standing(folder);
      if (standing === undefined) return true;
      if (standing.kind !== "folder") return changes.some((change) => change.path === folder);
    }
    return files.standing(path) === undefined;
  } catch {
    return false;
  }
}

/** From the highest to the nearest. */
function parentsOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [...parentsOf(folder), folder];
}

/** What `--raw -z` says: fields, then a path. */
function pairs(parts: string[]): { fields: string[]; path: string }[] {
  return parts.flatMap((fields, at) =>
    at % 2 === 0 ? [{ fields: fields.replace(/^:/, "").split(" "), path: parts[at + 1] ?? "" }] : [],
  );
}

function entry(mode = "", object = ""): string | undefined {
  return mode === "000000" ? undefined : `${mode} ${object}`;
}

function named(paths: string[]): string {
  const more = paths.length - MOST_NAMED;
  return `${paths.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
