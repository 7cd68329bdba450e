import { dirname } from "node:path";
import type { Actor, EventDraft } from "../../contract/event.ts";
import type { Delivery } from "../../contract/runs/delivery.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run, RunPlan, RunReflection } from "../../contract/runs/run.ts";
import { type Asker, BookLine, type Verdict } from "../../contract/runs/run-book.ts";
import type { LaterAnswer, Parked } from "../../contract/runs/waiting.ts";
import type { Write } from "../../store/changes/change.ts";
import type { Gathering } from "../../store/changes/gathering.ts";
import type { Files } from "../../store/files/files.ts";
import { durableLines, lineText } from "../../store/logs/durable-line.ts";
import { type Committing, type Core, commit, keep } from "../../workspace/core.ts";
import { bookPath, PROJECTS_FOLDER, projectRoot } from "../../workspace/layout.ts";
import { isOldBookLine } from "../../workspace/migrations/run-lines.ts";
import type { IndexedRun, RunRows } from "../../workspace/records.ts";
import type { Placed, Together } from "../../workspace/together.ts";
import type { SaidToRun } from "../team-mail.ts";
import { runIdOf, withLine } from "./book-line.ts";
import { BrokenLines } from "./broken-lines.ts";
import { Journals } from "./journals.ts";
import {
  createdEvent,
  endedEvent,
  hinderedEvent,
  notifiedEvent,
  reflectedEvent,
  resumedEvent,
  startedEvent,
  waitingEvent,
} from "./run-events.ts";

const SEEN_SEQ = "runs seq";
const bookLines = durableLines(BookLine);

/** Puts what is on disk into the index; to be called with the event that tells of it. */
export type Show = () => void;

/** What reading a book brought that the index had not seen. */
export interface LoadedBook {
  lines: BookLine[];
  /** The index knew nothing of it: it may have come from elsewhere, or the index was built anew. */
  isWhole: boolean;
  /** It was copied from an older workspace: nothing of it counts before it is migrated. */
  isOld: boolean;
  /** Has the index remember how far it was read; until then a crash lets it be read again. */
  seen: Show;
}

const NOTHING_NEW: LoadedBook = { lines: [], isWhole: false, isOld: false, seen: () => undefined };

/** Of a run that is created with it. */
export interface NewLease {
  epoch: number;
  at: string;
}

/** Who asked for a run, and for whom. */
export type Origin = Pick<Extract<BookLine, { type: "created" }>, "by" | "callId" | "clients">;

/** Where a line stands that the index shows. */
interface Shown {
  start: number;
  end: number;
}

/** More of them wait for a line before them only when a person has changed the book; then that is not waited for. */
const MOST_WAITING = 100;

/**
 * The daemon's own record of every run: runs/index.jsonl of each project, and the table that answers questions about it.
 * The index knows up to which byte it has seen a book, so that a start reads only what a crash left out.
 */
export class RunBook {
  readonly #core: Committing;
  readonly #files: Files;
  readonly #journals: Journals;
  readonly #index: RunRows;
  /** Lines of each book that is written to which the index shows before others that stand before them. */
  readonly #open = new Map<string, Shown[]>();
  /** Folders of journals whose names are on the disk. */
  readonly #durable = new Set<string>();

  constructor(core: Committing & Pick<Core, "files" | "runRows">) {
    this.#core = core;
    this.#files = core.files;
    this.#journals = new Journals(core.files);
    this.#index = core.runRows;
  }

