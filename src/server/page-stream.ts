import type { ChannelAddress } from "../contract/channel.ts";
import { HallError } from "../contract/errors.ts";
import type { HallEvent } from "../contract/event.ts";
import type { Live } from "../contract/live.ts";
import type { RouteQuery } from "../contract/routes.ts";
import { runLine } from "../contract/run-line.ts";
import type { TalkLive } from "../contract/talk-routes.ts";
import type { LiveListener } from "../runs/live-runs.ts";
import type { Hall } from "../workspace/hall.ts";
import { ClientStream, ClientStreams, type CutOff, everyInterval } from "./client-stream.ts";
import { EventReplay, type EventStreamSettings } from "./event-stream.ts";
import type { TalkDesk } from "./talk-handlers.ts";

export interface PageSources {
  readonly events: Hall["events"];
  readonly runs: { subscribe(listener: LiveListener): () => void };
  readonly talk: Pick<TalkDesk, "conversation" | "subscribe">;
  readonly version: string;
  readonly startedAt: Date;
}

export type PageQuery = RouteQuery<"streamLive">;

/** Whoever missed more asks for everything again, which costs less than reading so much of the log. */
const MOST_REPLAYED = 2_000;

/** The one stream of a browser: events, which are never lost, and what happens beside them, which can be asked for again. */
export class PageStreams {
  readonly #sources: PageSources;
  readonly #settings: EventStreamSettings;
  readonly #streams = new ClientStreams();

  constructor(sources: PageSources, settings: Partial<EventStreamSettings> = {}) {
    this.#sources = sources;
    this.#settings = { every: everyInterval, heartbeatMs: 15_000, maxWaiting: 2_000, onFailure: () => {}, ...settings };
  }

  get size(): number {
    return this.#streams.size;
  }

  open({ after, deltas, channels }: PageQuery, cutOff: CutOff = () => {}): ReadableStream<Uint8Array> {
    const { events, runs, version, startedAt } = this.#sources;
    const seq = events.head();
    const reset = after !== undefined && (after > seq || seq - after > MOST_REPLAYED);
    const stream = new ClientStream(this.#settings, cutOff);
    const source = { events, frame: (event: HallEvent) => frame({ kind: "event", event }, event.seq) };
    const replay = new EventReplay(source, { after: reset ? undefined : after }, this.#settings);
    const beside = new Beside(this.#settings.maxWaiting, () => stream.wake());
    const wanted = new Set(deltas);
    const listen = () => [
      events.subscribe((event) => {
        replay.hear(event);
        stream.wake();
      }),
      runs.subscribe((live) => beside.hearRun(live, wanted)),
      ...channels.flatMap((channel) => this.#listenTo(channel, beside)),
    ];
    return this.#streams.start(stream, {
      first: frame({ kind: "hello", seq, reset, version, startedAt: startedAt.toISOString() }),
      listen: () => {
        const stops = listen();
        return () => {
          for (const stop of stops) stop();
        };
      },
      next: () => this.#next(replay, beside),
    });
  }

  endAll(): void {
    this.#streams.endAll();
  }

  /** Rejects when the log cannot be read, which ends the stream; the client asks again for what it missed. */
  async #next(replay: EventReplay, beside: Beside): Promise<string | undefined> {
    try {
      const text = ((await replay.next()) ?? "") + beside.take();
      return text === "" ? undefined : text;
    } catch (error) {
      this.#settings.onFailure(error);
      throw error;
    }
  }

  /** A channel that is gone, as of a project that was purged, must not end the stream of all the others. */
  #listenTo(channel: ChannelAddress, beside: Beside): (() => void)[] {
    const { talk } = this.#sources;
    try {
      talk.conversation(channel, { limit: 1 });
    } catch (error) {
      if (error instanceof HallError) return [];
      throw error;
    }
    return [talk.subscribe(channel, (live) => beside.hearTalk(channel, live))];
  }
}

/** What waits for one client beside events. Whoever does not keep up misses pieces of text and activities, and no state. */
class Beside {
  readonly #maxWaiting: number;
  readonly #wake: () => void;
  #waiting: string[] = [];

  constructor(maxWaiting: number, wake: () => void) {
    this.#maxWaiting = maxWaiting;
    this.#wake = wake;
  }

  hearRun(
    { runId, projectId, delta, activity, figures, run }: Parameters<LiveListener>[0],
    wanted: ReadonlySet<string>,
  ): void {
    if (delta !== undefined && wanted.has(runId)) this.#add({ kind: "delta", runId, delta }, true);
    if (run !== undefined) this.#add({ kind: "run", runId, projectId, run: runLine(run) }, false);
    else if (activity !== undefined) this.#add({ kind: "run", runId, projectId, activity, figures }, true);
  }

  hearTalk(channel: ChannelAddress, live: TalkLive): void {
    this.#add({ kind: "talk", channel, live }, live.kind === "delta" || live.kind === "activity");
  }

  take(): string {
    return this.#waiting.splice(0).join("");
  }

  #add(live: Live, mayBeLost: boolean): void {
    if (mayBeLost && this.#waiting.length >= this.#maxWaiting) return;
    this.#waiting.push(frame(live));
    this.#wake();
  }
}

function frame({ kind, ...data }: Live, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
