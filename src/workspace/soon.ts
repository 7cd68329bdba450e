import type { Shown } from "./shown.ts";

/**
 * Carries something out after what is happening now, once readers get answers: what the log tells of may come while the index is lost.
 * A failure goes to `onFailure`, as nobody waits for it.
 */
export function soon(shown: Pick<Shown, "available">, work: () => unknown, onFailure: (error: unknown) => void): void {
  setImmediate(() => {
    shown.available().then(work).catch(onFailure);
  });
}