  /** The newest event when the index last took in a line. Lines under way at the same time may have slightly older ones. */
  get seenSeq(): number {
    return Number(this.#index.files.meta(SEEN_SEQ) ?? 0);
  }

  /**
   * A new run: its journal with its plan, the line that says there is such a run, and the event that tells of it. `lease`: it
   * starts at once, and the line and the event of that come along.
   */
  async created(
    first: Extract<JournalEntry, { type: "plan" }>,
    run: Run,
    { lease, ...origin }: Origin & { lease?: NewLease | undefined },
  ): Promise<Together> {
    const journal = `${projectRoot(run.projectId)}/${journalOf(run)}`;
    await this.#makeDurable(dirname(journal));
    const line = this.#journals.begin(first);
    const lines: BookLine[] = [
      { type: "created", run, journal, ...origin },
      ...(lease === undefined ? [] : [{ type: "leased" as const, runId: run.id, ...lease }]),
    ];
    const { writes, show } = this.#linesOf(run.projectId, lines);
    const plan = { kind: "append" as const, path: journal, line };
    const started = lease === undefined ? [] : [startedEvent({ ...run, attempt: lease.epoch })];
    return { events: [createdEvent(run, origin.by), ...started], writes: [plan, ...writes], apply: show };
  }

  /** The project's process writes to journals by itself, and syncs the folder that they are in, but none above it. */
  async #makeDurable(folder: string): Promise<void> {
    if (this.#durable.has(folder) && this.#files.exists(folder)) return;
    this.#files.makeFolder(folder);
    for (let above = dirname(folder); above !== "."; above = dirname(above)) await this.#files.syncFolder(above);
    this.#durable.add(folder);
  }

  async leased(known: IndexedRun, epoch: number, at: string): Promise<void> {
    const event = startedEvent({ ...known.run, attempt: epoch });
    await this.#record(known.run.projectId, { type: "leased", runId: known.run.id, epoch, at }, event);
  }

  async crashed(known: IndexedRun, crash: { epoch: number; cause: string; at: string }): Promise<void> {
    await this.#record(known.run.projectId, { type: "crashed", runId: known.run.id, ...crash });
  }

  async messaged(known: IndexedRun, message: SaidToRun & { at: string }): Promise<void> {
    await this.#record(known.run.projectId, { type: "message", runId: known.run.id, ...message });
  }

  /** Durable when it resolves. */
  async modelChanged(known: IndexedRun, change: { model: string; at: string }): Promise<void> {
    await this.#record(known.run.projectId, { type: "model", runId: known.run.id, ...change });
  }

  /** Durable when it resolves. */
  async cancelling(known: IndexedRun, cancel: { reason: string; by?: Actor | undefined; at: string }): Promise<void> {
    await this.#record(known.run.projectId, { type: "cancelling", runId: known.run.id, ...cancel });
  }

  /** Durable when it resolves. */
  async notified(known: IndexedRun, note: { callId: string; text: string; at: string }): Promise<void> {
    const line = { type: "notified" as const, runId: known.run.id, ...note };
    await this.#record(known.run.projectId, line, notifiedEvent(known.run, note));
  }

  /** Durable and shown when it resolves. */
  async waiting(known: IndexedRun, by: { parked: Parked; at: string }): Promise<void> {
    const line = { type: "waiting" as const, runId: known.run.id, ...by };
    await this.#record(known.run.projectId, line, waitingEvent(known.run, by.parked));
  }

  /** Durable and shown when it resolves. */
  async resumed(known: IndexedRun, by: { callId?: string; answer?: LaterAnswer; at: string }): Promise<void> {
    const line = { type: "resumed" as const, runId: known.run.id, ...by };
    await this.#record(known.run.projectId, line, resumedEvent(known.run));
  }

  /** `told`: what the event of its end tells besides. What was gathered becomes durable with it. */
  async settled(run: Run, epoch: number, told: Parameters<typeof endedEvent>[1], gathering?: Gathering): Promise<void> {
    await this.#record(run.projectId, { type: "settled", run, epoch }, endedEvent(run, told), gathering);
  }

  /** Durable when it resolves. */
  async reflected(known: IndexedRun, reflection: RunReflection): Promise<void> {
    const line = { type: "reflected" as const, runId: known.run.id, reflection };
    await this.#record(known.run.projectId, line, reflectedEvent(known.run, reflection));
  }

  /** Durable when it resolves. What follows from it comes before the event, with which it is shown. */
  async reviewed(known: IndexedRun, review: Verdict & { by: Asker; at: string }): Promise<Show> {
    const { writes, show } = this.#linesOf(known.run.projectId, [{ type: "reviewed", runId: known.run.id, ...review }]);
    const placed = await keep(this.#core, writes);
    return () => show(placed);
  }

  /** Durable and shown when it resolves. */
  async hindered(known: IndexedRun, by: { delivery: Delivery; at: string }): Promise<void> {
    const line = { type: "hindered" as const, runId: known.run.id, ...by };
    await this.#record(known.run.projectId, line, hinderedEvent(known.run, by.delivery.reason));
  }

  /** Durable and shown when it resolves. */
  async superseded(known: IndexedRun, by: { delivery: Delivery; at: string }): Promise<void> {
    await this.#record(known.run.projectId, { type: "superseded", runId: known.run.id, ...by });
  }

  /** Durable and shown when it resolves. */
  async returned(known: IndexedRun, by: { delivery: Delivery; from: string; at: string }): Promise<void> {
    await this.#record(known.run.projectId, { type: "returned", runId: known.run.id, ...by });
  }

  /** To be made durable with something else. Shown only while the result waits. */
  judged(known: IndexedRun, by: { delivery: Delivery; at: string }): Together {
    const line = { type: "judged" as const, runId: known.run.id, ...by };
    const { writes, show } = this.#linesOf(known.run.projectId, [line]);
    return { events: [], writes, apply: show };
  }

  /** Nothing more is to be done for the run: who asks for its plan reads it from the journal. */
  forgetPlan(runId: string): void {
    this.#journals.forget(runId);
  }

  /** As the first line of its journal says. */
  planOf({ run, journal }: IndexedRun): RunPlan | undefined {
    return this.#journals.planOf(run.id, journal);
  }

  journalOf({ journal }: IndexedRun): readonly JournalEntry[] {
    return this.entriesIn(journal);
  }

  /** As journalOf, of a run that is over, with the seal of its journal. */
  endedJournalOf({ run, journal }: IndexedRun): ReturnType<Journals["ended"]> {
    return this.#journals.ended(run.id, journal);
  }

  /** `through`: entries that begin behind so many bytes are left out. */
  entriesIn(journal: string, through?: number): readonly JournalEntry[] {
    return this.#journals.entriesIn(journal, through);
  }

  /** Brings an index that was emptied up to what the books hold, lines that were on their way to it included. */
  refill(): void {
    for (const projectId of this.#files.folders(PROJECTS_FOLDER)) this.catchUp(projectId);
  }

  /** Brings the index up to what a book holds: also lines that a full disk took only later. */
  catchUp(projectId: string): void {
    this.#loadFile(projectId, { evenIfOpen: true }).seen();
    const seen = this.#seenTo(projectId);
    const waiting = this.#open.get(projectId);
    if (waiting !== undefined)
      this.#open.set(
        projectId,
        waiting.filter(({ end }) => end > seen),
      );
  }

  /** Whether it is written to. */
  isOpen(projectId: string): boolean {
    return this.#open.has(projectId);
  }

  /** Reads a book as far as the index has not seen it; answers what was new. */
  load(projectId: string): LoadedBook {
    return this.#loadFile(projectId, { evenIfOpen: false });
  }

  #loadFile(projectId: string, { evenIfOpen }: { evenIfOpen: boolean }): LoadedBook {
    const path = bookPath(projectId);
    const stamp = this.#files.stamp(path);
    if (stamp === undefined) return NOTHING_NEW;
    const seen = this.#index.files.get(path);
    // One with broken lines is read whole: a person may have fixed them.
    const isKept = this.isOpen(projectId) || this.#index.files.problemsOf(path).length === 0;
    const isSame = seen !== undefined && seen.inode === stamp.inode && seen.size <= stamp.size && isKept;
    // A book that is being written comes into the index line by line.
    if (isSame && (seen.size === stamp.size || (!evenIfOpen && this.isOpen(projectId)))) return NOTHING_NEW;
    return this.#index.transaction(() => {
      if (!isSame) {
        this.#index.runs.removeProject(projectId);
        this.#index.files.clearProblems(path);
      }
      const { lines, end, isOld } = this.#read(projectId, isSame ? seen.size : 0);
      return { lines, isWhole: !isSame, isOld, seen: () => this.#noteSeen(path, end) };
    });
  }

