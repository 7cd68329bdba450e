import type { Delivery } from "../contract/delivery.ts";
import type { Actor } from "../contract/event.ts";
import type { JournalEntry } from "../contract/journal.ts";
import { BookLine, type Asker, type Verdict } from "../contract/run-book.ts";
import type { Run, RunPlan, RunReflection } from "../contract/run.ts";
import type { LaterAnswer, Parked } from "../contract/waiting.ts";
import { durableLines, lineText } from "../store/durable-line.ts";
import type { Files } from "../store/files.ts";
import type { Log } from "../store/log.ts";
import type { Core } from "../workspace/core.ts";
import { PROJECTS_FOLDER, projectRoot } from "../workspace/layout.ts";
import type { IndexedRun, RunRows } from "../workspace/records.ts";
import { runIdOf, withLine } from "./book-line.ts";
import { Journals } from "./journals.ts";

const SEEN_SEQ = "runs seq";
const bookLines = durableLines(BookLine);

/** Puts what is on disk into the index; to be called with the event that tells of it. */
export type Show = () => void;

/** What reading a book brought that the index had not seen. */
export interface LoadedBook {
  lines: BookLine[];
  /** The index knew nothing of it: it may have come from elsewhere, or the index was built anew. */
  isWhole: boolean;
  /** Has the index remember how far it was read; until then a crash lets it be read again. */
  seen: Show;
}

const NOTHING_NEW: LoadedBook = { lines: [], isWhole: false, seen: () => undefined };

/** A line on its way into the index, and where the book ends behind it. */
interface Unshown {
  end: number;
  isShown: boolean;
}

interface OpenBook {
  log: Log;
  /** Where the next line will start. */
  end: number;
}

/**
 * The daemon's own record of every run: runs/index.jsonl of each project, and the table that answers questions about it.
 * The index knows up to which byte it has seen a book, so that a start reads only what a crash left out.
 */
export class RunBook {
  readonly #files: Files;
  readonly #journals: Journals;
  readonly #index: RunRows;
  readonly #events: Core["events"];
  readonly #open = new Map<string, OpenBook>();
  /** Lines of each book that are on their way, in the order in which they stand there. */
  readonly #unshown = new Map<string, Unshown[]>();

  constructor(core: Pick<Core, "files" | "runRows" | "events">) {
    this.#files = core.files;
    this.#journals = new Journals(core.files);
    this.#index = core.runRows;
    this.#events = core.events;
  }

