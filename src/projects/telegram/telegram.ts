import type { ChannelAddress, ChannelMessage } from "../../contract/documents/channel.ts";
import type { TelegramSettings } from "../../contract/documents/channel-settings.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import type { Handled } from "../../workspace/events/subscriber-parts.ts";
import type { Channel } from "../channels/channel-port.ts";
import type { Channels } from "../channels/channels.ts";
import type { AnswerDesk, ShownQuestion } from "../questions.ts";
import { BOT_COMMANDS } from "../slash-commands.ts";
import type { Talk } from "../talk.ts";
import type { ApiAnswer, TelegramApi } from "./telegram-api.ts";
import type { Keyboard } from "./telegram-buttons.ts";
import type { TelegramNotes } from "./telegram-notes.ts";
import { type PollPace, TelegramPolling } from "./telegram-polling.ts";
import { TelegramQuestions } from "./telegram-questions.ts";
import { TelegramStrangers } from "./telegram-strangers.ts";
import { textParts } from "./telegram-text.ts";
import { TelegramTyping } from "./telegram-typing.ts";
import { type Arrival, arrivalOf } from "./telegram-updates.ts";

/** For what is being sent when the daemon stops: whatever is broken off is sent a second time. */
const LAST_WORDS_MS = 2_000;
const ONLY_TEXT = "I can only read text messages.";

interface Parts {
  settings: Pick<TelegramSettings, "owners">;
  api: Pick<TelegramApi, "call">;
  channels: Pick<Channels, "subscribeAll" | "of">;
  talk: () => Pick<Talk, "say" | "answer" | "tell">;
  notes: TelegramNotes;
  /** Undefined while the daemon starts. */
  questions: () => AnswerDesk;
  clock: () => Date;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Partial<PollPace> | undefined;
}

