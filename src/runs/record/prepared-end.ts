import { isDeepStrictEqual } from "node:util";
import type { RecordedEnd } from "../../contract/runs/journal.ts";
import { Abandoned } from "../../store/changes/gathering.ts";
import type { LeaseKey } from "../schedule/engine.ts";

/** How long a journal may take to become durable before what was made ready is given up: it holds locks meanwhile. */
const LONGEST_WAIT_MS = 50;

/** The end of a run that is made ready while its journal becomes durable. */
export class PreparedEnd {
  readonly #lease: LeaseKey;
  readonly #end: RecordedEnd;
  readonly #journaled = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;
  /** Whether the run was settled. Never rejects. */
  readonly done: Promise<boolean>;

  /** `settle` must log nothing before the promise that it is given resolves, and nothing at all when that rejects. */
  constructor(lease: LeaseKey, end: RecordedEnd, settle: (journaled: Promise<void>) => Promise<void>) {
    this.#lease = lease;
    this.#end = end;
    this.#journaled.promise.catch(() => undefined);
    this.#timer = setTimeout(() => this.#giveUp(), LONGEST_WAIT_MS);
    this.done = settle(this.#journaled.promise)
      .then(
        () => true,
        () => false,
      )
      .finally(() => clearTimeout(this.#timer));
  }

  /** The run is over, and its journal is durable; answers whether it was settled with what was made ready. */
  confirm({ epoch }: LeaseKey, end: RecordedEnd): Promise<boolean> {
    clearTimeout(this.#timer);
    if (epoch === this.#lease.epoch && isDeepStrictEqual(end, this.#end)) this.#journaled.resolve();
    else this.#giveUp();
    return this.done;
  }

  #giveUp(): void {
    this.#journaled.reject(new Abandoned());
  }
}
