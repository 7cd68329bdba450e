import type { Live } from "../../../src/contract/runs/live.ts";
import { pageKey } from "../api/page-key.ts";
import { type FromPage, LiveHub, type ToPage } from "./hub.ts";
import type { LiveState } from "./live-reader.ts";

type Listener = (live: Live) => void;

/** This page's end of the one stream: who listens here, and what for. */
class Connection {
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();
  readonly #deltas = new Map<string, number>();
  readonly #channels = new Map<string, number>();
  #say: ((said: FromPage) => void) | undefined;
  #state: LiveState = "connecting";

  get state(): LiveState {
    return this.#state;
  }

  start(): void {
    if (this.#say !== undefined) return;
    this.#say = openHub((said) => this.#hear(said));
    this.#want();
    addEventListener("pagehide", () => this.#say?.({ say: "bye" }));
    addEventListener("pageshow", () => this.#want());
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.retry();
    });
  }

  retry(): void {
    this.#say?.({ say: "retry" });
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  deltasOf(runId: string): () => void {
    return this.#wanting(this.#deltas, runId);
  }

  talkOf(channel: string): () => void {
    return this.#wanting(this.#channels, channel);
  }

  #wanting(wanted: Map<string, number>, name: string): () => void {
    wanted.set(name, (wanted.get(name) ?? 0) + 1);
    this.#want();
    return () => {
      const left = (wanted.get(name) ?? 1) - 1;
      if (left > 0) wanted.set(name, left);
      else wanted.delete(name);
      this.#want();
    };
  }

  #want(): void {
    this.#say?.({
      say: "want",
      key: pageKey(),
      wants: { deltas: [...this.#deltas.keys()], channels: [...this.#channels.keys()] },
    });
  }

  #hear(said: ToPage): void {
    if (said.hear === "live") {
      for (const listener of this.#listeners) listener(said.live);
      return;
    }
    if (said.state === this.#state) return;
    this.#state = said.state;
    for (const watcher of this.#watchers) watcher();
  }
}

function openHub(hear: (said: ToPage) => void): (said: FromPage) => void {
  if (typeof SharedWorker === "undefined") {
    const hub = new LiveHub();
    const page = { post: hear };
    return (said) => hub.hear(page, said);
  }
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name: "guildhall-live" });
  worker.port.onmessage = ({ data }: MessageEvent<ToPage>) => hear(data);
  return (said) => worker.port.postMessage(said);
}

export const connection = new Connection();
