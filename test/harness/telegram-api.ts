import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Cleaner } from "./temporary-folder.ts";

/** A token of the real form, which must be seen nowhere but in addresses of requests. */
export const BOT_TOKEN = "7012345678:AAKANARIE-f4x2Wq9_bLkJ7TzYv1RmNcDeH";
export const OWNER = 42_000_001;

export interface ApiCall {
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely by tests
  params: any;
  at: number;
}

/** What is answered instead of the usual: an error in Telegram's form, this body, or nothing. */
export type ApiReply =
  | { status: number; description?: string; parameters?: object }
  | { body: string; status?: number }
  | "hang"
  | "break"
  | undefined;

export interface TelegramServer {
  url: string;
  port: number;
  calls: ApiCall[];
  /** Texts of the messages that were taken, in order. */
  sent(chat?: number): string[];
  /** Updates that were not confirmed yet. */
  waiting(): unknown[];
  /** Somebody writes to the bot: a text by the owner unless told otherwise. Returns the update's number. */
  write(text: string, more?: object): number;
  /** Messages with buttons that were taken, as they look now, in order. */
  keyboards(chat?: number): { messageId: number; text: string; buttons: { text: string; data: string }[] }[];
  /** The owner, unless told otherwise, presses a button below a message. Returns the update's number. */
  press(messageId: number, data: string, more?: object): number;
  /** This, as it is, among the updates. */
  push(...updates: unknown[]): void;
  /** Whether something other than the usual is answered from now on. */
  play(reply: (call: ApiCall, number: number) => ApiReply): void;
  close(): Promise<void>;
}

const LONGEST = 4_096;

interface Markup {
  inline_keyboard: { text: string; callback_data?: string; url?: string }[][];
}
interface Edit {
  message_id: number;
  text: string;
  reply_markup?: Markup;
}

