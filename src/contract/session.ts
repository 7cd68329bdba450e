import type { ChannelAddress, Speaker } from "./channel.ts";
import type { JournalEntry } from "./journal.ts";
import type { Usage } from "./model-call.ts";

/** What was said to an agent that lives on. */
export interface SessionMessage {
  id: string;
  from: Speaker;
  /** Where it was said. */
  channel: ChannelAddress;
  text: string;
  at: string;
  root?: string | undefined;
  hops?: number | undefined;
  /** It is told with the next message that wants an answer. */
  quiet?: true | undefined;
  /** The project whose words it brings, where the channel is not that project's. */
  project?: string | undefined;
  /** Somebody else wrote it; the person only passes it on. */
  forwarded?: true | undefined;
}

/** How the turn that a message began came to its end. `refused`: no provider would take it, so the model is not told of it again. */
export type TurnOutcome = "answered" | "failed" | "stopped" | "refused";

/**
 * The lines of a session, session/current.jsonl: of the main agent in the workspace, of a project's agent in its folder.
 * What the agent does next follows from them alone. A file is only added to; when the model's window is full, it is kept
 * under the time at which it ended, and the next begins with a summary that names it.
 */
export type SessionEntry =
  | ({ type: "message" } & SessionMessage)
  | Extract<JournalEntry, { type: "answer" | "failure" | "waiting" | "resumed" | "result" }>
  /** The first line of a file that follows another. `aside`: the other was set aside, because no provider took it any more. */
  | {
      type: "summary";
      text: string;
      previous: string;
      aside?: true | undefined;
      /** How often the model had answered in the turn that was under way: those answers are in the other file only. */
      answers?: number | undefined;
      model: string;
      usage: Usage;
      costUsd: number | null;
      at: string;
    }
  /** The message was dealt with. Without it, the agent goes on with the message when it comes back. */
  | { type: "ended"; messageId: string; outcome: TurnOutcome; error?: string | undefined; at: string };
