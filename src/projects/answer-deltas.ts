import type { ChannelAddress } from "../contract/documents/channel.ts";
import type { Delta } from "../contract/runs/model-call.ts";
import type { Exchange } from "./channels/exchange.ts";

/** How long to wait before an answer that could not be written down is tried again. */
export const AGAIN_MS = 1_000;

/** Pieces of an answer, for those who watch. */
export function sendDelta(exchange: Exchange, of: { address: ChannelAddress; messageId: string }, delta: Delta): void {
  const { address, messageId } = of;
  if (delta.kind === "text") exchange.channels.tell(address, { kind: "delta", messageId, text: delta.text });
  if (delta.kind === "restart") exchange.channels.tell(address, { kind: "restart", messageId });
}
