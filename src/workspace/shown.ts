import type { HallEvent } from "../contract/event.ts";
import type { HallIndex } from "../store/index/hall-index.ts";

/** When a change is shown to those who read: by the index, which is a step behind the log and may be lost for a while. */
export class Shown {
  readonly #index: HallIndex;

  constructor(index: HallIndex) {
    this.#index = index;
  }

  /** Whether nobody can read until the index is filled again. */
  get isLost(): boolean {
    return this.#index.condition.state === "lost";
  }

  /** Resolves when readers get answers. Rejects with a retryable failure when that takes too long. */
  available(): Promise<void> {
    return this.#index.available();
  }

  /** Resolves when every change that was on its way is shown. */
  caughtUp(): Promise<void> {
    return this.#index.caughtUp();
  }

  /** A change that is on its way: the log may tell of it before it is shown. */
  expect(change: Promise<unknown>): void {
    this.#index.expect(change);
  }

  /** Shows what the files hold already, all of it or nothing. */
  reflect(work: () => void): void {
    this.#index.reflect(work);
  }

  noteEvent(event: HallEvent): void {
    this.#index.files.setMeta("seq", event.seq);
    noteRequest(this.#index, event);
  }
}

/** Remembers what a request with an Idempotency-Key did. */
export function noteRequest(index: HallIndex, event: HallEvent): void {
  if (event.request === undefined) return;
  const { key, fingerprint } = event.request;
  const done = { type: event.type, projectId: event.projectId, subjectId: event.subject.id, at: event.at };
  index.requests.put({ key, fingerprint: fingerprint === "" ? undefined : fingerprint, ...done });
}
