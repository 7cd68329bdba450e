import { changesMade } from "./files/change-watch.ts";

/**
 * What was found in files, kept until the program waits for something outside or changes a file itself. A request, a
 * message or an answer brings about many looks at the same settings, and nobody outside can tell when each was taken.
 */
export class Momentary<Found> {
  readonly #look: () => Found;
  #found: { value: Found; changes: number } | undefined;

  constructor(look: () => Found) {
    this.#look = look;
  }

  now(): Found {
    const changes = changesMade();
    if (this.#found?.changes === changes) return this.#found.value;
    if (this.#found === undefined) {
      setImmediate(() => {
        this.#found = undefined;
      });
    }
    const value = this.#look();
    this.#found = { value, changes };
    return value;
  }
}
