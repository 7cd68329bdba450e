import { type Core, noteRequest } from "./core.ts";
import type { WorkspaceSync } from "./workspace-sync.ts";

interface Rebuilt {
  at: string;
  ms: number;
  files: number;
}

/** Builds the index anew from the files and remembers when it last did. */
export class Rebuilding {
  readonly #core: Core;
  readonly #sync: WorkspaceSync;
  #last: Rebuilt | undefined;

  constructor(core: Core, sync: WorkspaceSync) {
    this.#core = core;
    this.#sync = sync;
  }

  last(): Rebuilt | undefined {
    return this.#last;
  }

  /** As run, for an index in use: what people just changed by hand is taken in while it can be told from what was known. */
  async refresh(): Promise<Rebuilt> {
    try {
      await this.#sync.followAll();
    } catch {
      // An index that cannot even be compared with the files is the very reason to build a new one.
    }
    return this.run();
  }

  async run(): Promise<Rebuilt> {
    const start = performance.now();
    this.#core.index.reset();
    for (const refill of this.#core.refills) refill();
    const files = await this.#sync.loadAll();
    this.#restoreRequests();
    this.#last = { at: this.#core.clock().toISOString(), ms: Math.round(performance.now() - start), files };
    return this.#last;
  }

  /** Idempotency-Keys of the newest changes, from the log that carries them. */
  #restoreRequests(): void {
    for (const event of this.#core.events.tail({ count: 10_000 })) noteRequest(this.#core.index, event);
  }
}
