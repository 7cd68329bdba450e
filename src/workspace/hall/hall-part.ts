import type { Problem } from "../../contract/problem.ts";

/** What a floor above the workspace adds to it. */
export interface HallPart {
  /** Problems that only this floor knows of. */
  problems?(): Problem[];
  /** Called, and waited for, before a project's folder leaves its place. */
  leave?(projectId: string): Promise<void>;
  /** Called when the index was emptied, to fill in what this floor keeps there. */
  refill?(): void;
  /** Called when an index that was lost is filled again: something may have been refused meanwhile. */
  restored?(): void;
}

/** The floors above, as they open. */
export class HallParts {
  readonly #all: HallPart[] = [];

  attach(part: HallPart): void {
    this.#all.push(part);
  }

  problems(): Problem[] {
    return this.#all.flatMap((part) => part.problems?.() ?? []);
  }

  async leave(projectId: string): Promise<void> {
    for (const part of this.#all) await part.leave?.(projectId);
  }

  refill(): void {
    for (const part of this.#all) part.refill?.();
  }

  restored(): void {
    for (const part of this.#all) part.restored?.();
  }
}
