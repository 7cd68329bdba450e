import type { ChannelAddress } from "../../contract/documents/channel.ts";
import { HallError } from "../../contract/errors.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import { ALL_RUNS, type Live, type WantedChannel } from "../../contract/runs/live.ts";
import { runLine } from "../../contract/runs/run-line.ts";
import type { LiveListener } from "../../runs/record/live-runs.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { TalkDesk } from "../handlers/talk-handlers.ts";
import { ChannelReplay } from "./channel-replay.ts";
import { ClientStream, ClientStreams, type CutOff, everyInterval, type StreamSettings } from "./client-stream.ts";
import { EventReplay } from "./event-replay.ts";

export interface LiveStreamSettings extends StreamSettings {
  onFailure(error: unknown): void;
}

export interface LiveSources {
  readonly events: Hall["events"];
  readonly runs: { subscribe(listener: LiveListener): () => void };
  readonly talk: Pick<TalkDesk, "conversation" | "subscribe">;
  readonly version: string;
  readonly startedAt: Date;
}

export type LiveQuery = RouteQuery<"streamLive">;

/** Whoever missed more asks for everything again, which costs less than reading so much of the log. */
const MOST_REPLAYED = 2_000;

/** The streams of clients: events, which are never lost, and what happens beside them, which can be asked for again. */
export class LiveStreams {
  readonly #sources: LiveSources;
  readonly #settings: LiveStreamSettings;
  readonly #streams = new ClientStreams();

  constructor(sources: LiveSources, settings: Partial<LiveStreamSettings> = {}) {
    this.#sources = sources;
    this.#settings = { every: everyInterval, heartbeatMs: 15_000, maxWaiting: 2_000, onFailure: () => {}, ...settings };
  }

  get size(): number {
    return this.#streams.size;
  }

  open(query: LiveQuery, cutOff: CutOff = () => {}): ReadableStream<Uint8Array> {
    const { events, version, startedAt } = this.#sources;
    const { after } = query;
    const seq = events.head();
    const reset = after !== undefined && (after > seq || seq - after > MOST_REPLAYED);
    const stream = new ClientStream(this.#settings, cutOff);
    const source = { events, frame: (event: HallEvent) => frame({ kind: "event", event }, event.seq) };
    const from = { after: reset ? undefined : after, project: query.project };
    const replay = query.topics.includes("events") ? new EventReplay(source, from, this.#settings) : undefined;
    const channels = query.channels.flatMap((wanted) => this.#replayOf(wanted));
    const beside = new Beside(this.#settings.maxWaiting, () => stream.wake());
    return this.#streams.start(stream, {
      first: frame({ kind: "hello", seq, reset, version, startedAt: startedAt.toISOString() }),
      listen: () => {
        const stops = this.#listen(query, { stream, replay, channels, beside });
        return () => {
          for (const stop of stops) stop();
        };
      },
      next: () => this.#next({ stream, replay, channels, beside }),
    });
  }

  #listen(query: LiveQuery, { stream, replay, channels, beside }: Listening): (() => void)[] {
    const { events, runs, talk } = this.#sources;
    const wanted = { ...query, deltas: new Set(query.deltas) };
    const hear = (event: HallEvent) => {
      replay?.hear(event);
      stream.wake();
    };
    return [
      ...(replay === undefined ? [] : [events.subscribe(hear)]),
      runs.subscribe((live) => beside.hearRun(live, wanted)),
      ...channels.map((replay) => talk.subscribe(replay.channel, (live) => beside.hearTalk(replay, live))),
    ];
  }

  endAll(): void {
    this.#streams.endAll();
  }

  /** Rejects when the log cannot be read, which ends the stream; the client asks again for what it missed. */
  async #next({ replay, channels, beside }: Listening): Promise<string | undefined> {
    try {
      const events = (await replay?.next()) ?? "";
      const messages = channels.flatMap((each) => each.next().map((live) => talkFrame(each.channel, live)));
      const text = events + messages.join("") + beside.take();
      return text === "" ? undefined : text;
    } catch (error) {
      this.#settings.onFailure(error);
      throw error;
    }
  }

  /** A channel that is gone, as of a project that was purged, must not end the stream of all the others. */
  #replayOf(wanted: WantedChannel): ChannelReplay[] {
    try {
      return [new ChannelReplay(this.#sources.talk, wanted)];
    } catch (error) {
      if (error instanceof HallError) return [];
      throw error;
    }
  }
}

export function liveStreams(
  { hall, ...sources }: Omit<LiveSources, "events"> & { hall: Pick<Hall, "events"> },
  onFailure: (error: unknown) => void = () => {},
): LiveStreams {
  return new LiveStreams({ ...sources, events: hall.events }, { onFailure });
}

interface Listening {
  readonly stream: ClientStream;
  readonly replay: EventReplay | undefined;
  readonly channels: readonly ChannelReplay[];
  readonly beside: Beside;
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
    wanted: { topics: LiveQuery["topics"]; project?: string | undefined; deltas: ReadonlySet<string> },
  ): void {
    const isWanted = wanted.project === undefined || wanted.project === projectId;
    const isRead = wanted.deltas.has(runId) || (isWanted && wanted.deltas.has(ALL_RUNS));
    if (delta !== undefined && isRead) this.#add({ kind: "delta", runId, delta }, true);
    if (!(isWanted && wanted.topics.includes("runs"))) return;
    if (run !== undefined) this.#add({ kind: "run", runId, projectId, run: runLine(run) }, false);
    else if (activity !== undefined) this.#add({ kind: "run", runId, projectId, activity, figures }, true);
  }

  hearTalk(replay: ChannelReplay, live: TalkLive): void {
    if (!replay.takes(live)) return;
    const { channel } = replay;
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

function talkFrame(channel: ChannelAddress, live: TalkLive): string {
  return frame({ kind: "talk", channel, live });
}

function frame({ kind, ...data }: Live, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
