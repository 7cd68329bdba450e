import type { KnownSecret } from "./known-values.ts";
import type { Redactor } from "./redaction.ts";

/** One redactor for as long as the secrets stay the same: every run looks for them anew, and they seldom change. */
export class LatestRedactor {
  readonly #make: (secrets: readonly KnownSecret[]) => Redactor;
  #secrets = "";
  #redactor: Redactor | undefined;

  constructor(make: (secrets: readonly KnownSecret[]) => Redactor) {
    this.#make = make;
  }

  of(secrets: readonly KnownSecret[]): Redactor {
    const text = JSON.stringify(secrets);
    if (this.#redactor !== undefined && text === this.#secrets) return this.#redactor;
    this.#secrets = text;
    this.#redactor = this.#make(secrets);
    return this.#redactor;
  }
}
