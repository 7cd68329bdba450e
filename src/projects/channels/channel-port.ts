import type { ChannelAddress, ChannelMessage, ChannelType } from "../../contract/documents/channel.ts";
import type { Handled } from "../../workspace/events/subscriber-parts.ts";

/** A service over which the person speaks with the main agent. What it hears it says in the hall by itself. */
export interface Channel {
  readonly type: ChannelType;
  start(): void;
  stop(): Promise<void>;
  /**
   * Never rejects. It is given the messages of one address one after another in their order, each again until it is
   * done or dropped, and those of different addresses at once.
   */
  deliver(message: ChannelMessage, address: ChannelAddress): Promise<Handled>;
}

/**
 * How the person hears what is said to them. `read`: they look into the channel themselves, over the API and its
 * streams, so that what is written has arrived. `waits`: nothing brings it now; it is brought when something does.
 */
export type Way = Channel | "read" | "waits";

/** Every type of channel has its way; what is said to agents goes to them, whatever the channel (exchange.ts). */
export type Ways = Record<ChannelType, Way>;
