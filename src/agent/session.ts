import type { ModelWait } from "../contract/documents/budget.ts";
import { HallError } from "../contract/errors.ts";
import type { SessionEntry, SessionMessage } from "../contract/runs/session.ts";
import type { Files } from "../store/files/files.ts";
import { DiskWait } from "../store/host/disk-wait.ts";
import type { Clock } from "../store/ids.ts";
import { lineText } from "../store/logs/durable-line.ts";
import type { Log } from "../store/logs/log.ts";
import { PatientLines } from "../store/logs/patient-lines.ts";
import { archiveName, CURRENT, NEXT, SESSION_FOLDER, sessionPath } from "./session-files.ts";
import { shortened } from "./session-line.ts";
import { earlierEntries, endOf, loadTail, type Tail, type TurnEnd, turnsIn } from "./session-tail.ts";
import { stepsIn } from "./turn-steps.ts";

const CURRENT_PATH = sessionPath(CURRENT);
const NEXT_PATH = sessionPath(NEXT);
/** Bytes of lines that are held; beyond it, the older turns are only in the file. */
const MOST_HELD = 24 * 1024 * 1024;
/** Messages whose end is remembered. */
const MOST_REMEMBERED = 2_000;

type Summary = Extract<SessionEntry, { type: "summary" }>;

/** What a new file begins with, and what of the old one it goes on with. */
export interface Succession {
  summary: Omit<Summary, "type" | "previous">;
  kept: readonly SessionEntry[];
}

export interface SessionOptions {
  clock: Clock;
  /** It waits until the disk can be written; undefined when it goes on. */
  onWait?: (wait: ModelWait | undefined) => void;
}

/**
 * The session of an agent that lives on: its lines since the newest summary, and its file, which is only added to. Lines
 * wait for a disk that does not take them. When one, or a switch to another file, fails for good, the session takes nothing
 * more until it is opened again.
 */
export class Session {
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #givingUp = new AbortController();
  readonly #disk: DiskWait;
  #log: Log;
  #lines: PatientLines;
  #tail: Tail;
  /** Messages that were taken down, with the ends of their turns. */
  readonly #turns: Map<string, { end?: TurnEnd | undefined }>;
  #hasLookedBack = false;
  /** Resolves when lines may be written; they are written in the order in which they came. */
  #ready: Promise<void>;
  #closing: Promise<void> | undefined;