  /** The project's folder is gone from its place. */
  forget(projectId: string): void {
    this.#open.delete(projectId);
    for (const folder of this.#durable)
      if (folder.startsWith(`${projectRoot(projectId)}/`)) this.#durable.delete(folder);
  }

  #read(projectId: string, from: number): Pick<LoadedBook, "lines" | "isOld"> & { end: number } {
    const broken = new BrokenLines(this.#files, projectId);
    let isOld = false;
    const lines: BookLine[] = [];
    const changed = new Map<string, IndexedRun>();
    const path = bookPath(projectId);
    const read = bookLines(this.#files, path);
    let end = from;
    this.#files.scanLog(path, from, (text, offset) => {
      end = offset + Buffer.byteLength(text) + 1;
      isOld = from === 0 && isOldBookLine(text);
      if (isOld) return false;
      const line = read(text);
      if (line === undefined) {
        broken.add(text, offset);
        return true;
      }
      const id = runIdOf(line);
      const next = withLine(changed.get(id) ?? this.#index.runs.get(id), line);
      // A copied folder brings along the book of the project it was copied from.
      if (next?.run.projectId !== projectId) return true;
      changed.set(id, next);
      lines.push(line);
      return true;
    });
    if (isOld) return { lines: [], end: 0, isOld };
    for (const run of changed.values()) this.#index.runs.put(run);
    for (const problem of broken.problems()) this.#index.files.putProblem(problem);
    return { lines, end, isOld };
  }

  /** Makes a line and the event that follows from it durable together, and shows them. */
  async #record(projectId: string, line: BookLine, event?: EventDraft, gathering?: Gathering): Promise<void> {
    const { writes, show } = this.#linesOf(projectId, [line]);
    if (event !== undefined) return void (await commit(this.#core, event, show, writes, gathering));
    const placed = await keep(this.#core, writes);
    show(placed);
    await this.#index.available();
  }

  #linesOf(projectId: string, lines: readonly BookLine[]): { writes: Write[]; show: (placed: Placed) => void } {
    const path = bookPath(projectId);
    const texts = lines.map(lineText);
    // From here on its lines come into the index one by one.
    if (!this.#open.has(projectId)) this.#open.set(projectId, []);
    const show = ({ ends }: Placed) => {
      const end = ends.get(path);
      const start = (end ?? 0) - texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
      if (end !== undefined) this.#show(projectId, lines, { start, end });
    };
    return { writes: texts.map((line) => ({ kind: "append", path, line })), show };
  }

  /** Lines of one run. Only when every line before them is in the index does the index count as having seen them. */
  #show(projectId: string, lines: readonly BookLine[], at: Shown): void {
    const waiting = this.#open.get(projectId);
    // The project's folder has gone, or the index was filled from the book meanwhile.
    if (waiting === undefined || at.end <= this.#seenTo(projectId)) return;
    waiting.push(at);
    this.#index.reflect(() => {
      const [first] = lines;
      const known = first === undefined || first.type === "created" ? undefined : this.#index.runs.get(runIdOf(first));
      const next = lines.reduce(withLine, known);
      if (next !== undefined) this.#index.runs.put(next);
      const seen = this.#advance(waiting, this.#seenTo(projectId));
      if (seen !== undefined)
        this.#noteSeen(bookPath(projectId), seen, this.#index.files.get(bookPath(projectId))?.inode);
      this.#index.files.setMeta(SEEN_SEQ, this.#core.events.head());
    });
  }

  #advance(waiting: Shown[], from: number): number | undefined {
    waiting.sort((left, right) => left.start - right.start);
    let seen: number | undefined;
    while (waiting[0] !== undefined && (waiting[0].start <= (seen ?? from) || waiting.length > MOST_WAITING))
      seen = waiting.shift()?.end;
    return seen;
  }

  #seenTo(projectId: string): number {
    return this.#index.files.get(bookPath(projectId))?.size ?? 0;
  }

  /** `inode`: as it is known. Where the file is another by then, the next load reads it whole. */
  #noteSeen(path: string, size: number, inode = this.#files.stamp(path)?.inode): void {
    if (inode !== undefined) this.#index.transaction(() => this.#index.files.put(path, { mtime: 0, size, inode }, ""));
  }
}

/** Where the journal of a new run is to lie, in its project's folder. */
export function journalOf({ id, createdAt }: Pick<Run, "id" | "createdAt">): string {
  return `runs/${createdAt.slice(0, 10)}/${id}.jsonl`;
}
