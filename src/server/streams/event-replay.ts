import type { HallEvent } from "../../contract/event.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { StreamSettings } from "./client-stream.ts";

/** Without `after`, only events from now on. */
interface ReplayQuery {
  readonly after?: number | undefined;
  readonly project?: string | undefined;
}

/** The log, and how one of its events is written. */
interface EventSource {
  readonly events: Hall["events"];
  readonly frame: (event: HallEvent) => string;
}

const REPLAY_PAGE = 500;

/**
 * What one client has still to be sent. It listens before it reads the log, and sends nothing at or below the last number
 * sent, so that no event is missing or doubled where the replay meets the present.
 */
export class EventReplay {
  readonly #events: Hall["events"];
  readonly #maxWaiting: number;
  readonly #project: string | undefined;
  readonly #frame: (event: HallEvent) => string;
  #sent: number;
  /** There are events in the log that are neither sent nor waiting. */
  #behind: boolean;
  #waiting: HallEvent[] = [];

  constructor(source: EventSource, query: ReplayQuery, { maxWaiting }: Pick<StreamSettings, "maxWaiting">) {
    const { events } = source;
    const head = events.head();
    this.#events = events;
    this.#frame = source.frame;
    this.#maxWaiting = maxWaiting;
    this.#project = query.project;
    // A number from a log that has been replaced since may be higher than any event here.
    this.#sent = Math.min(query.after ?? head, head);
    this.#behind = query.after !== undefined;
  }

  hear(event: HallEvent): void {
    if (event.seq <= this.#sent) return;
    if (this.#waiting.length < this.#maxWaiting) this.#waiting.push(event);
    else {
      this.#waiting = [];
      this.#behind = true;
    }
  }

  /** Undefined when everything was sent. Rejects when the log cannot be read. */
  async next(): Promise<string | undefined> {
    for (;;) {
      if (!this.#behind && this.#waiting.length === 0) return undefined;
      const text = this.#textOf(this.#behind ? await this.#page() : this.#waiting.splice(0));
      if (text !== undefined) return text;
    }
  }

  async #page(): Promise<HallEvent[]> {
    // Set before reading: what overflows during the read is not in the page.
    this.#behind = false;
    const page = await this.#events.read({ after: this.#sent, limit: REPLAY_PAGE, project: this.#project });
    if (page.length === REPLAY_PAGE) this.#behind = true;
    return page;
  }

  #textOf(events: readonly HallEvent[]): string | undefined {
    const fresh = events.filter((event) => event.seq > this.#sent);
    this.#sent = fresh.at(-1)?.seq ?? this.#sent;
    const wanted = fresh.filter((event) => this.#project === undefined || event.projectId === this.#project);
    return wanted.length === 0 ? undefined : wanted.map(this.#frame).join("");
  }
}