  private constructor(opened: SessionOptions & { files: Files; log: Log; ready: Promise<void> }) {
    this.#files = opened.files;
    this.#clock = opened.clock;
    this.#disk = new DiskWait({
      what: "the session",
      onWait: opened.onWait ?? (() => undefined),
      signal: this.#givingUp.signal,
    });
    this.#log = opened.log;
    this.#lines = this.#linesOf(opened.log);
    this.#tail = loadTail(opened.files);
    this.#turns = turnsIn(this.#tail.entries);
    this.#ready = opened.ready;
    this.#ready.catch(() => undefined);
  }

  /** `files`: over the folder of its owner. Repairs the current file, and finishes or undoes a switch that was interrupted. */
  static open(files: Files, options: SessionOptions): Session {
    files.makeFolder(SESSION_FOLDER);
    const settled = settleSwitch(files);
    const isNew = !files.exists(CURRENT_PATH);
    if (files.standing(CURRENT_PATH)?.kind === "link")
      throw new HallError("path_refused", `'${CURRENT_PATH}' is a link; sessions must be regular files.`);
    const { log } = files.openLogEnd(CURRENT_PATH, "whole");
    const named = isNew ? [files.syncFolder(SESSION_FOLDER), files.syncFolder(".")] : [];
    const ready = Promise.all([settled, ...named]).then(() => undefined);
    return new Session({ ...options, files, log, ready });
  }

  /** What the model is told comes from these: the newest summary and what followed it. */
  get entries(): readonly SessionEntry[] {
    return this.#tail.entries;
  }

  /** Bytes of the current file before what is held. */
  get unread(): number {
    return this.#tail.start;
  }

  /** Where among the entries the turn under way begins, or the next one when none is. */
  get turnStart(): number {
    const ended = this.#tail.entries.findLastIndex((entry) => entry.type === "ended");
    return ended === -1 && this.#tail.entries[0]?.type === "summary" ? 1 : ended + 1;
  }

  /** Answers of the turn under way that are only in the file before this one. */
  get answersBefore(): number {
    const [first] = this.#tail.entries;
    return first?.type === "summary" && this.turnStart === 1 ? (first.answers ?? 0) : 0;
  }

  /** Resolves when the line is on disk. */
  append(entry: SessionEntry): Promise<void> {
    const line = lineText(entry);
    this.#tail.entries.push(shortened(entry));
    this.#tail.sizes.push(Buffer.byteLength(line) + 1);
    this.#remember(entry);
    return this.#write(line);
  }

  /** Whether a message was taken down, as far as a bounded look back tells. */
  has(messageId: string): boolean {
    return this.#turnOf(messageId) !== undefined;
  }

  /** How the turn of a message ended, as far as is known. */
  endOf(messageId: string): TurnEnd | undefined {
    return this.#turnOf(messageId)?.end;
  }

  /** The message whose turn is not over. */
  unfinished(): SessionMessage | undefined {
    const open = this.#tail.entries.slice(this.turnStart);
    const found = open.find((entry) => entry.type === "message" && entry.quiet !== true);
    if (found?.type !== "message") return undefined;
    const { type: _, ...message } = found;
    return message;
  }

  /**
   * Keeps the current file under the time, and goes on in a new one that begins with the summary. A crash leaves the one or
   * the other as the current file, and both whole.
   */
  succeed({ summary, kept }: Succession): Promise<void> {
    const ending = summary.aside === true ? ".poisoned.jsonl" : ".jsonl";
    const previous = archiveName(this.#files, this.#clock(), ending);
    const entries = [{ type: "summary" as const, ...summary, previous }, ...kept];
    const lines = entries.map(lineText);
    this.#tail = { entries, sizes: lines.map((line) => Buffer.byteLength(line) + 1), start: 0 };
    this.#ready = this.#ready.then(() => this.#switch(`${lines.join("\n")}\n`, previous));
    this.#ready.catch(() => undefined);
    return this.#ready;
  }

  /** Lines that the disk does not take are not waited for any more: whoever wrote them is told. */
  stopWaiting(): void {
    this.#givingUp.abort();
  }

  /** What was appended is on disk when it resolves, unless the disk did not take it. */
  close(): Promise<void> {
    this.stopWaiting();
    this.#closing ??= this.#ready
      .catch(() => undefined)
      .then(() => this.#lines.idle())
      .then(() => this.#log.close());
    return this.#closing;
  }

  async #write(line: string): Promise<void> {
    await this.#ready;
    await this.#lines.write([line]);
  }

  #linesOf(log: Log): PatientLines {
    return new PatientLines(log, this.#disk.of(log));
  }

  async #switch(content: string, previous: string): Promise<void> {
    await this.#disk.until(() => this.#files.replace(NEXT_PATH, content));
    await this.#lines.idle();
    await this.#log.close();
    await this.#files.move(CURRENT_PATH, sessionPath(previous));
    await this.#files.move(NEXT_PATH, CURRENT_PATH);
    this.#log = this.#files.openLogEnd(CURRENT_PATH).log;
    this.#lines = this.#linesOf(this.#log);
  }

  #turnOf(messageId: string): { end?: TurnEnd | undefined } | undefined {
    if (!this.#turns.has(messageId) && !this.#hasLookedBack) {
      this.#hasLookedBack = true;
      for (const [id, turn] of turnsIn(earlierEntries(this.#files, this.#tail.start)))
        if (!this.#turns.has(id)) this.#turns.set(id, turn);
    }
    return this.#turns.get(messageId);
  }

  #remember(entry: SessionEntry): void {
    if (entry.type === "message" && !this.#turns.has(entry.id)) this.#turns.set(entry.id, {});
    if (entry.type !== "ended") return;
    const { entries } = this.#tail;
    const begun = entries.findLastIndex(({ type }, at) => type === "ended" && at < entries.length - 1) + 1;
    const end = endOf(entry, lastWords(entries, entry.messageId), stepsIn(entries.slice(begun)));
    this.#turns.set(entry.messageId, { end });
    for (const id of this.#turns.keys()) {
      if (this.#turns.size <= MOST_REMEMBERED) break;
      this.#turns.delete(id);
    }
    this.#letGo();
  }

  /** Older turns, when more is held than any model can be told. */
  #letGo(): void {
    const { entries, sizes } = this.#tail;
    let held = sizes.reduce((sum, size) => sum + size, 0);
    if (held <= MOST_HELD) return;
    let from = 0;
    for (; held > MOST_HELD / 2 || entries[from]?.type !== "message"; from++) {
      if (from >= entries.length) break;
      held -= sizes[from] ?? 0;
      this.#tail.start += sizes[from] ?? 0;
    }
    entries.splice(0, from);
    sizes.splice(0, from);
  }
}

/** The last words of the turn that the last of the entries ended. */
function lastWords(entries: readonly SessionEntry[], messageId: string): string {
  for (let at = entries.length - 2; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.type === "answer" && entry.text.trim() !== "") return entry.text;
    if (entry?.type === "ended" || (entry?.type === "message" && entry.id === messageId)) return "";
  }
  return "";
}

/** What is ready becomes the current file when there is none any more, and was never told of when there is. */
async function settleSwitch(files: Files): Promise<void> {
  if (!files.exists(NEXT_PATH)) return;
  const isMissing = (files.stat(CURRENT_PATH)?.size ?? 0) === 0;
  if (isMissing) await files.move(NEXT_PATH, CURRENT_PATH);
  else files.discard(NEXT_PATH);
}
