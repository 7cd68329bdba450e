import { z } from "zod";
import { CHANNEL_TYPES, ChannelId, ChannelMessage, ChannelType } from "../documents/channel.ts";
import { Activity } from "../runs/activity.ts";
import { ShownEntry, TurnOutcome } from "../runs/session.ts";
import { NOT_BLANK, prose } from "../words/text.ts";
import type { Route } from "./route.ts";
import { byId, success } from "./route-parts.ts";

const MOST_WAIT_SECONDS = 600;
const LONGEST_MESSAGE = 100_000;

const wait = z.coerce.number().int().min(0).max(MOST_WAIT_SECONDS).default(0);

/** The person's own ways to speak: what Telegram and projects say comes in by itself. */
const place = {
  type: z.enum(["cli", "http"]).default("http"),
  channel: ChannelId.default("default"),
};
const anyPlace = { type: ChannelType.default("http"), channel: ChannelId.default("default") };

const words = {
  text: prose(LONGEST_MESSAGE)
    .refine((text) => text.trim() !== "", "must not be empty")
    .meta({ pattern: NOT_BLANK }),
  /** Saying something again with the same id says it once. */
  id: z
    .string()
    .regex(/^[\w.:-]{1,120}$/, "must be 1 to 120 letters, digits or . : - _")
    .optional(),
};

const page = {
  /** Messages after this number, oldest first; without it, the newest. */
  after: z.coerce.number().int().min(0).optional(),
  /** Messages before this number: the newest of them. */
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
};

const Said = z.strictObject({
  ...success,
  message: ChannelMessage,
  /** What came of it so far: with `wait`, until nobody is at work on it any more or the time is up. */
  answers: z.array(ChannelMessage),
  /** Whether somebody is still at work on it. */
  isOpen: z.boolean(),
});

export type Said = Omit<z.infer<typeof Said>, "success">;

const Conversation = z.strictObject({
  messages: z.array(ChannelMessage),
  /** The number of the newest message. */
  lastSeq: z.int(),
  /** Whether somebody is at work on an answer, and what they do. */
  isBusy: z.boolean(),
  activity: Activity.optional(),
});
export type Conversation = z.infer<typeof Conversation>;

export const SessionPage = z.strictObject({
  /** The file that was read, in the folder session/. */
  file: z.string(),
  /** Oldest first. */
  entries: z.array(ShownEntry),
  /** For the page before this one. */
  nextBefore: z.int().optional(),
  /** Sessions that were closed when they were full, the newest first. */
  archives: z.array(z.strictObject({ file: z.string(), size: z.int(), updatedAt: z.string() })),
});
export type SessionPage = z.infer<typeof SessionPage>;

const sessionQuery = z.strictObject({
  file: z.string().max(200).optional(),
  before: page.before,
  limit: page.limit,
});

const Stopped = z.strictObject({
  ...success,
  /** Whether there was an answer to stop, under way or still to begin. */
  stopped: z.boolean(),
});

/**
 * What a stream tells of a channel. `message`: something was said. `delta` and `activity`: of an answer that is under way, lost without harm. `begun` and `ended`: the answer to a message, which is `held`
 * when a project does not listen any more and the message stays.
 * `settled`: nobody is at work any more on what came of a message of the person.
 */
export const TalkLive = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("message"), message: ChannelMessage }),
  z.strictObject({ kind: z.literal("delta"), messageId: z.string(), text: z.string() }),
  /** What was written so far is void: the model is asked again. */
  z.strictObject({ kind: z.literal("restart"), messageId: z.string() }),
  z.strictObject({ kind: z.literal("activity"), messageId: z.string(), activity: Activity }),
  z.strictObject({ kind: z.literal("begun"), messageId: z.string() }),
  z.strictObject({
    kind: z.literal("ended"),
    messageId: z.string(),
    outcome: z.enum([...TurnOutcome.options, "held"]),
    error: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("settled"), root: z.string() }),
]);
export type TalkLive = z.infer<typeof TalkLive>;

export const ChannelView = z.strictObject({
  type: z.enum(CHANNEL_TYPES),
  id: z.string(),
  lastSeq: z.int(),
  lastAt: z.string().optional(),
  /** Messages that nobody has dealt with yet. */
  open: z.int(),
});
export type ChannelView = z.infer<typeof ChannelView>;

export const talkRoutes = {
  sendChat: {
    summary: "Send a message to the main agent. With wait=SECONDS the response includes the answer.",
    group: "Chat",
    query: z.strictObject({ wait }),
    body: z.strictObject({ ...words, ...place }),
    response: Said,
    status: 201,
  },
  listChat: {
    summary: "Messages of a channel.",
    group: "Chat",
    query: z.strictObject({ ...anyPlace, ...page }),
    response: Conversation,
  },
  stopChat: {
    summary: "Stop the main agent's answer in a channel. Its actions are kept.",
    group: "Chat",
    body: z.strictObject({ type: anyPlace.type, channel: anyPlace.channel }),
    bodyOptional: true,
    response: Stopped,
  },
  listChannels: {
    summary: "Channels with messages.",
    group: "Chat",
    response: z.strictObject({ channels: z.array(ChannelView) }),
  },
  getMainSession: {
    summary: "The main agent's session: messages, thoughts, tool calls and answers.",
    group: "Chat",
    query: sessionQuery,
    response: SessionPage,
  },
  messageProject: {
    summary: "Send a message to a project's agent. With wait=SECONDS the response includes the answer.",
    group: "Chat",
    params: byId,
    query: z.strictObject({ wait }),
    body: z.strictObject(words),
    response: Said,
    status: 201,
  },
  listProjectMessages: {
    summary: "Messages between a project's agent, the main agent and the person.",
    group: "Chat",
    params: byId,
    query: z.strictObject(page),
    response: Conversation,
  },
  stopProjectAnswer: {
    summary: "Stop the answer of a project's agent. Its actions and the runs it started are kept.",
    group: "Chat",
    params: byId,
    response: Stopped,
  },
  getProjectSession: {
    summary: "The session of a project's agent: messages, thoughts, tool calls and answers.",
    group: "Chat",
    params: byId,
    query: sessionQuery,
    response: SessionPage,
  },
} as const satisfies Record<string, Route>;
