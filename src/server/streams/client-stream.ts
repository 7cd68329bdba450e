/** Runs a task again and again; answers how to stop it. */
export type Every = (milliseconds: number, task: () => void) => () => void;

export interface StreamSettings {
  readonly every: Every;
  readonly heartbeatMs: number;
  /** How much is held for a client that is slower than it comes. */
  readonly maxWaiting: number;
}

export interface StreamWork {
  /** Begins to listen; answers how to stop. */
  listen(): () => void;
  /** What to begin with. */
  first?: string | undefined;
  /** What to send now; undefined when there is nothing, until `wake` is called. */
  next(): string | undefined | Promise<string | undefined>;
  /** Whether what was sent last was the end. */
  isLast?(): boolean;
}

/** Ends the connection of a client that has stopped reading; a closed stream alone would wait for it. */
export type CutOff = () => void;

const STALLED_BEATS = 2;

/** Server-sent events to one client: as fast as it reads, with a sign of life in between, cut off when it does not read. */
export class ClientStream {
  readonly #settings: Pick<StreamSettings, "every" | "heartbeatMs">;
  readonly #cutOff: CutOff;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #beatsWithoutReading = 0;
  #isEnded = false;
  #isWoken = false;
  #resume: () => void = () => {};
  #release: () => void = () => {};

  constructor(settings: Pick<StreamSettings, "every" | "heartbeatMs">, cutOff: CutOff) {
    this.#settings = settings;
    this.#cutOff = cutOff;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  start(work: StreamWork, onEnd: () => void): ReadableStream<Uint8Array> {
    const stopListening = work.listen();
    const stopHeartbeat = this.#settings.every(this.#settings.heartbeatMs, () => this.#beat());
    this.#release = () => {
      stopListening();
      stopHeartbeat();
      onEnd();
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        this.#send(`: keep-alive\n\n${work.first ?? ""}`, work);
      },
      pull: () => this.#advance(work),
      cancel: () => this.#letGo(),
    });
  }

  /** There may be something to send. */
  wake(): void {
    this.#isWoken = true;
    this.#resume();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#letGo();
    this.#controller?.close();
  }

  #letGo(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#release();
    this.wake();
  }

  /** Keeps the connection open; cuts it off when the client has read nothing for two beats. */
  #beat(): void {
    if (this.#isEnded) return;
    if ((this.#controller?.desiredSize ?? 0) > 0) {
      this.#beatsWithoutReading = 0;
      this.#controller?.enqueue(Buffer.from(": still here\n\n"));
    } else if (++this.#beatsWithoutReading >= STALLED_BEATS) {
      this.end();
      this.#cutOff();
    }
  }

  /** Called when the client can take more: sends something, or waits until there is something. */
  async #advance(work: StreamWork): Promise<void> {
    this.#beatsWithoutReading = 0;
    while (!this.#isEnded) {
      this.#isWoken = false;
      const text = await this.#nextOf(work);
      if (this.#isEnded) return;
      if (text !== undefined) return this.#send(text, work);
      if (!this.#isWoken) await new Promise<void>((resolve) => (this.#resume = resolve));
    }
  }

  /** What cannot be told any more, as of something that is gone, ends the stream; the client asks again. */
  async #nextOf(work: StreamWork): Promise<string | undefined> {
    try {
      return await work.next();
    } catch {
      this.end();
      return undefined;
    }
  }

  #send(text: string, { isLast }: StreamWork): void {
    this.#controller?.enqueue(Buffer.from(text));
    if (isLast?.() === true) this.end();
  }
}

/** The streams that are open, so that the server can end them when it stops. */
export class ClientStreams {
  readonly #open = new Set<ClientStream>();

  get size(): number {
    return this.#open.size;
  }

  start(stream: ClientStream, work: StreamWork): ReadableStream<Uint8Array> {
    this.#open.add(stream);
    return stream.start(work, () => this.#open.delete(stream));
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
  }
}

export function everyInterval(milliseconds: number, task: () => void): () => void {
  const timer = setInterval(task, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
