import type { ChannelAddress, ChannelMessage, ChannelType } from "../contract/channel.ts";

/** What came of one attempt to bring a message to a person. */
export type Delivery =
  | { kind: "arrived" }
  /** It may work another time; `pauseMs` is what whoever refused it asked for. */
  | { kind: "postponed"; reason: string; pauseMs?: number | undefined }
  /** It never will. */
  | { kind: "refused"; reason: string };

/** A service over which the person speaks with the main agent. What it hears it says in the hall by itself. */
export interface Channel {
  readonly type: ChannelType;
  start(): void;
  stop(): Promise<void>;
  /**
   * Never rejects. It is given the messages of one address one after another in their order, each again until it has
   * arrived or was refused, and those of different addresses at once.
   */
  deliver(message: ChannelMessage, address: ChannelAddress): Promise<Delivery>;
}

/**
 * How the person hears what is said to them. `read`: they look into the channel themselves, over the API and its
 * streams, so that what is written has arrived. `waits`: nothing brings it now; it is brought when something does.
 */
export type Way = Channel | "read" | "waits";

/** Every type of channel has its way; what is said to agents goes to them, whatever the channel (exchange.ts). */
export type Ways = Record<ChannelType, Way>;
