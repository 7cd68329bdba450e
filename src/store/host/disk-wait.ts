import { setTimeout as delay } from "node:timers/promises";
import type { ModelWait } from "../../contract/documents/budget.ts";
import { storageTrouble } from "../files/storage-failure.ts";
import type { Log } from "../logs/log.ts";
import type { WriteTrouble } from "../logs/patient-lines.ts";

/** How often those who wait for the disk try again. */
const AGAIN_MS = 500;

interface Ports {
  /** What cannot be written, such as "its journal". */
  what: string;
  /** Told once when it begins to wait, and with undefined when it goes on. */
  onWait: (wait: ModelWait | undefined) => void;
  /** Aborted when nobody wants to wait any more. */
  signal: AbortSignal;
}

/** Waits until the disk takes what is to be written. */
export class DiskWait {
  readonly #ports: Ports;
  #isWaiting = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Resolves when it is worth trying again. Rejects with the failure when waiting does not help, or nobody wants to wait. */
  async waits(error: unknown): Promise<void> {
    const { what, onWait, signal } = this.#ports;
    const trouble = storageTrouble(error);
    if (trouble === undefined || signal.aborted) throw error;
    if (!this.#isWaiting) onWait({ reason: "disk", text: `${what} cannot be written, because ${trouble}` });
    this.#isWaiting = true;
    await delay(AGAIN_MS, undefined, { signal }).catch(() => {
      throw error;
    });
  }

  goesOn(): void {
    if (this.#isWaiting) this.#ports.onWait(undefined);
    this.#isWaiting = false;
  }

  /** Does it again until the disk lets it. */
  async until<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await work();
        this.goesOn();
        return result;
      } catch (error) {
        await this.waits(error);
      }
    }
  }

  /** For the lines of a log. */
  of(log: Log): WriteTrouble {
    return {
      waits: async (error) => {
        // In a file that was removed nobody would read them.
        if (log.isGone) throw error;
        await this.waits(error);
        try {
          log.recover();
        } catch {
          // The next line fails, and waits again.
        }
      },
      goesOn: () => this.goesOn(),
    };
  }
}
