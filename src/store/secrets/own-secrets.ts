import type { KnownSecret } from "./known-values.ts";
import { Redactor } from "./redaction.ts";

/** Shorter values are words that a text may well contain for other reasons. */
const SHORTEST_OWN = 8;

/**
 * The daemon's own secrets. A key that is added while the daemon runs is hidden from then on, and one that was replaced or
 * removed stays hidden: older texts may still contain it.
 */
export class OwnSecrets {
  #all: readonly KnownSecret[];
  #redactor: Redactor | undefined;
  readonly #listeners: (() => void)[] = [];

  constructor(secrets: readonly KnownSecret[] = []) {
    this.#all = secrets.filter(isLongEnough);
  }

  /** Another list after each addition, so that holders can compare it. */
  get all(): readonly KnownSecret[] {
    return this.#all;
  }

  redactor(): Redactor {
    this.#redactor ??= new Redactor(this.#all);
    return this.#redactor;
  }

  add(secrets: readonly KnownSecret[]): void {
    const known = new Set(this.#all.map(({ value }) => value));
    const added = secrets.filter((secret) => isLongEnough(secret) && !known.has(secret.value));
    if (added.length === 0) return;
    this.#all = [...this.#all, ...added];
    this.#redactor = undefined;
    for (const listener of this.#listeners) listener();
  }

  onAdded(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

function isLongEnough({ value }: KnownSecret): boolean {
  return value.length >= SHORTEST_OWN;
}
