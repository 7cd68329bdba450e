import { HallError } from "../../contract/errors.ts";
import { noteChange, noteKept } from "../files/change-watch.ts";
import { syncFiles } from "../files/durable-paths.ts";
import type { Files } from "../files/files.ts";
import { applyLogged, type Logged, type Waiting } from "./applying.ts";
import { type Append, CHANGE_FORMAT, type Committed, type LoggedChange, type Write } from "./change.ts";
import { replayChanges } from "./change-replay.ts";
import { CHANGES_FOLDER, createSegment, type Segment } from "./change-segment.ts";
import { type Gathered, Gathering, Member, ReadyChange } from "./gathering.ts";
import type { Ends, PreparedWrite } from "./prepared.ts";
import { preparedAppend, prepareWrite } from "./prepared-write.ts";
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
  /** Lines were refused since nothing was under way. */
  #hasRefused = false;
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
    // First: a file that a crash left with the name of a spare one too would not be read.
    files.makeAhead(CHANGES_FOLDER);
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
      do await this.#ready([change]);
      while (this.#isUnsettled);
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
        if (this.#isUnsettled) continue;
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
    this.#files.endAhead();
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
    while (this.#isUnsettled) await this.#whenIdle();
    this.#hasRefused = false;
    this.#segment.log.recover();
    this.#retryUnapplied();
    const paths = new Set(wanted.flatMap(({ prepared }) => prepared.map(({ write }) => write.path)));
    const waiting = this.#unapplied.find(({ prepared: { write } }) => write.kind === "append" || paths.has(write.path));
    if (waiting !== undefined)
      throw new HallError("storage_failed", "An earlier change has not been written to its file yet.", {
        hint: "Check free space and permissions of the workspace, then retry.",
      });
  }

  /**
   * Lines were refused, and others are under way: where the files end, and which numbers were given, is certain again only
   * when those are in their files.
   */
  get #isUnsettled(): boolean {
    return this.#underWay > 0 && (this.#hasRefused || this.#segment.log.hasFailed);
  }

  /** One line for all of them. Never rejects: each is told by itself. */
  async #logAndApply(changes: readonly ReadyChange[]): Promise<void> {
    this.#underWay++;
    try {
      const { segment, parts } = await this.#log(changes);
      const applied = applyLogged(this.#files, parts, this.#waitingIn(segment));
      for (const [at, committed] of applied.entries()) changes[at]?.resolve(committed);
      if (this.#unapplied.length > 0) this.#retrySoon();
    } catch (error) {
      for (const change of changes) change.reject(error);
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  async #log(changes: readonly ReadyChange[]): Promise<{ segment: Segment; parts: Logged[] }> {
    const segment = this.#segment;
    try {
      const parts = changes.map(({ prepared }): Logged => ({ prepared, own: prepared.length }));
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
      this.#hasRefused = true;
      this.failures++;
      throw error;
    }
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
    const earlier = this.#unapplied;
    this.#unapplied = [];
    for (const { segment, prepared } of earlier) {
      const left = this.#unapplied.length;
      applyLogged(this.#files, [{ prepared: [prepared], own: 1 }], this.#waitingIn(segment));
      if (this.#unapplied.length === left) prepared.close();
    }
  }

  #waitingIn(segment: Segment): Waiting {
    return {
      isWaiting: (path) => this.#unapplied.some(({ prepared: { write } }) => write.path === path),
      refuse: (prepared) => this.#unapplied.push({ segment, prepared }),
    };
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