/** Telegram's Bot API on loopback, as far as a bot that polls needs it. Updates wait until they are confirmed. */
export async function startTelegram(port = 0, later: Cleaner = onTestFinished): Promise<TelegramServer> {
  const calls: ApiCall[] = [];
  const taken: { chat: number; text: string }[] = [];
  const marked = new Map<number, { chat: number; text: string; markup: Markup | undefined }>();
  let updates: unknown[] = [];
  let next = 900_000_000;
  let held: { answer: () => void; conflict: () => void } | undefined;
  let reply: (call: ApiCall, number: number) => ApiReply = () => undefined;

  const poll = ({ offset, timeout = 0, limit = 100 }: Record<string, number>, response: ServerResponse) => {
    held?.conflict();
    if (offset !== undefined) updates = updates.filter((update) => numberOf(update) >= offset);
    const answer = () => {
      held = undefined;
      clearTimeout(timer);
      json(response, 200, { ok: true, result: updates.slice(0, limit) });
    };
    const timer = setTimeout(answer, timeout * 1_000);
    const conflict = () => {
      clearTimeout(timer);
      json(response, 409, failure(409, "Conflict: terminated by other getUpdates request"));
    };
    held = { answer, conflict };
    response.once("close", () => {
      clearTimeout(timer);
      if (held?.answer === answer) held = undefined;
    });
    if (updates.length > 0) answer();
  };

  const edit = ({ message_id: id, text, reply_markup: markup }: Edit, response: ServerResponse) => {
    const known = marked.get(id);
    if (known === undefined) return json(response, 400, failure(400, "Bad Request: message to edit not found"));
    if (text.length > LONGEST) return json(response, 400, failure(400, "Bad Request: message is too long"));
    marked.set(id, { ...known, text, markup });
    return json(response, 200, { ok: true, result: { message_id: id } });
  };

  const send = (
    { chat_id: chat, text, reply_markup: markup }: { chat_id?: unknown; text?: unknown; reply_markup?: Markup },
    response: ServerResponse,
  ) => {
    if (typeof chat !== "number") return json(response, 400, failure(400, "Bad Request: chat_id is empty"));
    if (typeof text !== "string" || text.trim() === "")
      return json(response, 400, failure(400, "Bad Request: message text is empty"));
    if (text.length > LONGEST) return json(response, 400, failure(400, "Bad Request: message is too long"));
    const isTooLong = (markup?.inline_keyboard ?? []).flat().some(({ callback_data: data = "" }) => data.length > 64);
    if (isTooLong) return json(response, 400, failure(400, "Bad Request: BUTTON_DATA_INVALID"));
    taken.push({ chat, text });
    marked.set(taken.length, { chat, text, markup });
    return json(response, 200, { ok: true, result: { message_id: taken.length, chat: { id: chat }, text } });
  };

  const server = createServer(async (request, response) => {
    const params = await bodyOf(request);
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    if (token !== BOT_TOKEN) return json(response, 401, failure(401, "Unauthorized"));
    const call = { method, params, at: performance.now() };
    const number = calls.filter((other) => other.method === method).length;
    calls.push(call);
    const scripted = reply(call, number);
    if (scripted !== undefined) return played(scripted, response);
    if (method === "getUpdates") return poll(params, response);
    if (method === "sendMessage") return send(params, response);
    if (method === "editMessageText") return edit(params, response);
    return json(response, 200, { ok: true, result: true });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  later(close);
  const push = (...more: unknown[]) => {
    updates.push(...more);
    held?.answer();
  };
  const at = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${at}`,
    port: at,
    calls,
    sent: (chat = OWNER) => taken.filter((message) => message.chat === chat).map(({ text }) => text),
    waiting: () => updates,
    write: (text, more = {}) => {
      const number = next++;
      push(updateOf(number, { text, ...more }));
      return number;
    },
    keyboards: (chat = OWNER) =>
      [...marked]
        .filter(([, message]) => message.chat === chat && message.markup !== undefined)
        .map(([messageId, { text, markup }]) => ({ messageId, text, buttons: buttonsOf(markup) })),
    press: (messageId, data, more = {}) => {
      const number = next++;
      push(pressOf(number, messageId, data, more));
      return number;
    },
    push,
    play: (other) => {
      reply = other;
    },
    close,
  };
}

/** A message of the owner in their chat with the bot. */
export function updateOf(number: number, message: object): unknown {
  return {
    update_id: number,
    message: {
      message_id: number % 10_000,
      date: 1_790_000_000,
      from: { id: OWNER, is_bot: false, first_name: "Ada" },
      chat: { id: OWNER, type: "private", first_name: "Ada" },
      ...message,
    },
  };
}

/** The owner presses a button below a message of the bot in their chat. */
function pressOf(number: number, messageId: number, data: string, more: object): unknown {
  const from = { id: OWNER, is_bot: false, first_name: "Ada" };
  const message = { message_id: messageId, date: 1_790_000_000, chat: { id: OWNER, type: "private" } };
  return { update_id: number, callback_query: { id: `press-${number}`, from, message, data, ...more } };
}

function buttonsOf(markup: Markup | undefined) {
  const buttons = (markup?.inline_keyboard ?? []).flat();
  return buttons.map(({ text, callback_data: data = "", url = "" }) => ({ text, data: data === "" ? url : data }));
}

function played(reply: Exclude<ApiReply, undefined>, response: ServerResponse): void {
  if (reply === "hang") return;
  if (reply === "break") response.destroy();
  else if ("body" in reply)
    response.writeHead(reply.status ?? 200, { "content-type": "application/json" }).end(reply.body);
  else
    json(response, reply.status, {
      ...failure(reply.status, reply.description ?? "scripted"),
      parameters: reply.parameters,
    });
}

function failure(status: number, description: string) {
  return { ok: false, error_code: status, description };
}

function numberOf(update: unknown): number {
  return (update as { update_id?: number } | null)?.update_id as number;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  if (!response.destroyed) response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage) {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString("utf8"));
}