/** The person's chats with a Telegram bot. Nobody but the owners is listened to or written to. */
export class Telegram implements Channel {
  readonly type = "telegram";
  readonly #parts: Parts;
  readonly #owners: ReadonlySet<number>;
  readonly #polling: TelegramPolling;
  readonly #strangers: TelegramStrangers;
  readonly #typing = new TelegramTyping(
    (chat) => void this.#call("sendChatAction", { chat_id: Number(chat), action: "typing" }),
  );
  readonly #questions: TelegramQuestions;
  readonly #closing = new AbortController();
  readonly #sending = new Set<Promise<unknown>>();
  /** How many parts of a message were sent before one failed. */
  readonly #sent = new Map<string, number>();
  #album: string | undefined;
  #unsubscribe: () => void = () => undefined;

  constructor(parts: Parts) {
    const { settings, api, onTrouble, pace } = parts;
    this.#parts = parts;
    this.#owners = new Set(settings.owners);
    this.#strangers = new TelegramStrangers(parts);
    this.#questions = new TelegramQuestions({
      call: (method, params) => this.#call(method, params),
      desk: parts.questions,
      notes: parts.notes,
      textOf: (chat, said) => (said === "" ? undefined : parts.channels.of(addressOf(chat)).find(said)?.text),
      show: (chat, id, question) => this.#show(chat, id, question),
    });
    this.#polling = new TelegramPolling({ api, take: (update, id) => this.#take(update, id), onTrouble, pace });
  }

  start(): void {
    this.#unsubscribe = this.#parts.channels.subscribeAll((of, live) => this.#hear(of, live));
    this.#polling.start();
    if (this.#owners.size > 0)
      void this.#call("setMyCommands", { commands: BOT_COMMANDS, scope: { type: "all_private_chats" } });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#typing.endAll();
    const timer = setTimeout(() => this.#closing.abort(), LAST_WORDS_MS);
    await Promise.all([this.#polling.stop(), ...this.#sending]);
    clearTimeout(timer);
    this.#closing.abort();
  }

  /** A message of many parts goes on with the part that failed, and begins anew after a restart. */
  async deliver(message: ChannelMessage, { id: chat }: ChannelAddress): Promise<Handled> {
    if (!this.#owners.has(Number(chat)))
      return { kind: "drop", reason: `user ${chat} is not among channels.telegram.owners` };
    const key = `${chat}/${message.id}`;
    const keyboard = await this.#questions.keyboardFor(message);
    if (keyboard === "gone") return { kind: "done" };
    const parts = textParts(message.text);
    for (let at = this.#sent.get(key) ?? 0; at < parts.length; at++) {
      const isLast = at === parts.length - 1;
      const answer = await this.#send(chat, parts[at] ?? "", isLast ? keyboard : undefined);
      const sent = handledOf(answer);
      if (sent.kind === "retry") this.#sent.set(key, at);
      else if (sent.kind === "drop") this.#sent.delete(key);
      if (sent.kind !== "done") return sent;
      if (isLast && answer.kind === "ok") await this.#questions.sent(message, chat, answer.result);
    }
    this.#sent.delete(key);
    return { kind: "done" };
  }

  /** The chats in which the person is notified. */
  chats(): ChannelAddress[] {
    return [...this.#owners].map((owner) => addressOf(String(owner)));
  }

  /** Something became open or closed. */
  refreshQuestions(): void {
    void this.#questions.refresh();
  }

  problems(): string[] {
    const fault = this.#polling.fault;
    return [
      ...(this.#owners.size === 0
        ? [
            "channels.telegram.owners is empty, so every message to the bot is ignored; send it a message to see your user ID here",
          ]
        : []),
      ...(fault === undefined ? [] : [`Telegram: ${fault}`]),
      ...[this.#strangers.problem() ?? []].flat(),
    ];
  }

  /** Telegram would fetch pages that agents name in order to show them, and tell their owners so. */
  #send(chat: string, text: string, keyboard?: Keyboard): Promise<ApiAnswer> {
    return this.#call("sendMessage", {
      chat_id: Number(chat),
      text,
      link_preview_options: { is_disabled: true },
      ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
    });
  }

  async #show(chat: string, id: string, { id: escalation, text }: ShownQuestion): Promise<void> {
    await this.#parts.talk().tell(addressOf(chat), { id, text, escalations: [escalation] });
  }

  #call(method: string, params: object): Promise<ApiAnswer> {
    const work = this.#parts.api.call(method, params, { signal: this.#closing.signal });
    this.#sending.add(work);
    return work.finally(() => this.#sending.delete(work));
  }

  async #take(update: unknown, number: number): Promise<void> {
    const arrival = arrivalOf(update, this.#owners);
    const id = `tg-${number}`;
    if (arrival.kind === "stranger") this.#strangers.note(arrival.userId);
    if (arrival.kind === "pressed") await this.#questions.press(arrival, id);
    if (arrival.kind === "said") await this.#said(arrival, id);
    if (arrival.kind === "unreadable") {
      const isOfAlbum = arrival.album !== undefined && arrival.album === this.#album;
      this.#album = arrival.album;
      if (isOfAlbum) return;
      const words = { id, text: `(${arrival.what})`, answer: ONLY_TEXT };
      await this.#parts.talk().answer(addressOf(arrival.chat), words);
    }
  }

  /** A direct reply to a question is its answer; everything else is for the main agent. */
  async #said({ chat, text, forwarded, replyTo }: Extract<Arrival, { kind: "said" }>, id: string): Promise<void> {
    const to = addressOf(chat);
    const asked = replyTo === undefined ? undefined : this.#questions.askedBy(chat, replyTo);
    if (asked === undefined || forwarded === true || text.startsWith("/")) {
      await this.#parts.talk().say(to, { id, text, forwarded }, { wait: 0 });
      return;
    }
    const { words } = await this.#parts.questions().answer(asked, { text }, { via: "telegram", key: id });
    await this.#parts.talk().answer(to, { id, text, answer: words });
    this.refreshQuestions();
  }

  #hear({ type, id }: ChannelAddress, live: TalkLive): void {
    if (type !== "telegram" || !this.#owners.has(Number(id))) return;
    if (live.kind === "begun") this.#typing.begin(id);
    if (live.kind === "ended") this.#typing.end(id);
  }
}

function addressOf(chat: string): ChannelAddress {
  return { type: "telegram", id: chat };
}

/** A request that is wrong, and a person who does not want to hear, are not tried again; a refused token is no fault of the message. */
function handledOf(answer: ApiAnswer): Handled {
  if (answer.kind === "ok") return { kind: "done" };
  if (answer.kind === "unreachable") return { kind: "retry", reason: answer.reason };
  const { status, reason, pauseMs } = answer;
  const isFinal = status === 400 || status === 403 || status === 413;
  return isFinal ? { kind: "drop", reason } : { kind: "retry", reason, pauseMs };
}
