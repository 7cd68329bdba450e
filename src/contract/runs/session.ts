import { z } from "zod";
import { ChannelAddress, Speaker } from "../documents/channel.ts";
import { charge, turnEntries } from "./journal.ts";
import { Thought, ToolCall } from "./model-call.ts";

/** What was said to an agent that lives on. */
export const SessionMessage = z.strictObject({
  id: z.string().refine((id) => id !== ""),
  from: Speaker,
  /** Where it was said. */
  channel: ChannelAddress,
  text: z.string(),
  at: z.string(),
  root: z.string().optional(),
  hops: z.number().optional(),
  /** It is told with the next message that wants an answer. */
  quiet: z.literal(true).optional(),
  /** The project whose words it brings, where the channel is not that project's. */
  project: z.string().optional(),
  /** Somebody else wrote it; the person only passes it on. */
  forwarded: z.literal(true).optional(),
  /** The program that said it with a token of its own, where that was not the person. */
  client: z.string().optional(),
  /** Tools that need consent in the run whose words it brings. */
  ask: z.array(z.string()).optional(),
});
export type SessionMessage = z.infer<typeof SessionMessage>;

/** How the turn that a message began came to its end. `refused`: no provider would take it, so the model is not told of it again. */
export const TurnOutcome = z.enum(["answered", "failed", "stopped", "refused"]);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

/** Entries that only sessions have. */
const own = {
  message: z.strictObject({ type: z.literal("message"), ...SessionMessage.shape }),
  /** The first line of a file that follows another. `aside`: the other was set aside, because no provider took it any more. */
  summary: z.strictObject({
    type: z.literal("summary"),
    text: z.string(),
    previous: z.string(),
    aside: z.literal(true).optional(),
    /** How often the model had answered in the turn that was under way: those answers are in the other file only. */
    answers: z.number().optional(),
    ...charge,
  }),
  /** The message was dealt with. Without it, the agent goes on with the message when it comes back. */
  ended: z.strictObject({
    type: z.literal("ended"),
    messageId: z.string(),
    outcome: TurnOutcome,
    error: z.string().optional(),
    at: z.string(),
  }),
};

/**
 * The lines of a session, session/current.jsonl: of the main agent in the workspace, of a project's agent in its folder.
 * What the agent does next follows from them alone. A file is only added to; when the model's window is full, it is kept
 * under the time at which it ended, and the next begins with a summary that names it.
 */
export const SessionEntry = z.discriminatedUnion("type", [
  own.message,
  turnEntries.answer,
  turnEntries.failure,
  turnEntries.waiting,
  turnEntries.resumed,
  turnEntries.permit,
  turnEntries.hook,
  turnEntries.result,
  own.summary,
  own.ended,
]);
export type SessionEntry = z.infer<typeof SessionEntry>;

/** The byte at which its line starts. */
const place = { offset: z.int() };

/** An entry as the API tells it: without what only its provider can read. */
export const ShownEntry = z.discriminatedUnion("type", [
  own.message.extend(place),
  turnEntries.answer.extend({
    ...place,
    thinking: z.array(Thought.omit({ opaque: true })).optional(),
    calls: z.array(ToolCall.omit({ opaque: true })).optional(),
  }),
  turnEntries.failure.extend(place),
  turnEntries.waiting.extend(place),
  turnEntries.resumed.extend(place),
  turnEntries.permit.extend(place),
  turnEntries.hook.extend(place),
  turnEntries.result.extend(place),
  own.summary.extend(place),
  own.ended.extend(place),
]);
export type ShownEntry = z.infer<typeof ShownEntry>;