  /** The newest event when the index last took in a line. Lines under way at the same time may have slightly older ones. */
  get seenSeq(): number {
    return Number(this.#index.files.meta(SEEN_SEQ) ?? 0);
  }

  /** Durable when it resolves: the run's journal with its plan, and the line that says there is such a run. */
  async create(
    first: Extract<JournalEntry, { type: "plan" }>,
    run: Run,
    origin: { callId?: string | undefined; by: Asker },
  ): Promise<Show> {
    const folder = `${projectRoot(run.projectId)}/runs/${run.createdAt.slice(0, 10)}`;
    const journal = `${folder}/${run.id}.jsonl`;
    await this.#files.ensureFolder(folder);
    await this.#files.createLog(journal, lineText(first));
    this.#journals.keep(first.plan);
    return this.#append(run.projectId, { type: "created", run, journal, ...origin });
  }

  async leased(known: IndexedRun, epoch: number, at: string): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "leased", runId: known.run.id, epoch, at });
  }

  async crashed(known: IndexedRun, crash: { epoch: number; cause: string; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "crashed", runId: known.run.id, ...crash });
  }

  async messaged(known: IndexedRun, message: { id: string; text: string; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "message", runId: known.run.id, ...message });
  }

  /** Durable when it resolves. */
  async cancelling(known: IndexedRun, cancel: { reason: string; by?: Actor | undefined; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "cancelling", runId: known.run.id, ...cancel });
  }

  /** Durable when it resolves. */
  notified(known: IndexedRun, note: { callId: string; text: string; at: string }): Promise<Show> {
    return this.#append(known.run.projectId, { type: "notified", runId: known.run.id, ...note });
  }

  /** Durable and shown when it resolves. */
  async waiting(known: IndexedRun, by: { parked: Parked; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "waiting", runId: known.run.id, ...by });
  }

  /** Durable and shown when it resolves. */
  async resumed(known: IndexedRun, by: { callId?: string; answer?: LaterAnswer; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "resumed", runId: known.run.id, ...by });
  }

  settled(run: Run, epoch: number): Promise<Show> {
    this.#journals.forget(run.id);
    return this.#append(run.projectId, { type: "settled", run, epoch });
  }

  /** Durable when it resolves. */
  reflected(known: IndexedRun, reflection: RunReflection): Promise<Show> {
    return this.#append(known.run.projectId, { type: "reflected", runId: known.run.id, reflection });
  }

  /** Durable when it resolves. */
  reviewed(known: IndexedRun, review: Verdict & { by: Asker; at: string }): Promise<Show> {
    return this.#append(known.run.projectId, { type: "reviewed", runId: known.run.id, ...review });
  }

  /** Durable and shown when it resolves. */
  async hindered(known: IndexedRun, by: { delivery: Delivery; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "hindered", runId: known.run.id, ...by });
  }

  /** Durable and shown when it resolves. */
  async superseded(known: IndexedRun, by: { delivery: Delivery; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "superseded", runId: known.run.id, ...by });
  }

  /** Durable and shown when it resolves. */
  async returned(known: IndexedRun, by: { delivery: Delivery; from: string; at: string }): Promise<void> {
    await this.#appendShown(known.run.projectId, { type: "returned", runId: known.run.id, ...by });
  }

  /** As the first line of its journal says. */
  planOf({ run, journal }: IndexedRun): RunPlan | undefined {
    return this.#journals.planOf(run.id, journal);
  }

  journalOf({ journal }: IndexedRun): JournalEntry[] {
    return this.entriesIn(journal);
  }

  /** `through`: entries that begin behind so many bytes are left out. */
  entriesIn(journal: string, through?: number): JournalEntry[] {
    return this.#journals.entriesIn(journal, through);
  }

  /** Reads every book as far as the index has not seen it; answers what was new. */
  loadAll(): LoadedBook[] {
    return this.#files.folders(PROJECTS_FOLDER).map((projectId) => this.load(projectId));
  }

  /** Brings an index that was emptied up to what the books hold, lines that were on their way to it included. */
  refill(): void {
    for (const projectId of this.#files.folders(PROJECTS_FOLDER)) {
      this.#loadFile(projectId, { evenIfOpen: true }).seen();
      const seen = this.#index.files.get(bookPath(projectId))?.size ?? 0;
      this.#unshown.set(projectId, this.#unshown.get(projectId)?.filter(({ end }) => end > seen) ?? []);
    }
  }

  load(projectId: string): LoadedBook {
    return this.#loadFile(projectId, { evenIfOpen: false });
  }

  #loadFile(projectId: string, { evenIfOpen }: { evenIfOpen: boolean }): LoadedBook {
    const path = bookPath(projectId);
    const stamp = this.#files.stamp(path);
    if (stamp === undefined) return NOTHING_NEW;
    const seen = this.#index.files.get(path);
    const isSame = seen !== undefined && seen.inode === stamp.inode && seen.size <= stamp.size;
    // A book that is being written comes into the index line by line.
    if (isSame && (seen.size === stamp.size || (!evenIfOpen && this.#open.has(projectId)))) return NOTHING_NEW;
    return this.#index.transaction(() => {
      if (!isSame) this.#index.runs.removeProject(projectId);
      const { lines, end } = this.#read(projectId, isSame ? seen.size : 0);
      return { lines, isWhole: !isSame, seen: () => this.#noteSeen(path, end) };
    });
  }

  /** The project's folder is gone from its place. */
  async forget(projectId: string): Promise<void> {
    const book = this.#open.get(projectId);
    this.#open.delete(projectId);
    this.#unshown.delete(projectId);
    await book?.log.close();
  }

  async close(): Promise<void> {
    for (const projectId of [...this.#open.keys()]) await this.forget(projectId);
  }

  #read(projectId: string, from: number): { lines: BookLine[]; end: number } {
    const lines: BookLine[] = [];
    const changed = new Map<string, IndexedRun>();
    const path = bookPath(projectId);
    const read = bookLines(this.#files, path);
    let end = from;
    this.#files.scanLog(path, from, (text, offset) => {
      end = offset + Buffer.byteLength(text) + 1;
      const line = read(text);
      if (line === undefined) return true;
      const id = runIdOf(line);
      const next = withLine(changed.get(id) ?? this.#index.runs.get(id), line);
      // A copied folder brings along the book of the project it was copied from.
      if (next?.run.projectId !== projectId) return true;
      changed.set(id, next);
      lines.push(line);
      return true;
    });
    for (const run of changed.values()) this.#index.runs.put(run);
    return { lines, end };
  }

  async #appendShown(projectId: string, line: BookLine): Promise<void> {
    (await this.#append(projectId, line))();
    await this.#index.available();
  }

  async #append(projectId: string, line: BookLine): Promise<Show> {
    const book = this.#bookOf(projectId);
    const text = lineText(line);
    book.end += Buffer.byteLength(text) + 1;
    const unshown: Unshown = { end: book.end, isShown: false };
    this.#unshown.set(projectId, [...(this.#unshown.get(projectId) ?? []), unshown]);
    try {
      await book.log.append(text);
    } catch (error) {
      this.#giveUp(projectId, book, unshown);
      throw error;
    }
    return () => this.#show(projectId, line, unshown);
  }

  /** A log that failed once takes nothing more; the next line opens it again and looks where it ends. */
  #giveUp(projectId: string, book: OpenBook, failed: Unshown): void {
    this.#unshown.set(projectId, this.#unshown.get(projectId)?.filter((other) => other !== failed) ?? []);
    if (this.#open.get(projectId) !== book) return;
    this.#open.delete(projectId);
    void book.log.close();
  }

  /** Only when every line before it is in the index does the index count as having seen this one. */
  #show(projectId: string, line: BookLine, unshown: Unshown): void {
    const waiting = this.#unshown.get(projectId);
    if (waiting === undefined || !waiting.includes(unshown)) return;
    unshown.isShown = true;
    this.#index.reflect(() => {
      const known = line.type === "created" ? undefined : this.#index.runs.get(runIdOf(line));
      const next = withLine(known, line);
      if (next !== undefined) this.#index.runs.put(next);
      let seen: number | undefined;
      while (waiting[0]?.isShown) seen = waiting.shift()?.end;
      if (seen !== undefined) this.#noteSeen(bookPath(projectId), seen);
      this.#index.files.setMeta(SEEN_SEQ, this.#events.head());
    });
  }

  #noteSeen(path: string, size: number): void {
    const inode = this.#files.stamp(path)?.inode;
    if (inode !== undefined) this.#index.transaction(() => this.#index.files.put(path, { mtime: 0, size, inode }, ""));
  }

  #bookOf(projectId: string): OpenBook {
    let book = this.#open.get(projectId);
    if (book === undefined || book.log.isGone) {
      void book?.log.close();
      book = this.#files.openLogEnd(bookPath(projectId));
      this.#open.set(projectId, book);
    }
    return book;
  }
}

function bookPath(projectId: string): string {
  return `${projectRoot(projectId)}/runs/index.jsonl`;
}
