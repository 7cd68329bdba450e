import { z } from "zod";

/** Where the main agent speaks with somebody: with the person over the CLI, HTTP or Telegram, and with each project. */
export const CHANNEL_TYPES = ["cli", "http", "telegram", "project"] as const;
export const ChannelType = z.enum(CHANNEL_TYPES);
export type ChannelType = z.infer<typeof ChannelType>;

/** Of a project's channel the id is the project's, of a Telegram chat the chat's, and any other name else. */
export const ChannelId = z
  .string()
  .regex(/^[a-z0-9_-][a-z0-9._-]{0,63}$/, "must be a short name of lowercase letters, digits and . _ -");

export const ChannelAddress = z.strictObject({ type: ChannelType, id: ChannelId });
export type ChannelAddress = z.infer<typeof ChannelAddress>;

export function projectChannel(id: string): ChannelAddress {
  return { type: "project", id };
}

/** `hall`: the house itself, of something that happened. */
export const Speaker = z.enum(["person", "main", "project", "hall"]);
export type Speaker = z.infer<typeof Speaker>;

/** Something that an agent did before it answered: said a few words, or called a tool about something. */
export const TurnStep = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("said"), text: z.string() }),
  z.strictObject({ is: z.literal("called"), tool: z.string(), about: z.string(), failed: z.literal(true).optional() }),
]);
export type TurnStep = z.infer<typeof TurnStep>;

/** One thing that was said in a channel. */
export const ChannelMessage = z.strictObject({
  /** Grows by one with every message of its channel. */
  seq: z.int().min(1),
  /** Saying something again with the same id says it once. */
  id: z.string().min(1).max(200),
  at: z.string(),
  from: Speaker,
  to: Speaker,
  text: z.string(),
  /** The message of the person, or else the first one, that this one came of. */
  root: z.string().optional(),
  /** How many messages of agents came between that one and this. */
  hops: z.int().min(0).optional(),
  /** The message that this one answers. */
  inReplyTo: z.string().optional(),
  /** Who hears the answer, if not whoever said it; `hall`: nobody. */
  answerTo: Speaker.optional(),
  /** Whoever gets it need not answer: it is told with the next message that wants an answer. */
  quiet: z.literal(true).optional(),
  /** The project whose words it brings, where the channel is not that project's. */
  project: z.string().optional(),
  /** Somebody else wrote it; the person only passes it on. */
  forwarded: z.literal(true).optional(),
  /** The program that said it with a token of its own, where that was not the person. */
  client: z.string().optional(),
  /** Tools that need consent in the run whose words it brings: who acts on them needs it, too. */
  ask: z.array(z.string()).optional(),
  /** What waits for the person, where the message is about that. */
  escalations: z.array(z.string()).optional(),
  /** Of an answer: what the agent did for it. */
  steps: z.array(TurnStep).optional(),
});
export type ChannelMessage = z.infer<typeof ChannelMessage>;
