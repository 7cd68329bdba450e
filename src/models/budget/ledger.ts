import { type Charge, type KeptPause, LedgerLine, type Reservation, type RunSum } from "../../contract/runs/ledger.ts";
import type { Files } from "../../store/files/files.ts";
import type { Clock, NextId } from "../../store/ids.ts";
import { durableLines, lineText } from "../../store/logs/durable-line.ts";
import type { LineFile } from "../../store/logs/line-file.ts";
import type { Estimate } from "./call-estimate.ts";
import { Tally } from "./tally.ts";

const COSTS_FOLDER = "costs";
const ledgerLines = durableLines(LedgerLine);
const DAY_FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/;

export interface LedgerOptions {
  files: Files;
  clock: Clock;
  nextId: NextId;
  /** Whether there is such a run that is not over. */
  isOpen: (runId: string) => boolean;
  onTrouble: (what: string, error: unknown) => void;
}

export type Party = Pick<Reservation, "projectId" | "runId" | "treeId" | "teamId" | "led" | "model">;

export interface DamagedLine {
  file: string;
  line: number;
}

/**
 * What model calls cost: costs/<day>.jsonl, and what its lines come to. A line is in the file before the call it is about is
 * sent, and so outlives the daemon; it is on the disk a moment later.
 */
export class Ledger {
  readonly tally = new Tally();
  readonly #options: LedgerOptions;
  #file: LineFile | undefined;
  #day = "";
  /** Settlements that the disk would not take; they go before the next line. */
  #unwritten: LedgerLine[] = [];
  readonly #damaged: DamagedLine[] = [];

  private constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Calls that a crash left open count as spent, as estimated: the provider may well have been paid for them. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    await options.files.ensureFolder(COSTS_FOLDER);
    const ledger = new Ledger(options);
    ledger.#read();
    for (const { id, usd, input, output } of ledger.tally.openCalls())
      ledger.settle({ id, how: "lost", usd, input, output, cacheRead: 0, cacheWrite: 0 });
    return ledger;
  }

  /** The day that is written in. */
  get day(): string {
    const today = this.#options.clock().toISOString().slice(0, 10);
    // A clock that was put back must not hide what was written since.
    if (today > this.#day) return today;
    return this.#day;
  }

  /** Whether the clock was put back behind the day that is written in. */
  get isAhead(): boolean {
    return this.day > this.#options.clock().toISOString().slice(0, 10);
  }

  /** Lines that could not be read at the start: what they said may not be counted. */
  get damaged(): readonly DamagedLine[] {
    return this.#damaged;
  }

  runSum(runId: string): RunSum | undefined {
    return this.tally.runSum(runId);
  }

  /** Throws when the line cannot be written: then nothing may be sent. */
  reserve(party: Party, { usd, input, output }: Estimate): Reservation {
    const { nextId } = this.#options;
    const reservation: Reservation = { id: nextId(), at: this.#now(), ...party, usd, input, output };
    this.#write({ type: "reserved", ...reservation });
    return reservation;
  }

  /** Never throws: what was spent counts, whether or not the disk takes it down. */
  settle(charge: Omit<Charge, "at" | "of">): void {
    const open = this.tally.openCall(charge.id);
    if (open === undefined) return;
    const { at, projectId, runId, treeId, teamId, led, model } = open;
    this.#note({
      type: "settled",
      at: this.#now(),
      ...charge,
      of: { at, projectId, runId, treeId, teamId, led, model },
    });
  }

  /** A provider's quota is used up. */
  paused(pause: KeptPause): void {
    this.#note({ type: "paused", at: this.#now(), ...pause });
  }

  resumed(provider: string): void {
    this.#note({ type: "resumed", at: this.#now(), provider });
  }

  /** False when the person was told of it before. */
  warn(mark: string): boolean {
    if (this.tally.isWarned(mark)) return false;
    this.#note({ type: "warned", at: this.#now(), mark });
    return true;
  }

  /** Tries: what could not be written before is written now. */
  isWritable(): boolean {
    try {
      const file = this.#fileOfToday();
      file.probe();
      this.#writeLate(file);
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  /** Never of a day before the one that is written in: a day's limit is about what its lines say. */
  #now(): string {
    const now = this.#options.clock().toISOString();
    const first = `${this.#day}T00:00:00.000Z`;
    return this.#day === "" || now > first ? now : first;
  }

  #note(line: LedgerLine): void {
    try {
      this.#write(line);
    } catch (error) {
      this.#unwritten.push(line);
      this.tally.apply(line);
      this.#options.onTrouble("the ledger could not be written", error);
    }
  }

  #write(line: LedgerLine): void {
    const file = this.#fileOfToday();
    this.#writeLate(file);
    file.append(lineText(line));
    this.tally.apply(line);
  }

  #writeLate(file: LineFile): void {
    for (let late = this.#unwritten[0]; late !== undefined; late = this.#unwritten[0]) {
      file.append(lineText(late));
      this.#unwritten.shift();
    }
  }

  /** The first line of a new file says what all before it come to. */
  #fileOfToday(): LineFile {
    const { files, isOpen, onTrouble } = this.#options;
    const { day } = this;
    if (this.#file !== undefined && day === this.#day && !this.#file.isGone) return this.#file;
    const path = `${COSTS_FOLDER}/${day}.jsonl`;
    files.makeFolder(COSTS_FOLDER);
    const isNew = (files.stamp(path)?.size ?? 0) === 0;
    const file = files.openLineFile(path, (error) => onTrouble("the ledger could not be synced", error));
    void this.#file?.close();
    this.#file = file;
    this.#day = day;
    this.tally.forget(day, isOpen);
    if (isNew) {
      file.append(lineText({ type: "opened", at: this.#now(), carried: this.tally.carried(day, isOpen) }));
      // They are part of what is carried.
      this.#unwritten = [];
      void files.syncFolder(COSTS_FOLDER).catch((error) => onTrouble("the ledger could not be synced", error));
    }
    return file;
  }

  #read(): void {
    const days = this.#options.files
      .names(COSTS_FOLDER)
      .flatMap((name) => DAY_FILE.exec(name)?.[1] ?? [])
      .sort();
    this.#day = days.at(-1) ?? "";
    // Every file tells of those before it, unless a crash took its first line.
    const first = days.findLastIndex((day) => this.#isOpened(day));
    this.#damaged.length = 0;
    for (const day of days.slice(Math.max(0, first)))
      this.#scan(day, (line) => {
        this.tally.apply(line);
        return true;
      });
  }

  #isOpened(day: string): boolean {
    let isOpened = false;
    this.#scan(day, (line) => {
      isOpened = line.type === "opened";
      return false;
    });
    return isOpened;
  }

  /** One by one, as long as they are wanted: a day may have a million of them. */
  #scan(day: string, visit: (line: LedgerLine) => boolean): void {
    const file = `${COSTS_FOLDER}/${day}.jsonl`;
    const { files } = this.#options;
    const read = ledgerLines(files, file);
    let number = 0;
    files.scanLog(file, 0, (text) => {
      number++;
      const line = read(text);
      if (line !== undefined) return visit(line);
      if (text.trim() !== "") this.#damaged.push({ file, line: number });
      return true;
    });
  }
}
