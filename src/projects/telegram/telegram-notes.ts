import { z } from "zod";
import type { Files } from "../../store/files/files.ts";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import { TELEGRAM_FILE } from "../../workspace/layout.ts";

/** The oldest are forgotten: replies to them go to the main agent, and their buttons still work while the question is open. */
const MOST_NOTES = 500;

const Note = z.strictObject({
  chat: z.string(),
  /** Telegram's number of the message in that chat. */
  messageId: z.int(),
  /** The message of the channel. */
  said: z.string(),
  escalations: z.array(z.string()).min(1),
  shown: z.enum(["open", "closed"]),
});
export type Note = z.infer<typeof Note>;
const Notes = z.strictObject({ messages: z.array(Note) });

/** Which messages in Telegram show which questions, so that buttons can be removed and replies be understood. */
export class TelegramNotes {
  readonly #files: Files;
  #notes: Note[];
  #saving: Promise<unknown> = Promise.resolve();

  constructor(files: Files) {
    this.#files = files;
    this.#notes = load(files);
  }

  all(): readonly Note[] {
    return this.#notes;
  }

  find(chat: string, messageId: number): Note | undefined {
    return this.#notes.find((note) => note.chat === chat && note.messageId === messageId);
  }

  /**
   * Durable when it resolves, unless the disk refuses it: the message must not be sent again for that, and a button finds
   * its question without it. One of the same message takes its place.
   */
  async put(note: Note): Promise<void> {
    const isSame = ({ chat, messageId }: Note) => chat === note.chat && messageId === note.messageId;
    const isKnown = this.#notes.some(isSame);
    const notes = isKnown ? this.#notes.map((one) => (isSame(one) ? note : one)) : [...this.#notes, note];
    this.#notes = notes.slice(-MOST_NOTES);
    const saved = this.#saving.then(() => this.#files.replace(TELEGRAM_FILE, documentText({ messages: this.#notes })));
    this.#saving = saved.catch(() => undefined);
    await this.#saving;
  }
}

/** Notes that can't be read are as good as none: buttons are found by their data while the question is open. */
function load(files: Files): Note[] {
  return readDocument(files, TELEGRAM_FILE, Notes)?.messages ?? [];
}
