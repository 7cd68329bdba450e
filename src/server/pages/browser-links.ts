import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { HallError } from "../../contract/errors.ts";
import type { Clock } from "../../store/ids.ts";

export interface BrowserLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** What a link makes of the browser that opens it. A device without a name is called after its browser. */
export type Grant = { kind: "browser" } | { kind: "device"; name: string | undefined };

interface Code {
  readonly hash: Buffer;
  readonly expires: number;
  readonly grant: Grant;
}

const LIFE_MS: Record<Grant["kind"], number> = { browser: 10 * 60 * 1_000, device: 5 * 60 * 1_000 };
const MOST_CODES = 20;

/** 128 bits: nobody guesses one. In hexadecimal, which no terminal breaks where it looks for a link. */
export function randomCode(): string {
  return randomBytes(16).toString("hex");
}

/** The links that were given out and not used yet. They are kept in memory alone, and as hashes. */
export class BrowserLinks {
  readonly #clock: Clock;
  readonly #newCode: () => string;
  #codes: Code[] = [];

  constructor(clock: Clock, newCode: () => string = randomCode) {
    this.#clock = clock;
    this.#newCode = newCode;
  }

  /** The code stands behind the #, which browsers send to nobody. More than twenty make the oldest worthless. */
  issue(origin: string, grant: Grant = { kind: "browser" }): BrowserLink {
    const code = this.#newCode();
    const expires = this.#clock().getTime() + LIFE_MS[grant.kind];
    this.#codes = [...this.#codes, { hash: hashOf(code), expires, grant }].slice(-MOST_CODES);
    return { url: `${origin}/#/enter/${code}`, expiresAt: new Date(expires).toISOString() };
  }

  /** Throws link_refused, with the same words whatever the reason. */
  redeem(code: string): Grant {
    const now = this.#clock().getTime();
    const hash = hashOf(code);
    const fits = this.#codes.filter((known) => timingSafeEqual(known.hash, hash));
    this.#codes = this.#codes.filter((known) => !fits.includes(known) && known.expires > now);
    const valid = fits.find(({ expires }) => expires > now);
    if (valid !== undefined) return valid.grant;
    throw new HallError("link_refused", "This link was already used, has expired, or is for another workspace.");
  }
}

function hashOf(code: string): Buffer {
  return createHash("sha256").update(code).digest();
}
