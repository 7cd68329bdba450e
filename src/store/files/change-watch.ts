import { AsyncLocalStorage } from "node:async_hooks";

interface Touches {
  /** What was changed on the disk so far. */
  made: number;
  /** As many of them as will stay, whatever fails later. */
  kept: number;
}

/** Made by the first piece of work that asks: Node can't keep one in a start-up snapshot. */
let watched: AsyncLocalStorage<Touches> | undefined;
let changes = 0;

/**
 * Knows whether a piece of work has changed something on the disk, so that a failure can be reported truthfully. Temporary
 * files, empty folders and what can be generated again do not count.
 */
export class ChangeWatch {
  readonly #touches: Touches = { made: 0, kept: 0 };

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    watched ??= new AsyncLocalStorage();
    return watched.run(this.#touches, work);
  }

  get hasChanged(): boolean {
    return this.#touches.made > 0;
  }
}

/** Something was changed on the disk. */
export function noteChange(): void {
  changes++;
  const touches = watched?.getStore();
  if (touches !== undefined) touches.made++;
}

/** How often this process has changed something on the disk. */
export function changesMade(): number {
  return changes;
}

/** What was changed so far is recorded and will stay. */
export function noteKept(): void {
  const touches = watched?.getStore();
  if (touches !== undefined) touches.kept = touches.made;
}

/** What was changed since something was last kept is as it was before. */
export function noteTakenBack(): void {
  const touches = watched?.getStore();
  if (touches !== undefined) touches.made = touches.kept;
}
