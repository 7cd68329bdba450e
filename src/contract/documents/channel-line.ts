import { z } from "zod";
import { TurnOutcome } from "../runs/session.ts";
import { Speaker } from "./channel.ts";

/** Who deals with messages, one after another. */
export const Receiver = Speaker.extract(["main", "project", "person"]);
export type Receiver = z.infer<typeof Receiver>;

/** A line of a channel's file that is not a message: the receiver has dealt with a message and with all before it. */
export const Receipt = z.strictObject({
  received: z.number(),
  by: Receiver,
  outcome: TurnOutcome.optional(),
  /** Up to here nobody has anything left to deal with, so that nobody has to look further back. */
  settled: z.number().optional(),
  at: z.string().optional(),
});
export type Receipt = z.infer<typeof Receipt>;
