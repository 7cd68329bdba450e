import type { TeamMessage } from "../../contract/documents/teams/team-message.ts";
import type { NewMessage } from "./bus-state.ts";

export type { NewMessage } from "./bus-state.ts";

export interface MessageQuery {
  /** Only newer ones than this number. */
  after?: number | undefined;
  /** The newest so many; after a number, the next so many. */
  limit?: number | undefined;
  /** Sent by, or to, this member; also those to all. */
  member?: string | undefined;
  type?: string | undefined;
}

/** The messages of teams, as other rooms use them. */
export interface Bus {
  /**
   * Sends a message to a member or to all; the receiver gets it with its next turn, or its first. Durable when it resolves. Under one
   * `key` it is sent once, whoever asks again. Rejects with HallError: the team has ended, an unknown member, a full mailbox.
   */
  post(teamId: string, message: NewMessage): Promise<TeamMessage>;
  /** The oldest first. */
  list(teamId: string, query?: MessageQuery): TeamMessage[];
}
