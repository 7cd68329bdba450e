import { z } from "zod";
import type { ChannelMessage } from "../../contract/documents/channel.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { AnswerDesk, Answered, ShownQuestion } from "../questions.ts";
import type { ApiAnswer } from "./telegram-api.ts";
import { idHash, type Keyboard, type Press, pressIn, questionKeyboard, summaryKeyboard } from "./telegram-buttons.ts";
import type { Note, TelegramNotes } from "./telegram-notes.ts";
import { LONGEST_TEXT } from "./telegram-text.ts";
import type { Arrival } from "./telegram-updates.ts";

/** Telegram refuses a longer one. */
const LONGEST_TOAST = 200;
const NOT_OPEN = "This is no longer open.";
const CHANGED = "The question changed since this message. Look at it again.";

type Pressed = Extract<Arrival, { kind: "pressed" }>;

interface Parts {
  call: (method: string, params: object) => Promise<ApiAnswer>;
  /** Undefined while the daemon starts. */
  desk: () => AnswerDesk;
  notes: TelegramNotes;
  /** What a message of the chat's channel says. */
  textOf: (chat: string, said: string) => string | undefined;
  /** Sends a question to the chat, once for each id. */
  show: (chat: string, id: string, question: ShownQuestion) => Promise<void>;
}

const Sent = z.looseObject({ message_id: z.int() });

/** Questions in Telegram: their buttons, what pressing one does, and how a message looks when its question is closed. */
export class TelegramQuestions {
  readonly #parts: Parts;
  #refreshing: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `gone`: what the message is about was closed before it was sent. Undefined: it needs no buttons. */
  async keyboardFor({ escalations = [] }: ChannelMessage): Promise<Keyboard | "gone" | undefined> {
    if (escalations.length === 0) return undefined;
    const desk = this.#parts.desk();
    const found = await Promise.all(escalations.map((id) => desk.find(id)));
    const open = found.flatMap((question, at) => (question?.state.kind === "open" ? [{ question, at }] : []));
    const [first] = open;
    if (first === undefined) return "gone";
    return escalations.length === 1 ? questionKeyboard(first.question) : summaryKeyboard(open);
  }

  async sent({ id: said, escalations = [] }: ChannelMessage, chat: string, result: unknown): Promise<void> {
    const messageId = Sent.safeParse(result).data?.message_id;
    if (messageId === undefined || escalations.length === 0) return;
    await this.#parts.notes.put({ chat, messageId, said, escalations, shown: "open" });
    // An earlier message with the same question gives its buttons to this one.
    void this.refresh();
  }

  /** The one question that a message of the bot asks. */
  askedBy(chat: string, messageId: number): string | undefined {
    const { escalations = [] } = this.#parts.notes.find(chat, messageId) ?? {};
    return escalations.length === 1 ? escalations[0] : undefined;
  }

  /** Its effect is durable when it resolves. `key` is the same when the press arrives again. */
  async press({ chat, callbackId, messageId, data }: Pressed, key: string): Promise<void> {
    const words = await this.#carryOut({ chat, messageId, data }, key);
    void this.#parts.call("answerCallbackQuery", {
      callback_query_id: callbackId,
      ...(words === undefined ? {} : { text: cutText(words, LONGEST_TOAST - 1) }),
    });
    void this.refresh();
  }

  /** Makes messages show whether what they are about is open. Never rejects; what fails is done at the next call. */
  refresh(): Promise<void> {
    this.#isAskedAgain = this.#refreshing !== undefined;
    this.#refreshing ??= this.#refreshAll().finally(() => {
      this.#refreshing = undefined;
      if (this.#isAskedAgain) void this.refresh();
    });
    return this.#refreshing;
  }

  async #carryOut(
    { chat, messageId, data }: Pick<Pressed, "chat" | "messageId" | "data">,
    key: string,
  ): Promise<string | undefined> {
    const desk = this.#parts.desk();
    const pressed = pressIn(data);
    if (pressed === undefined) return NOT_OPEN;
    const note = this.#parts.notes.find(chat, messageId);
    // A button acts only on what its own message is about.
    const candidates = note?.escalations ?? (await desk.openIds());
    const id = candidates.find((candidate) => idHash(candidate) === pressed.idHash);
    const question = id === undefined ? undefined : await desk.find(id);
    if (question === undefined) return NOT_OPEN;
    if (note === undefined)
      await this.#parts.notes.put({ chat, messageId, said: "", escalations: [question.id], shown: "open" });
    if (question.state.kind === "closed") return question.state.words;
    if (pressed.press.kind === "show") {
      await this.#parts.show(chat, `show-${key}`, question);
      return undefined;
    }
    if (question.fingerprint !== pressed.fingerprint) {
      await this.#parts.show(chat, `show-${key}`, question);
      return CHANGED;
    }
    return (await this.#act(desk, question, pressed.press, key)).words;
  }

  async #act(
    desk: AnswerDesk,
    { id, suggestedAnswers, etag }: ShownQuestion,
    press: Exclude<Press, { kind: "show" }>,
    key: string,
  ): Promise<Answered> {
    const word = { via: "telegram", key } as const;
    if (press.kind === "snooze") return desk.snooze(id, press.hours, word);
    const label = suggestedAnswers[press.at]?.label;
    return label === undefined ? { kind: "refused", words: CHANGED } : desk.answer(id, { label, etag }, word);
  }

  async #refreshAll(): Promise<void> {
    if (this.#parts.notes.all().length === 0) return;
    const desk = this.#parts.desk();
    try {
      const open = new Set(await desk.openIds());
      const newest = new Map<string, Note>();
      for (const note of this.#parts.notes.all())
        if (note.escalations.length === 1) newest.set(`${note.chat} ${note.escalations[0]}`, note);
      for (const note of this.#parts.notes.all()) {
        const isNewest = note.escalations.length > 1 || newest.get(`${note.chat} ${note.escalations[0]}`) === note;
        const isOpen = isNewest && note.escalations.some((id) => open.has(id));
        if (isOpen !== (note.shown === "open")) await this.#redraw(desk, note, isOpen);
      }
    } catch {
      // The next event that concerns a question tries again.
    }
  }

  async #redraw(desk: AnswerDesk, note: Note, isOpen: boolean): Promise<void> {
    const { chat, messageId, said, escalations } = note;
    const question = await desk.find(escalations[0] ?? "");
    const text = this.#parts.textOf(chat, said) ?? question?.text ?? escalations.join(", ");
    const isOne = escalations.length === 1;
    const words = isOne ? closedWords(question) : "All answered.";
    const markup = isOpen && isOne && question !== undefined ? { reply_markup: questionKeyboard(question) } : {};
    const answer = await this.#parts.call("editMessageText", {
      chat_id: Number(chat),
      message_id: messageId,
      text: isOpen ? cutText(text, LONGEST_TEXT - 1) : withOutcome(text, words),
      link_preview_options: { is_disabled: true },
      ...markup,
    });
    // Refused: the message is gone, or too old to be changed.
    const isFinal = answer.kind === "ok" || (answer.kind === "refused" && answer.status === 400);
    if (isFinal) await this.#parts.notes.put({ ...note, shown: isOpen ? "open" : "closed" });
  }
}

function closedWords(question: ShownQuestion | undefined): string {
  if (question === undefined) return NOT_OPEN;
  return question.state.kind === "closed" ? question.state.words : "Sent again below.";
}

function withOutcome(text: string, words: string): string {
  const outcome = `\n\n${cutText(words, 1_000)}`;
  return `${cutText(text, LONGEST_TEXT - outcome.length - 1)}${outcome}`;
}
