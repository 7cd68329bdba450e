import type { JournalEntry } from "../contract/runs/journal.ts";
import type { Message } from "../contract/runs/model-call.ts";
import type { SessionEntry, SessionMessage } from "../contract/runs/session.ts";
import type { Clock } from "../store/ids.ts";
import type { ResidentPorts } from "./resident-ports.ts";
import type { Session } from "./session.ts";
import { type IsShown, journalOf, shownIn } from "./session-talk.ts";
import { Transcript } from "./transcript.ts";

type Summary = Extract<JournalEntry, { type: "summary" }>;

/** A conversation without what came before, and what makes it the conversation from now on. */
export interface WayAround {
  messages: Message[];
  take(): Promise<void>;
}

/** Characters of an earlier summary that are kept in front of one that knew nothing of it. */
const MOST_BEFORE = 20_000;
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
/** Without the provider's words, which may quote what it did not take. */
const SET_ASIDE =
  "The earlier conversation was archived because the provider rejected it. Check what you already did before you repeat it.";
/** One for each who waits: what all wait for together would be kept in memory for ever. */
const never = () => new Promise<never>(() => undefined);

/** Takes down one turn in the session, and keeps the transcript that the loop goes by in step with it. */
export class SessionScribe {
  readonly #session: Session;
  readonly #message: SessionMessage;
  readonly #clock: Clock;
  readonly #isShown: IsShown | undefined;
  /** Turns differ in what the model is told of those before them. */
  readonly #isMixed: boolean;
  readonly #broken = Promise.withResolvers<never>();
  #transcript: Transcript;
  #last: Promise<void> = Promise.resolve();
  /** How much higher a position is in the transcript than in the session. */
  #shift = 0;
  /** The position that the last summary of this turn went through. */
  #through = 0;
  /** Lines of earlier turns that the last summary left as they are, because the model was not told of them. */
  #hidden = 0;
  #isOpen = true;
  successions = 0;

  constructor(session: Session, message: SessionMessage, { clock, shownTo }: Pick<ResidentPorts, "clock" | "shownTo">) {
    this.#session = session;
    this.#message = message;
    this.#clock = clock;
    this.#isShown = shownTo?.(message);
    this.#isMixed = shownTo !== undefined;
    this.#transcript = this.#transcriptFor();
    this.broken.catch(() => undefined);
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Before anything is taken down: who will be told of what was said before. */
  tellTo(model: string): void {
    this.#transcript = this.#transcriptFor(model);
  }

  #transcriptFor(model?: string): Transcript {
    const { entries, turnStart: from, answersBefore } = this.#session;
    const isMixed = this.#isMixed;
    return new Transcript(journalOf(entries, { model, isShown: this.#isShown }), { from, answersBefore, isMixed });
  }

  /** Rejects with the first line that could not be written; whoever writes later waits for ever. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** An entry that the transcript has already. Resolves when it is on disk. */
  async write(entry: JournalEntry): Promise<void> {
    if (!this.#isOpen) return never();
    await this.#guarded(entry.type === "summary" ? this.#succeed(entry) : this.#append(entry));
  }

  /** An entry that nobody waits for. */
  note(entry: JournalEntry): void {
    if (!this.#isOpen) return;
    this.transcript.add(entry);
    void this.write(entry);
  }

  /** Nothing else is taken down any more. Resolves when all is on disk. */
  async close(last: readonly SessionEntry[]): Promise<void> {
    this.#isOpen = false;
    await Promise.all([this.#last, ...last.map((entry) => this.#session.append(entry))]);
  }

  /** First without what was said before this turn, then without what came of it so far. */
  *waysAround(model: string): Generator<WayAround> {
    const { entries, turnStart } = this.#session;
    const [first] = entries;
    const start = turnStart - this.#hidden;
    const isBare = start === 0 || (start === 1 && first?.type === "summary" && first.aside === true);
    if (!isBare) yield this.#wayAround({ model, through: this.#through + start - 1, kept: turnStart });
    const hasWorked = entries.slice(turnStart).some(({ type }) => type === "answer");
    if (hasWorked) yield this.#wayAround({ model, through: this.transcript.length - 1, kept: entries.length });
  }

  #wayAround(way: { model: string; through: number; kept: number }): WayAround {
    const summary: Summary = {
      type: "summary",
      text: SET_ASIDE,
      through: way.through,
      model: way.model,
      usage: NO_USAGE,
      costUsd: 0,
      at: this.#clock().toISOString(),
    };
    return {
      messages: this.transcript.messagesWith(summary),
      take: async () => {
        this.transcript.add(summary);
        await this.#guarded(this.#succeed(summary, { kept: way.kept }));
      },
    };
  }

  async #guarded(writing: Promise<void>): Promise<void> {
    this.#last = writing;
    try {
      await writing;
    } catch (error) {
      this.#broken.reject(error);
      await never();
    }
  }

  /** Earlier turns that no summary of this turn can be of, and the summary with the one before that it knew nothing of. */
  #untold(earlier: readonly SessionEntry[], text: string): { hidden: SessionEntry[]; text: string } {
    const isShown = this.#isShown;
    if (isShown === undefined) return { hidden: [], text };
    const shown = shownIn(earlier, isShown);
    const [first] = earlier;
    const before =
      first?.type === "summary" && !shown[0] ? `${first.text.slice(0, MOST_BEFORE).toWellFormed()}\n\n` : "";
    const hidden = earlier.filter(({ type }, at) => !shown[at] && type !== "summary");
    return { hidden, text: `${before}${text}` };
  }

  #append(entry: Exclude<JournalEntry, Summary>): Promise<void> {
    switch (entry.type) {
      case "message": {
        const { id, channel } = this.#message;
        const at = this.#clock().toISOString();
        const reminder = { from: "hall", channel, text: entry.text, at, quiet: true } as const;
        return this.#session.append({ type: "message", id: `${id}/${entry.id}`, ...reminder });
      }
      case "plan":
      case "started":
      case "ended":
        return Promise.reject(new Error(`A session has no lines of type '${entry.type}'.`));
      default:
        return this.#session.append(entry);
    }
  }

  /** The messages of the turn under way stay, whatever becomes of the rest; so does what the model was not told. */
  #succeed({ type: _, through, ...given }: Summary, poison?: { kept: number }): Promise<void> {
    const { entries, turnStart, answersBefore } = this.#session;
    const from = poison?.kept ?? through - this.#shift + 1;
    const dropped = entries.slice(turnStart, Math.max(turnStart, from));
    const answers = answersBefore + dropped.filter(({ type }) => type === "answer").length;
    const { hidden, text } = this.#untold(entries.slice(0, Math.min(turnStart, from)), given.text);
    const summary = { ...given, text };
    const kept = [...hidden, ...dropped.filter(({ type }) => type === "message"), ...entries.slice(from)];
    this.#shift = this.transcript.length - 1 - kept.length;
    this.#through = through;
    this.#hidden = hidden.length;
    this.successions++;
    return this.#session.succeed({
      summary: { ...summary, ...(poison === undefined ? {} : { aside: true }), ...(answers === 0 ? {} : { answers }) },
      kept,
    });
  }
}
