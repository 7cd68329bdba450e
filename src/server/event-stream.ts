import type { HallEvent } from "../contract/event.ts";
import type { Hall } from "../workspace/hall.ts";

/** Runs a task again and again; answers how to stop it. */
export type Every = (milliseconds: number, task: () => void) => () => void;

export interface StreamSettings {
  readonly every: Every;
  readonly heartbeatMs: number;
  /** How many events are held for a client that is slower than they come; the rest it gets from the log. */
  readonly maxWaiting: number;
  onFailure(error: unknown): void;
}

/** Without `after`, only events from now on. */
export interface StreamQuery {
  readonly after?: number | undefined;
  readonly project?: string | undefined;
}

const REPLAY_PAGE = 500;
const STALLED_BEATS = 2;

/** The streams that are open, so that the server can end them when it stops. */
export class EventStreams {
  readonly #events: Hall["events"];
  readonly #settings: StreamSettings;
  readonly #open = new Set<EventStream>();

  constructor(events: Hall["events"], settings: Partial<StreamSettings> = {}) {
    this.#events = events;
    this.#settings = { every: everyInterval, heartbeatMs: 15_000, maxWaiting: 1_000, onFailure: () => {}, ...settings };
  }

  get size(): number {
    return this.#open.size;
  }

  /** `cutOff` ends the connection of a client that has stopped reading; a closed stream alone would wait for it. */
  open(query: StreamQuery, cutOff: () => void = () => {}): ReadableStream<Uint8Array> {
    const stream = new EventStream(this.#events, query, { ...this.#settings, cutOff });
    this.#open.add(stream);
    return stream.start(() => this.#open.delete(stream));
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
  }
}

/**
 * One client's stream. It listens before it reads the log, and sends nothing at or below the last number sent,
 * so that no event is missing or doubled where the replay meets the present.
 */
class EventStream {
  readonly #events: Hall["events"];
  readonly #settings: StreamSettings & { cutOff(): void };
  readonly #project: string | undefined;
  #sent: number;
  /** There are events in the log that are neither sent nor waiting. */
  #behind: boolean;
  #beatsWithoutReading = 0;
  #waiting: HallEvent[] = [];
  #wake: () => void = () => {};
  #ended = false;
  #release: () => void = () => {};
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(events: Hall["events"], query: StreamQuery, settings: StreamSettings & { cutOff(): void }) {
    const head = events.head();
    this.#events = events;
    this.#settings = settings;
    this.#project = query.project;
    // A number from a log that has been replaced since may be higher than any event here.
    this.#sent = Math.min(query.after ?? head, head);
    this.#behind = query.after !== undefined;
  }

  start(onEnd: () => void): ReadableStream<Uint8Array> {
    const unsubscribe = this.#events.subscribe((event) => this.#hear(event));
    const stopHeartbeat = this.#settings.every(this.#settings.heartbeatMs, () => this.#beat());
    this.#release = () => {
      unsubscribe();
      stopHeartbeat();
      onEnd();
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        controller.enqueue(Buffer.from(": the hall is listening\n\n"));
      },
      pull: () => this.#advance(),
      cancel: () => this.#letGo(),
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#letGo();
    this.#controller?.close();
  }

  #letGo(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#release();
    this.#wake();
  }

  #hear(event: HallEvent): void {
    if (this.#ended || event.seq <= this.#sent) return;
    if (this.#waiting.length < this.#settings.maxWaiting) this.#waiting.push(event);
    else {
      this.#waiting = [];
      this.#behind = true;
    }
    this.#wake();
  }

  /** Keeps the connection open; cuts it off when the client has read nothing for two beats. */
  #beat(): void {
    if (this.#ended) return;
    if ((this.#controller?.desiredSize ?? 0) > 0) {
      this.#beatsWithoutReading = 0;
      this.#controller?.enqueue(Buffer.from(": still here\n\n"));
    } else if (++this.#beatsWithoutReading >= STALLED_BEATS) {
      this.end();
      this.#settings.cutOff();
    }
  }

  /** Called when the client can take more: sends something, or waits until there is something. */
  async #advance(): Promise<void> {
    this.#beatsWithoutReading = 0;
    let sent = false;
    while (!sent && !this.#ended) {
      if (this.#behind) sent = await this.#catchUp();
      else if (this.#waiting.length > 0) sent = this.#send(this.#waiting.splice(0));
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #catchUp(): Promise<boolean> {
    // Set before reading: what overflows during the read is not in the page.
    this.#behind = false;
    const page = await this.#readLog();
    if (this.#ended || page === undefined) return false;
    if (page.length === REPLAY_PAGE) this.#behind = true;
    return this.#send(page);
  }

  /** A log that cannot be read ends the stream; the client asks again for what it missed. */
  async #readLog(): Promise<HallEvent[] | undefined> {
    try {
      return await this.#events.read({ after: this.#sent, limit: REPLAY_PAGE, project: this.#project });
    } catch (error) {
      this.#settings.onFailure(error);
      this.end();
      return undefined;
    }
  }

  #send(events: readonly HallEvent[]): boolean {
    const fresh = events.filter((event) => event.seq > this.#sent);
    this.#sent = fresh.at(-1)?.seq ?? this.#sent;
    const wanted = fresh.filter((event) => this.#project === undefined || event.projectId === this.#project);
    if (wanted.length === 0) return false;
    this.#controller?.enqueue(Buffer.from(wanted.map(frame).join("")));
    return true;
  }
}

function frame(event: HallEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function everyInterval(milliseconds: number, task: () => void): () => void {
  const timer = setInterval(task, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
