import { HallError } from "../../contract/errors.ts";
import { noteChange, noteKept } from "../files/change-watch.ts";
import { ChangedMeanwhile } from "../files/draft-file.ts";
import { syncFiles } from "../files/durable-paths.ts";
import type { Files } from "../files/files.ts";
import type { Stamp } from "../files/regular-file.ts";
import { type Append, CHANGE_FORMAT, type Committed, type LoggedChange, type Write } from "./change.ts";
import { replayChanges } from "./change-replay.ts";
import { CHANGES_FOLDER, createSegment, type Segment } from "./change-segment.ts";
import { type Gathered, Gathering, Member, ReadyChange } from "./gathering.ts";
import { type Applied, type Ends, type PreparedWrite, preparedAppend, prepareWrite } from "./prepared-write.ts";
import { touch } from "./touched-paths.ts";

/** A segment that has grown so large, or tells of so many changes, is followed by a new one. */
const SEGMENT_BYTES = 8 * 1024 * 1024;
const SEGMENT_CHANGES = 1_000;
/** How soon a file that the disk refused is tried again. */
const RETRY_MS = 200;

export interface ChangeLogOptions {
  segmentBytes?: number;
  segmentChanges?: number;
}

export interface Change {
  writes: readonly Write[];
  /** Lines whose text depends on their place in the log. Called right before the log is written; nothing is awaited. */
  lines?: () => Append[];
  /** As a member, the change waits for the others; a gathering is logged with its last change. */
  gathered?: Gathered | undefined;
}

interface Part {
  change: ReadyChange;
  own: number;
}

interface Unapplied {
  segment: Segment;
  prepared: PreparedWrite;
}

/**
 * Every change of the workspace's documents, with its content: one line, one wait for the disk. A change is durable when
 * its line is; the files follow, and are synced later, many at once (checkpoint). After a crash the log is replayed.
 *
 * The caller keeps others from changing the same files between the look at them and the end of `commit`.
 */
export class ChangeLog {
  readonly #files: Files;
  readonly #limits: Required<ChangeLogOptions>;
  #segment: Segment;
  /** Older ones, whose files may not be on the disk yet. */
  #older: Pick<Segment, "path" | "touched">[] = [];
  #number = 0;
  #ends: Ends = new Map();
  /** Writes that the files did not take; in their order. */
  #unapplied: Unapplied[] = [];
  #underWay = 0;
  #idle: (() => void)[] = [];
  #rotating: Promise<void> | undefined;
  #checkpointing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #retrying: NodeJS.Timeout | undefined;
  /** How often the log refused lines: whoever counts lines in memory has to look at the files again. */
  failures = 0;

  private constructor(files: Files, segment: Segment, options: ChangeLogOptions) {
    this.#files = files;
    this.#segment = segment;
    this.#limits = { segmentBytes: SEGMENT_BYTES, segmentChanges: SEGMENT_CHANGES, ...options };
  }

  /** Brings the files up to what the log tells, and begins a new segment. */
  static async open(files: Files, options: ChangeLogOptions = {}): Promise<ChangeLog> {
    await files.ensureFolder(CHANGES_FOLDER);
    const { segments, newest } = replayChanges(files);
    const log = new ChangeLog(files, createSegment(files, (segments.at(-1)?.number ?? 0) + 1), options);
    log.#number = newest;
    log.#older = segments;
    if (segments.length > 0) log.#checkpointSoon();
    return log;
  }

