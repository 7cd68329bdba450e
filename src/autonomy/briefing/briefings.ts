import type { Briefing } from "../../contract/documents/autonomy/briefing.ts";
import type { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import { briefingMarkdown, briefingText, needsText } from "../../contract/words/autonomy/briefing-text.ts";
import { BRIEFING_SECTIONS } from "../../contract/words/autonomy/briefing-words.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { Write } from "../../store/changes/change.ts";
import { BY_DAEMON, type Core, commit, keep } from "../../workspace/core.ts";
import { changedFile } from "../../workspace/knowledge/document-writes.ts";
import { dailyPath } from "../../workspace/layout.ts";
import { type BriefingSources, composeBriefing } from "./compose.ts";
import { type DailyEdit, hasBriefing, withBriefing, withNotes } from "./daily-file.ts";
import { SentBriefings } from "./made-days.ts";
import { dayOf, machineTimezone, minutesOf } from "./person-day.ts";
import { type BriefingHour, periodOf, slotAt } from "./slot.ts";

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DEFAULT_TIME = "08:00";
/** A chat takes 4,096 characters in one message. */
const LONGEST_TEXT = 3_800;
const MOST_IN_CHAT = 5;
/** A clock may be set, and a machine may sleep. */
const LONGEST_SLEEP_MS = 3_600_000;
const RETRY_MS = 30_000;

export interface BriefingsParts extends BriefingSources {
  core: Core;
  settings: () => Config["briefing"];
  /** A model's sentences; undefined: none. */
  summarize: (briefing: Briefing) => Promise<string | undefined>;
  onTrouble: (what: string, error: unknown) => void;
}

/** Makes the briefing of a day: once at its hour, and whenever somebody asks. Sleeps in between. */
export class Briefings {
  readonly #parts: BriefingsParts;
  readonly #sent: SentBriefings;
  readonly #problems = new Map<string, Problem>();
  /** Where the dashboard is. */
  #base = "http://127.0.0.1";
  #timer: NodeJS.Timeout | undefined;
  #next: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: BriefingsParts) {
    this.#parts = parts;
    this.#sent = new SentBriefings(parts.core);
  }

  problems(): Problem[] {
    return [...this.#problems.values()];
  }

  /** Up to now. Writes the file of the day if that has no briefing yet. */
  async today(): Promise<{ briefing: Briefing; text: string }> {
    const briefing = await this.#compose(this.#today());
    await this.#writeFirst(briefing);
    return { briefing, text: briefingText(briefing) };
  }

  async get(day: string): Promise<{ briefing: Briefing; text: string }> {
    const isDay = DAY.test(day) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
    if (!isDay) throw new HallError("invalid", "day: must be a day, such as 2026-03-01.");
    const today = this.#today();
    if (day > today) throw new HallError("invalid", `day: must not be after today, which is ${today}.`);
    if (day === today) return this.today();
    const briefing = await this.#compose(day);
    return { briefing, text: briefingText(briefing) };
  }

  /** Adds lines to the notes of a day. `write`: becomes durable with them. False: the file is left alone. */
  async note(day: string, lines: readonly string[], also: Write): Promise<boolean> {
    const daily = this.#edited(day, (text) => withNotes(text, day, lines));
    await keep(this.#parts.core, [...daily, also]);
    return daily.length > 0;
  }

  /** Has it made today, unless it was; where it has an hour, when that has come. */
  async makeOnce(): Promise<void> {
    if (this.#parts.settings().time !== undefined) return this.look();
    const today = this.#today();
    if (!this.#sent.days().includes(today)) await this.#send(today);
  }

  /** `url`: where this daemon listens. */
  start(url: string): void {
    this.#base = url;
    void this.look();
  }

  /** Looks at the clock again where the time may have come, or the setting changed. */
  heed({ type }: Pick<HallEvent, "type">): void {
    const isDue = this.#next !== undefined && this.#parts.core.clock().getTime() >= this.#next;
    if (isDue || type === "settings.changed") void this.look();
  }

  /** Never rejects. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      if (this.#isClosed) return;
      clearTimeout(this.#timer);
      await this.#lookNow().catch((error) => {
        this.#parts.onTrouble("the briefing could not be made; retrying", error);
        this.#wake(RETRY_MS);
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
    const { core, settings } = this.#parts;
    this.#next = undefined;
    if (settings().time === undefined) return;
    const { due, next } = slotAt(core.clock(), this.#hour(), this.#sent.days());
    if (due !== undefined) await this.#send(due);
    this.#next = next.getTime();
    this.#wake(Math.min(LONGEST_SLEEP_MS, Math.max(0, this.#next - core.clock().getTime())));
  }

  /** File, state and event are one change: channels follow the event, so each of them gets a day once. */
  async #send(day: string): Promise<void> {
    const { core, summarize, settings } = this.#parts;
    const facts = await this.#compose(day);
    const summary = settings().summary ? await summarize(facts) : undefined;
    const briefing = { ...facts, ...(summary === undefined ? {} : { summary }) };
    const { write, apply } = this.#sent.adding({ day, at: core.clock().toISOString(), ...(summary && { summary }) });
    const daily = this.#edited(day, (text) => withBriefing(text, day, briefingMarkdown(briefing, this.#base)));
    const counts = Object.fromEntries(BRIEFING_SECTIONS.map((name) => [name, briefing.needs[name].count]));
    const listed = BRIEFING_SECTIONS.flatMap((name) => briefing.needs[name].items.slice(0, MOST_IN_CHAT));
    const after = {
      text: cutText(briefingText(briefing, MOST_IN_CHAT), LONGEST_TEXT),
      needs: needsText(briefing.needs),
      counts,
      escalations: listed.map(({ id }) => id),
      url: new URL(`/?view=briefing&day=${day}`, this.#base).href,
      spentUsd: briefing.spent.costUsd,
    };
    const subject = { kind: "briefing" as const, id: day };
    await commit(core, { type: "briefing.created", actor: BY_DAEMON, subject, after }, apply, [...daily, write]);
  }

  async #writeFirst(briefing: Briefing): Promise<void> {
    const { core, onTrouble } = this.#parts;
    const { day } = briefing;
    const daily = this.#edited(day, (text) =>
      text !== undefined && hasBriefing(text)
        ? undefined
        : withBriefing(text, day, briefingMarkdown(briefing, this.#base)),
    );
    // Reading works on a full disk too.
    if (daily.length > 0)
      await keep(core, daily).catch((error) => onTrouble(`${dailyPath(day)} could not be written`, error));
  }

  /** The write of a day's file; none where it stays as it is. What keeps it from being written is a problem. */
  #edited(day: string, edit: (text: string | undefined) => DailyEdit | undefined): Write[] {
    const { files } = this.#parts.core;
    const path = dailyPath(day);
    const before = files.exists(path) ? files.read(path) : undefined;
    const text = before === undefined ? undefined : decoded(before);
    const edited = text === null ? { ok: false as const, reason: "it is not UTF-8 text" } : edit(text);
    this.#problems.delete(path);
    if (edited === undefined) return [];
    if (edited.ok) return [changedFile(path, edited.text, before)];
    const reason = `${edited.reason}; Guildhall left the file as it is`;
    this.#problems.set(path, { file: path, kind: "document", severity: "warning", reason });
    return [];
  }

  #compose(day: string): Promise<Briefing> {
    const hour = this.#hour();
    const period = periodOf(day, hour, this.#parts.core.clock());
    return composeBriefing(this.#parts, {
      ...{ day, timezone: hour.timezone, ...period },
      summary: this.#sent.summaryOf(day),
    });
  }

  #today(): string {
    return dayOf(this.#parts.core.clock(), this.#hour().timezone);
  }

  #hour(): BriefingHour {
    const { time = DEFAULT_TIME, timezone = machineTimezone() } = this.#parts.settings();
    return { minutes: minutesOf(time), timezone };
  }

  #wake(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.look(), ms).unref();
  }
}

/** Null where the bytes are no text. */
function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
