import type { ChannelAddress, ChannelMessage } from "../../contract/documents/channel.ts";
import { HallError } from "../../contract/errors.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import type { WantedChannel } from "../../contract/runs/live.ts";
import type { TalkDesk } from "../handlers/talk-handlers.ts";

const PAGE = 500;

/**
 * One channel, for one client. Messages after the last one that the client has seen come from the channel, page by page;
 * those that are said meanwhile come with a later page, so that none is missing or doubled.
 */
export class ChannelReplay {
  readonly channel: ChannelAddress;
  readonly #talk: Pick<TalkDesk, "conversation">;
  #sent: number;
  #isBehind: boolean;

  /** Throws when there is no such channel. */
  constructor(talk: Pick<TalkDesk, "conversation">, { channel, after }: WantedChannel) {
    const { lastSeq } = talk.conversation(channel, { limit: 1 });
    this.channel = channel;
    this.#talk = talk;
    // A number of a channel that was begun again may be higher than any message here.
    this.#sent = Math.min(after ?? lastSeq, lastSeq);
    this.#isBehind = this.#sent < lastSeq;
  }

  /** Whether the client is sent it now: a page that is still to come has it otherwise, or had it. */
  takes(live: TalkLive): boolean {
    if (live.kind !== "message") return true;
    if (this.#isBehind || live.message.seq <= this.#sent) return false;
    this.#sent = live.message.seq;
    return true;
  }

  /** The next messages that were missed; none when there are no more. */
  next(): TalkLive[] {
    if (!this.#isBehind) return [];
    const messages = this.#page();
    this.#isBehind = messages.length === PAGE;
    this.#sent = messages.at(-1)?.seq ?? this.#sent;
    return messages.map((message) => ({ kind: "message", message }));
  }

  /** A channel may be gone by now, as of a project that was purged; the stream of all the others goes on. */
  #page(): ChannelMessage[] {
    try {
      return this.#talk.conversation(this.channel, { after: this.#sent, limit: PAGE }).messages;
    } catch (error) {
      if (error instanceof HallError) return [];
      throw error;
    }
  }
}
