import type { ChannelAddress } from "../contract/channel.ts";
import type { TalkLive } from "../contract/talk-routes.ts";
import { ClientStream, ClientStreams, type CutOff, everyInterval, type StreamSettings } from "./client-stream.ts";
import type { TalkDesk } from "./talk-handlers.ts";

type Source = Pick<TalkDesk, "conversation" | "subscribe">;

const REPLAY_PAGE = 500;

/**
 * One channel as it goes on. Messages come with their number, and those after the one a client has seen last are replayed;
 * deltas and activities are lost without harm when a client does not keep up.
 */
export class TalkStreams {
  readonly #desk: Source;
  readonly #settings: StreamSettings;
  readonly #streams = new ClientStreams();

  constructor(desk: Source, settings: Partial<StreamSettings> = {}) {
    this.#desk = desk;
    this.#settings = { every: everyInterval, heartbeatMs: 15_000, maxWaiting: 2_000, ...settings };
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Without `after`, only what is said from now on. */
  open(of: ChannelAddress, after: number | undefined, cutOff: CutOff = () => {}): ReadableStream<Uint8Array> {
    const { every, heartbeatMs, maxWaiting } = this.#settings;
    // Refused before anything is begun when there is no such channel.
    const { lastSeq } = this.#desk.conversation(of, { limit: 1 });
    const stream = new ClientStream({ every, heartbeatMs }, cutOff);
    // A number of a channel that was begun anew may be higher than any message here.
    let sent = Math.min(after ?? lastSeq, lastSeq);
    let isBehind = after !== undefined;
    let waiting: TalkLive[] = [];
    const hear = (live: TalkLive) => {
      if (waiting.length < maxWaiting) waiting.push(live);
      // The channel has the messages; whatever else was missed does not matter any more.
      else if (live.kind === "message") isBehind = true;
      stream.wake();
    };
    const missed = (): string => {
      const { messages } = this.#desk.conversation(of, { after: sent, limit: REPLAY_PAGE });
      isBehind = messages.length === REPLAY_PAGE;
      sent = messages.at(-1)?.seq ?? sent;
      return messages.map((message) => frame({ kind: "message", message })).join("");
    };
    const next = (): string | undefined => {
      const replayed = isBehind ? missed() : "";
      if (isBehind) return replayed;
      const fresh = waiting.filter((live) => live.kind !== "message" || live.message.seq > sent);
      waiting = [];
      for (const live of fresh) if (live.kind === "message") sent = live.message.seq;
      const text = replayed + fresh.map(frame).join("");
      return text === "" ? undefined : text;
    };
    return this.#streams.start(stream, { listen: () => this.#desk.subscribe(of, hear), next });
  }

  endAll(): void {
    this.#streams.endAll();
  }
}

function frame(live: TalkLive): string {
  const id = live.kind === "message" ? `id: ${live.message.seq}\n` : "";
  return `${id}event: ${live.kind}\ndata: ${JSON.stringify(live)}\n\n`;
}