  /**
   * Resolves when the change is durable. Rejects with nothing changed when the disk refuses it, or a file is not what it
   * was made from (ChangedMeanwhile).
   */
  async commit({ writes, lines = () => [], gathered }: Change): Promise<Committed> {
    const change = new ReadyChange(lines);
    try {
      for (const write of writes) change.prepared.push(await prepareWrite(this.#files, write));
      const isLater = gathered instanceof Member && gathered.arrive(change, () => void this.#logAlone(change));
      if (gathered instanceof Gathering) await this.#logGathered(gathered, change);
      else if (!isLater) await this.#logAlone(change);
      return await change.committed;
    } finally {
      for (const one of change.prepared) if (!this.#unapplied.some((left) => left.prepared === one)) one.close();
    }
  }

  /** Resolves when it is on its way to the log, or was refused. */
  async #logAlone(change: ReadyChange): Promise<void> {
    try {
      await this.#ready([change]);
      for (const one of change.prepared) one.check();
      // From here to the log nothing is awaited, so that the order of lines is the order of changes.
      void this.#logAndApply([change]);
    } catch (error) {
      change.reject(error);
    }
  }

  /** The last change of a gathering takes along those that wait for it. */
  async #logGathered(gathering: Gathering, last: ReadyChange): Promise<void> {
    try {
      for (;;) {
        await gathering.complete();
        await this.#ready([...gathering.waiting, last]);
        for (const one of last.prepared) one.check();
        const others = gathering.take();
        if (others === undefined) continue;
        void this.#logAndApply([...others, last]);
        return;
      }
    } catch (error) {
      last.reject(error);
    }
  }

  /** Resolves when nothing that was committed before the call needs the log any more, and none of it is left there. */
  async checkpoint(): Promise<void> {
    await this.#rotate();
    await this.#checkpointing;
    await this.#checkpoint();
  }

  /** Leaves nothing in the log when the disk takes everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#whenIdle();
    clearTimeout(this.#retrying);
    await this.#rotating;
    await this.#checkpointing?.catch(() => undefined);
    try {
      this.#retryUnapplied();
      await this.#segment.durable;
      this.#older.push(this.#segment);
      await this.#checkpoint();
    } catch {
      // The next start finds the log and goes on from there.
    } finally {
      await this.#segment.log.close();
    }
  }

  /** Resolves when a change may be logged: the log works, and what earlier ones left is in the files. */
  async #ready(wanted: readonly ReadyChange[]): Promise<void> {
    while (this.#rotating !== undefined) await this.#rotating;
    const { bytes, changes } = this.#segment;
    if (bytes >= this.#limits.segmentBytes || changes >= this.#limits.segmentChanges) {
      await this.#rotate();
      this.#checkpointSoon();
    }
    await this.#segment.durable.catch(() => this.#rotate());
    this.#segment.log.recover();
    this.#retryUnapplied();
    const paths = new Set(wanted.flatMap(({ prepared }) => prepared.map(({ write }) => write.path)));
    const waiting = this.#unapplied.find(({ prepared: { write } }) => write.kind === "append" || paths.has(write.path));
    if (waiting !== undefined)
      throw new HallError("storage_failed", "An earlier change has not been written to its file yet.", {
        hint: "Check free space and permissions of the workspace, then retry.",
      });
  }

  /** One line for all of them. Never rejects: each is told by itself. */
  async #logAndApply(changes: readonly ReadyChange[]): Promise<void> {
    this.#underWay++;
    try {
      const { segment, parts } = await this.#log(changes);
      for (const { change, own } of parts) change.resolve(this.#apply(change.prepared, { segment, own }));
      if (this.#unapplied.length > 0) this.#retrySoon();
    } catch (error) {
      for (const change of changes) change.reject(error);
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** `own`: how many of its writes are the change itself. Lines that only tell of it may reach their file later. */
  async #log(changes: readonly ReadyChange[]): Promise<{ segment: Segment; parts: Part[] }> {
    const segment = this.#segment;
    try {
      const parts = changes.map((change): Part => ({ change, own: change.prepared.length }));
      for (const { prepared, lines } of changes)
        prepared.push(...lines().map((one) => preparedAppend(this.#files, one)));
      const writes = changes.flatMap(({ prepared }) => prepared.map((one) => one.logged(this.#ends)));
      const change: LoggedChange = { format: CHANGE_FORMAT, number: ++this.#number, at: Date.now(), writes };
      const line = JSON.stringify(change);
      await segment.log.append(line);
      segment.bytes += Buffer.byteLength(line);
      segment.changes++;
      for (const write of writes) touch(segment.touched, write);
      noteChange();
      noteKept();
      return { segment, parts };
    } catch (error) {
      this.#ends.clear();
      this.failures++;
      throw error;
    }
  }

  #apply(prepared: readonly PreparedWrite[], { segment, own }: { segment: Segment; own: number }): Committed {
    const stamps = new Map<string, Stamp>();
    const ends = new Map<string, number>();
    let state: Committed["state"] = "applied";
    for (const [at, one] of prepared.entries()) {
      try {
        note(
          one.write,
          twice(() => one.apply()),
          { stamps, ends },
        );
      } catch (error) {
        if (error instanceof ChangedMeanwhile) {
          if (state === "applied") state = "overtaken";
        } else {
          if (at < own) state = "waiting";
          this.#unapplied.push({ segment, prepared: one });
        }
      }
    }
    return { state, stamps, ends };
  }

  /** The disk may take it in a moment, whether or not another change comes. */
  #retrySoon(): void {
    clearTimeout(this.#retrying);
    this.#retrying = setTimeout(() => {
      this.#retryUnapplied();
      if (this.#unapplied.length > 0) this.#retrySoon();
    }, RETRY_MS).unref();
  }

  #retryUnapplied(): void {
    const left: Unapplied[] = [];
    for (const one of this.#unapplied) {
      try {
        // A line comes after those before it.
        if (left.some(({ prepared }) => prepared.write.path === one.prepared.write.path)) left.push(one);
        else one.prepared.apply();
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile)) left.push(one);
      }
    }
    for (const { prepared } of this.#unapplied.filter((one) => !left.includes(one))) prepared.close();
    this.#unapplied = left;
  }

  /** New changes go to a new segment, once those under way are in their files. */
  #rotate(): Promise<void> {
    this.#rotating ??= this.#startSegment().finally(() => {
      this.#rotating = undefined;
    });
    return this.#rotating;
  }

  async #startSegment(): Promise<void> {
    const old = this.#segment;
    const next = createSegment(this.#files, old.number + 1);
    try {
      await next.durable;
    } catch (error) {
      await next.log.close();
      this.#files.discard(next.path);
      throw error;
    }
    // Changes that found the log ready before this began go to the old one; later ones wait.
    await this.#whenIdle();
    this.#segment = next;
    this.#older.push(old);
    await old.log.close();
  }

  #checkpointSoon(): void {
    this.#checkpointing ??= this.#checkpoint()
      // The log stays, and grows, until the disk takes it.
      .catch(() => undefined)
      .finally(() => {
        this.#checkpointing = undefined;
      });
  }

  /** Syncs what older segments tell of, then removes them. */
  async #checkpoint(): Promise<void> {
    while (this.#older.length > 0) {
      const [segment] = this.#older;
      if (segment === undefined || this.#unapplied.some((left) => left.segment === segment)) return;
      await syncFiles(this.#files.root, [...segment.touched]);
      this.#files.discard(segment.path);
      await this.#files.syncFolder(CHANGES_FOLDER);
      this.#older = this.#older.filter((other) => other !== segment);
    }
  }

  #whenIdle(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }
}

function note(
  write: Write,
  { stamp, end }: Applied,
  { stamps, ends }: { stamps: Map<string, Stamp>; ends: Ends },
): void {
  if (stamp !== undefined) stamps.set((write.kind === "put" ? write.to : undefined) ?? write.path, stamp);
  if (end !== undefined) ends.set(write.path, end);
}

/** A fault of a moment is not worth a word. */
function twice<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ChangedMeanwhile) throw error;
    return work();
  }
}
