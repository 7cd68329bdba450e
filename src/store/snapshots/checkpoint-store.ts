import { join } from "node:path";
import type { Rollback } from "../../contract/runs/checkpoint.ts";
import { Files } from "../files/files.ts";
import { ObjectStore } from "./object-store.ts";
import { PassingObjects } from "./passing-objects.ts";
import { StatCache } from "./stat-cache.ts";
import {
  isWholeTree,
  linksIn,
  objectsOf,
  type PathChange,
  partsOf,
  pathsIn,
  stateIn,
  type TreeState,
  treeDifference,
} from "./tree-objects.ts";
import { type Move, TreeRestore } from "./tree-restore.ts";
import { type ScannedTree, TreeScan } from "./tree-scan.ts";

/** More new contents than this are made safe while the work they were kept for begins. */
const SYNCED_AT_ONCE = 256;
const RECORDS = "records";
const CACHE = "stat-cache.json";

/** The request that asked for a rollback, and what it was answered. */
interface AnsweredRollback {
  key: string;
  fingerprint: string;
  answer: Rollback;
}

export type CheckpointReason = "run-start" | "run-end" | "merge" | "merged" | "revert" | "reverted" | "rollback";

/** One file in `records/`. Written when everything it needs is kept. */
export interface CheckpointRecord extends ScannedTree {
  id: string;
  at: string;
  reason: CheckpointReason;
  /** The folder that was kept. */
  workdir: string;
  /** Of a checkpoint that only looked at these paths: of all others it says nothing. */
  paths?: string[] | undefined;
  runId?: string | undefined;
  /** Of a rollback: to where, what it was about to change, and whether it came to its end. */
  rollback?: { to: string; moves: Move[]; isDone: boolean; answered?: AnsweredRollback } | undefined;
}

export interface TreeLimits {
  longestFile: number;
  mostFiles: number;
}

interface Reading extends TreeLimits {
  workdir: string;
  without: ReadonlySet<string>;
  previous?: string | undefined;
  frozenRules?: boolean | undefined;
  only?: readonly string[] | undefined;
  isControl?: ((path: string) => boolean) | undefined;
}

export interface Glance {
  changes: PathChange[];
  contentOf: (state: TreeState) => Buffer | undefined;
}

/** The checkpoints of one project, in a folder of the hall's own. Nothing of the person's is touched but by `restore`. */
export class CheckpointStore {
  readonly #files: Files;
  readonly #objects: ObjectStore;
  /** By working folder; a project may get another one. */
  readonly #caches = new Map<string, StatCache>();
  #records: CheckpointRecord[] | undefined;

  constructor(folder: string) {
    this.#files = new Files(folder);
    this.#objects = new ObjectStore(join(this.#files.root, "objects"));
  }

  /** Keeps what a folder holds now; safe when it is written down. */
  async keep({ workdir, ...reading }: Reading): Promise<ScannedTree> {
    const looked = { ...reading, root: workdir, objects: this.#objects };
    // What is not looked at would be forgotten by the cache.
    if (reading.only !== undefined) return new TreeScan({ ...looked, cache: new StatCache() }).scan();
    const cache = this.#caches.get(workdir) ?? this.#loadCache();
    this.#caches.clear();
    this.#caches.set(workdir, cache);
    const kept = await new TreeScan({ ...looked, cache }).scan();
    const text = cache.turn();
    if (text !== undefined) this.#files.replaceGenerated(CACHE, text);
    return kept;
  }

  /** What differs in a folder now from a tree that is kept; nothing is written. `contentOf`: undefined for what is too much. */
  async glance({ workdir, ...reading }: Reading & { previous: string }): Promise<Glance> {
    const cache = this.#caches.get(workdir) ?? new StatCache();
    const objects = new PassingObjects(this.#objects);
    const looked = { ...reading, root: workdir, objects, cache: cache.passing, isGlance: true };
    const { tree } = await new TreeScan(looked).scan();
    return {
      changes: treeDifference(objects, reading.previous, tree),
      contentOf: (state) => objects.readIfHeld(partsOf(state).hash),
    };
  }

  /** What the disk has lost is read and kept anew. */
  #loadCache(): StatCache {
    const cache = StatCache.load(join(this.#files.root, CACHE));
    cache.keepOnly((hash) => this.#objects.has(hash));
    return cache;
  }

  /** What `write` left to do: contents that a power cut could still take. */
  sync(): Promise<void> {
    return this.#objects.sync();
  }

  /** Durable when it resolves, with what was kept for it, unless that was very much. */
  async write(record: CheckpointRecord): Promise<void> {
    if (this.#objects.unsynced <= SYNCED_AT_ONCE) await this.#objects.sync();
    await this.#files.ensureFolder(RECORDS);
    await this.#files.replace(`${RECORDS}/${record.id}.json`, JSON.stringify(record));
    this.note(record);
  }

  /** Counts a record before it is written. */
  note(record: CheckpointRecord): void {
    const others = this.records().filter(({ id }) => id !== record.id);
    const last = others.at(-1);
    this.#records = [...others, record];
    if (last !== undefined && byId(record, last) < 0) this.#records.sort(byId);
  }

  /** In the order they were taken. */
  records(): readonly CheckpointRecord[] {
    this.#records ??= this.#files
      .names(RECORDS)
      .flatMap((name) => parsed(this.#files.text(`${RECORDS}/${name}`)) ?? []);
    return this.#records;
  }

  /** Removes records, then whatever only they needed. A crash in between leaves contents that the next one removes. */
  prune(ids: readonly string[]): void {
    for (const id of ids) this.#files.discard(`${RECORDS}/${id}.json`);
    this.#files.discard(CACHE);
    // Those that are noted and not yet written stay.
    this.#records = this.records().filter(({ id }) => !ids.includes(id));
    const needed = new Set<string>();
    for (const record of this.records()) {
      objectsOf(this.#objects, record.tree, needed);
      for (const { from, to } of record.rollback?.moves ?? [])
        for (const state of [from, to]) if (state?.startsWith("f ")) needed.add(state.split(" ")[2] ?? "");
    }
    for (const cache of this.#caches.values()) cache.keepOnly((hash) => needed.has(hash));
    this.#objects.sweep((hash) => needed.has(hash));
  }

  difference(before: string, after: string): PathChange[] {
    return treeDifference(this.#objects, before, after);
  }

  /** Whether everything is there that tells what a folder held; its contents are looked at only when they are needed. */
  isWhole(tree: string, known = new Map<string, boolean>()): boolean {
    return isWholeTree(this.#objects, tree, known);
  }

  linksIn(tree: string): ReturnType<typeof linksIn> {
    return linksIn(this.#objects, tree);
  }

  pathsIn(tree: string): Iterable<string> {
    return pathsIn(this.#objects, tree);
  }

  stateIn(tree: string, path: string): TreeState | undefined {
    return stateIn(this.#objects, tree, path);
  }

  /** The bytes of a file's state. */
  read(hash: string): Buffer {
    return this.#objects.read(hash);
  }

  has(hash: string): boolean {
    return this.#objects.has(hash);
  }

  restoring(workdir: string, { longestFile }: Pick<TreeLimits, "longestFile">): TreeRestore {
    return new TreeRestore(workdir, this.#objects, longestFile);
  }
}

function byId(left: CheckpointRecord, right: CheckpointRecord): number {
  return left.id < right.id ? -1 : 1;
}

function parsed(text: string): CheckpointRecord | undefined {
  try {
    return JSON.parse(text) as CheckpointRecord;
  } catch {
    return undefined;
  }
}
