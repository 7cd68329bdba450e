import type { HallEvent } from "../../contract/event.ts";
import type { Write } from "../../store/changes/change.ts";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import { type Core, keep } from "../../workspace/core.ts";
import { changedFile } from "../../workspace/knowledge/document-writes.ts";
import { HEARTBEAT_FILE } from "../../workspace/layout.ts";
import { beat, type Heard, HeartbeatState, nextBeat } from "./beat-rule.ts";
import { type DayNotes, OBSERVED } from "./observer.ts";

const MOST_EVENTS = 2_000;
const LONGEST_SLEEP_MS = 3_600_000;
const RETRY_MS = 60_000;

export interface HeartbeatParts {
  core: Core;
  /** 0: off. */
  minutes: () => number;
  /** Ends what is left of sessions that nobody needs. */
  clean: () => Promise<unknown>;
  notesOf: (events: readonly HallEvent[]) => DayNotes[];
  /** Adds lines to the notes of a day, and makes the write durable with them. */
  note: (day: string, lines: readonly string[], also: Write) => Promise<unknown>;
  /** Has today's briefing made, unless it was. */
  brief: () => Promise<void>;
  /** Of the main agent. The same id again says it once. */
  main: { tell(id: string, text: string): Promise<unknown>; heard(id: string): Heard };
  /** What the main agent is told. */
  text: () => string;
  /** Changes with what it could act on. */
  fingerprint: () => string;
  onTrouble: (what: string, error: unknown) => void;
}

/** Looks over the workspace every so often: cleans up, takes notes, makes the briefing, and tells the main agent of changes. */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #state: HeartbeatState;
  #timer: NodeJS.Timeout | undefined;
  #next: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #isClosed = false;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#state = load(parts.core);
  }

  /** Something happened; the time of the next beat may have come, or the setting changed. */
  heed({ type }: Pick<HallEvent, "type">): void {
    const isDue = this.#next !== undefined && this.#parts.core.clock().getTime() >= this.#next;
    if (isDue || type === "settings.changed") void this.look();
  }

  /** Beats if it is time. Never rejects. */
  look(): Promise<void> {
    if (this.#isWaiting || this.#isClosed) return this.#looking;
    this.#isWaiting = true;
    this.#looking = this.#looking.then(async () => {
      this.#isWaiting = false;
      await this.#lookNow().catch((error) => {
        this.#parts.onTrouble("a heartbeat failed; retrying", error);
        this.#sleep(RETRY_MS);
      });
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #lookNow(): Promise<void> {
    const { core, minutes } = this.#parts;
    clearTimeout(this.#timer);
    this.#next = undefined;
    const every = minutes();
    if (every === 0 || this.#isClosed) return;
    if (nextBeat(this.#state, every, core.clock()) <= core.clock()) await this.#beat();
    this.#next = nextBeat(this.#state, every, core.clock()).getTime();
    this.#sleep(this.#next - core.clock().getTime());
  }

  async #beat(): Promise<void> {
    const { core, clean, brief, main, text, fingerprint } = this.#parts;
    await clean();
    const notes = await this.#observe();
    await brief();
    await core.shown.caughtUp();
    const { sent } = this.#state;
    const heard = sent && main.heard(sent.id);
    const { next, send } = beat(this.#state, { now: core.clock(), fingerprint: fingerprint(), heard, notes });
    // Durable before the message: one that is lost after it is found to be missing, and sent again.
    await keep(core, [this.#write(next)]);
    this.#state = next;
    if (send !== undefined) await main.tell(send, text());
  }

  /** Answers how many lines were added. */
  async #observe(): Promise<number> {
    const { core, notesOf, note } = this.#parts;
    const events = core.events.read({ after: this.#state.noted, limit: MOST_EVENTS, types: OBSERVED });
    let lines = 0;
    for (const day of notesOf(events)) {
      const next = { ...this.#state, noted: day.through };
      await note(day.day, day.lines, this.#write(next));
      this.#state = next;
      lines += day.lines.length;
    }
    return lines;
  }

  #write(state: HeartbeatState): Write {
    const { files } = this.#parts.core;
    const before = files.exists(HEARTBEAT_FILE) ? files.read(HEARTBEAT_FILE) : undefined;
    return changedFile(HEARTBEAT_FILE, documentText(state), before);
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.look(), Math.min(LONGEST_SLEEP_MS, Math.max(0, ms))).unref();
  }
}

/** Where the file is lost, notes go on from now, and the main agent is told once more. */
function load({ files, events }: Core): HeartbeatState {
  return readDocument(files, HEARTBEAT_FILE, HeartbeatState) ?? { noted: events.head(), beats: [] };
}
