import type { ChannelAddress } from "../../contract/documents/channel.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";

/** What a message of a channel is called in the main agent's session, which has all channels in it. */
export function sessionId({ type, id }: ChannelAddress, messageId: string): string {
  // No id of a channel has a slash: two channels never make the same.
  return `${type}/${id}/${messageId}`;
}

/** The ids of messages are those of their channels; the session has all channels in it. */
export function spotOf({ id, channel }: SessionMessage): { address: ChannelAddress; messageId: string } {
  return { address: channel, messageId: id.slice(channel.type.length + channel.id.length + 2) };
}
