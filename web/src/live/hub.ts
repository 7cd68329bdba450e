import type { Live } from "../../../src/contract/runs/live.ts";
import { LiveReader, type LiveState, type Wants } from "./live-reader.ts";

/** What a page tells the hub, and hears from it. */
export type FromPage = { say: "want"; key: string | undefined; wants: Wants } | { say: "retry" } | { say: "bye" };
export type ToPage = { hear: "live"; live: Live } | { hear: "state"; state: LiveState };

export interface PagePort {
  post(said: ToPage): void;
}

/** One reader for all pages of a browser, which allows only six connections to one host. It wants what any of them wants. */
export class LiveHub {
  readonly #pages = new Map<PagePort, Wants>();
  readonly #reader = new LiveReader({
    tell: (live) => this.#tell(live),
    state: (state) => {
      this.#state = state;
      for (const page of this.#pages.keys()) page.post({ hear: "state", state });
    },
  });
  #state: LiveState = "connecting";
  #key: string | undefined;

  hear(page: PagePort, said: FromPage): void {
    if (said.say === "retry") this.#reader.retry();
    else if (said.say === "bye") this.#pages.delete(page);
    else {
      if (!this.#pages.has(page) && this.#state !== "connecting") page.post({ hear: "state", state: this.#state });
      this.#pages.set(page, said.wants);
      this.#key = said.key;
    }
    if (this.#pages.size > 0) this.#reader.want(this.#key, this.#union());
  }

  #tell(live: Live): void {
    for (const [page, wants] of this.#pages) if (isFor(live, wants)) page.post({ hear: "live", live });
  }

  #union(): Wants {
    const all = [...this.#pages.values()];
    return {
      deltas: [...new Set(all.flatMap((wants) => wants.deltas))].sort(),
      channels: [...new Set(all.flatMap((wants) => wants.channels))].sort(),
    };
  }
}

function isFor(live: Live, wants: Wants): boolean {
  if (live.kind === "delta") return wants.deltas.includes(live.runId);
  if (live.kind === "talk") return wants.channels.includes(`${live.channel.type}:${live.channel.id}`);
  return true;
}
