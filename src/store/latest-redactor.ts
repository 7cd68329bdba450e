import type { KnownSecret } from "./known-values.ts";
import { Redactor } from "./redaction.ts";

/** One redactor for as long as the secrets stay the same: every run looks for them anew, and they seldom change. */
export class LatestRedactor {
  #secrets = "";
  #redactor: Redactor | undefined;

  of(secrets: readonly KnownSecret[]): Redactor {
    const text = JSON.stringify(secrets);
    if (this.#redactor !== undefined && text === this.#secrets) return this.#redactor;
    this.#secrets = text;
    this.#redactor = new Redactor(secrets);
    return this.#redactor;
  }
}
