import type { Live } from "../../../src/contract/runs/live.ts";
import { pageHeaders } from "../api/page-key.ts";
import { framesOf } from "./sse.ts";

/** `connecting` only at first; `away`: it was there, or is not yet; `refused`: this browser is not signed in. */
export type LiveState = "connecting" | "live" | "away" | "refused";

export interface Wants {
  deltas: readonly string[];
  channels: readonly string[];
}

export interface LiveReaderPort {
  tell(live: Live): void;
  state(state: LiveState): void;
}

const RETRY_MS = [200, 400, 800, 1_500, 3_000];
/** The daemon sends a sign of life every 15 s; a laptop that slept has a stream that never says that it is over. */
const SILENCE_MS = 40_000;

/** Keeps the one stream open: asks again after a break for everything after the last event, and with new wants. */
export class LiveReader {
  readonly #port: LiveReaderPort;
  #key: string | undefined;
  #wants: Wants = { deltas: [], channels: [] };
  #seq: number | undefined;
  #attempt = 0;
  #current: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(port: LiveReaderPort) {
    this.#port = port;
  }

  want(key: string | undefined, wants: Wants): void {
    const isSame = key === this.#key && JSON.stringify(wants) === JSON.stringify(this.#wants);
    if (isSame && this.#current !== undefined) return;
    this.#key = key;
    this.#wants = wants;
    this.#again(isSame ? 0 : 20);
  }

  /** Do not wait any longer: the page was woken up, or the person asked. */
  retry(): void {
    if (this.#current === undefined) this.#again(0);
  }

  #again(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#open(), ms);
  }

  async #open(): Promise<void> {
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    const outcome = await this.#read(current).catch(() => "away" as const);
    if (this.#current !== current) return;
    this.#current = undefined;
    this.#port.state(outcome);
    if (outcome === "refused") return;
    this.#again(RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)] ?? 0);
  }

  async #read(current: AbortController): Promise<"away" | "refused"> {
    let silence = setTimeout(() => current.abort(), SILENCE_MS);
    try {
      const answer = await fetch(`/api/live?${this.#search()}`, {
        headers: pageHeaders(this.#key),
        credentials: "same-origin",
        cache: "no-store",
        signal: current.signal,
      });
      if (answer.status === 401) return "refused";
      if (!answer.ok || answer.body === null) return "away";
      for await (const { event, data } of framesOf(answer.body)) {
        clearTimeout(silence);
        silence = setTimeout(() => current.abort(), SILENCE_MS);
        if (this.#current !== current) return "away";
        if (event !== "beat") this.#hear({ kind: event, ...JSON.parse(data) } as Live);
      }
      return "away";
    } finally {
      clearTimeout(silence);
    }
  }

  #hear(live: Live): void {
    if (live.kind === "hello") {
      this.#attempt = 0;
      if (live.reset || this.#seq === undefined) this.#seq = live.seq;
      this.#port.state("live");
    }
    if (live.kind === "event") this.#seq = live.event.seq;
    this.#port.tell(live);
  }

  #search(): string {
    const search = new URLSearchParams();
    if (this.#seq !== undefined) search.set("after", String(this.#seq));
    if (this.#wants.deltas.length > 0) search.set("deltas", this.#wants.deltas.join(","));
    if (this.#wants.channels.length > 0) search.set("channels", this.#wants.channels.join(","));
    return search.toString();
  }
}
