import { z } from "zod";
import { MESSAGE_LIMITS } from "../../words/teams/message-words.ts";
import { line, prose, Timestamp } from "../../words/text.ts";

/** What a member says of its work, for those who work after it. What it leaves out stays as it was. */
export const RoleState = z.strictObject({
  status: line(60).optional(),
  task_id: line(100).optional(),
  /** A file or a commit that it is about. */
  ref: line(500).optional(),
  key_findings: z.array(line(100)).max(5).optional(),
  decisions: z.array(line(300)).max(20).optional(),
  files_modified: z.array(line(500)).max(100).optional(),
  verification: z.enum(["self-validated", "peer-reviewed", "tested"]).optional(),
});
export type RoleState = z.infer<typeof RoleState>;

export const MessageText = prose(MESSAGE_LIMITS.text).refine((text) => text.trim() !== "", "must not be empty");
/** `progress`, `impl_complete`, `agent_request`. */
export const MessageType = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,59}$/, "must be 1 to 60 lower-case letters, digits, '_' or '-', such as progress");

const about = {
  /** The key of the task that it is about. */
  task: z.string().optional(),
  ref: z.string().optional(),
  state: RoleState.optional(),
};

/** That a run of a member was given the message. */
const MessageDelivery = z.strictObject({ member: z.string(), runId: z.string(), at: Timestamp });
export type MessageDelivery = z.infer<typeof MessageDelivery>;

export const TeamMessage = z.strictObject({
  /** `MSG-007`. */
  id: z.string(),
  seq: z.int().min(1),
  at: Timestamp,
  /** A member, `person`, `hall` or the name of a client. */
  from: z.string(),
  /** A member, or `all`. */
  to: z.string(),
  type: z.string(),
  text: z.string(),
  ...about,
  deliveries: z.array(MessageDelivery),
});
export type TeamMessage = z.infer<typeof TeamMessage>;

/** The lines of `messages.jsonl`. */
export const BusLine = z.discriminatedUnion("line", [
  z.strictObject({
    line: z.literal("message"),
    ...TeamMessage.omit({ deliveries: true }).shape,
    /** Whoever posts again under the same key finds this message. */
    key: z.string().optional(),
    /** Those that are certain; written when older messages are dropped. */
    deliveries: z.array(MessageDelivery).optional(),
  }),
  /** Messages are a run's: its agent gets them with its next turn, or its first. On disk before it is told. */
  z.strictObject({
    line: z.literal("given"),
    at: Timestamp,
    member: z.string(),
    runId: z.string(),
    seqs: z.array(z.int()),
  }),
  /** The run is over. What its agent did not see any more goes to the next run of the member. */
  z.strictObject({ line: z.literal("settled"), at: Timestamp, runId: z.string(), unseen: z.array(z.int()) }),
]);
export type BusLine = z.infer<typeof BusLine>;
