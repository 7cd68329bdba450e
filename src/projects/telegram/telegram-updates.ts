import { z } from "zod";

/** Telegram's own limit is a small part of it. */
const LONGEST_SAID = 100_000;

/** What an update is to the hall. */
export type Arrival =
  /** The person said something. */
  | { kind: "said"; chat: string; text: string; forwarded?: true | undefined; replyTo?: number | undefined }
  /** The person pressed a button below a message of the bot. */
  | { kind: "pressed"; chat: string; callbackId: string; messageId: number; data: string }
  /** The person sent something that is no text. */
  | { kind: "unreadable"; chat: string; what: string; album?: string | undefined }
  | { kind: "stranger"; userId: number }
  | { kind: "nothing" };

const From = z.looseObject({ id: z.int(), is_bot: z.boolean().optional() });
const Chat = z.looseObject({ id: z.int(), type: z.string() });
const Message = z.looseObject({
  from: From,
  chat: Chat,
  text: z.string().optional(),
  reply_to_message: z.looseObject({ message_id: z.int() }).optional(),
  media_group_id: z.string().max(100).optional(),
});
const Update = z.looseObject({ update_id: z.int().min(0), message: Message });
const Pressed = z.looseObject({
  callback_query: z.looseObject({
    id: z.string().min(1).max(200),
    from: From,
    message: z.looseObject({ message_id: z.int(), chat: Chat }),
    data: z.string().max(64),
  }),
});

const OF_OTHERS = [
  "forward_origin",
  "forward_from",
  "forward_from_chat",
  "forward_sender_name",
  "forward_date",
  "via_bot",
];
const FORWARDED = "[Forwarded by the person; someone else may have written it.]\n";

const KINDS: Record<string, string> = {
  photo: "a photo",
  voice: "a voice message",
  audio: "an audio file",
  video: "a video",
  video_note: "a video",
  animation: "an animation",
  document: "a file",
  sticker: "a sticker",
  location: "a location",
  venue: "a location",
  contact: "a contact",
  poll: "a poll",
  dice: "a die",
  story: "a story",
};

/** Undefined when it has none, and can then never be confirmed. */
export function updateId(update: unknown): number | undefined {
  return Update.pick({ update_id: true }).safeParse(update).data?.update_id;
}

/** Only what an owner writes in their own chat with the bot counts as a word of the person. */
export function arrivalOf(update: unknown, owners: ReadonlySet<number>): Arrival {
  const message = Update.safeParse(update).data?.message;
  if (message === undefined) return pressed(update, owners);
  const { from, chat, text } = message;
  if (!owners.has(from.id)) return { kind: "stranger", userId: from.id };
  if (!isOwnChat(from, chat) || message.sender_chat !== undefined) return { kind: "nothing" };
  const place = { chat: String(chat.id) };
  if (text === undefined) return unreadable(message, place);
  if (text.length > LONGEST_SAID) return { kind: "unreadable", ...place, what: "a message that is too long" };
  const words = text
    .toWellFormed()
    .replaceAll("\0", "")
    .trim()
    .replace(/^(\/[a-z]+)@\w+/, "$1");
  if (words === "") return { kind: "nothing" };
  const replied = message.reply_to_message?.message_id;
  const reply = replied === undefined ? {} : { replyTo: replied };
  if (!isOfOthers(message)) return { kind: "said", ...place, text: words, ...reply };
  return { kind: "said", ...place, text: `${FORWARDED}${words}`, forwarded: true };
}

/** A button counts like a word: only where the message and whoever pressed are of the owner's own chat. */
function pressed(update: unknown, owners: ReadonlySet<number>): Arrival {
  const query = Pressed.safeParse(update).data?.callback_query;
  if (query === undefined) return { kind: "nothing" };
  const { id: callbackId, from, message, data } = query;
  if (!owners.has(from.id)) return { kind: "stranger", userId: from.id };
  if (!isOwnChat(from, message.chat)) return { kind: "nothing" };
  return { kind: "pressed", chat: String(message.chat.id), callbackId, messageId: message.message_id, data };
}

function isOwnChat(from: z.infer<typeof From>, chat: z.infer<typeof Chat>): boolean {
  return chat.type === "private" && chat.id === from.id && from.is_bot !== true;
}

/** What others wrote is no order of the person, who only shows it. */
function isOfOthers(message: z.infer<typeof Message>): boolean {
  return OF_OTHERS.some((key) => key in message);
}

/** Service messages, as of something pinned, need no answer. */
function unreadable(message: z.infer<typeof Message>, place: { chat: string }): Arrival {
  const kind = Object.keys(KINDS).find((key) => key in message);
  if (kind === undefined) return { kind: "nothing" };
  return { kind: "unreadable", ...place, what: KINDS[kind] ?? kind, album: message.media_group_id };
}
