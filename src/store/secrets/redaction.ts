import { LiveFingerprints } from "./fingerprints.ts";
import { type KnownSecret, KnownValues } from "./known-values.ts";
import { withoutShapes } from "./secret-shapes.ts";

const SHORTEST_TEXT = 6;
/** A piece without any white space that grows beyond this is no secret. */
const MOST_HELD = 16_384;
const LONGEST_OPEN = 600;
/** Something a secret may follow after white space, or that is open and goes on over it. */
const OPEN_END =
  /(?:[Bb]earer|BEARER|uthorization\\?["']?\s{0,3}[:=]?(?:\s{0,3}[A-Za-z]{5,6})?|[A-Z0-9_]{1,60}=(?:'[^'\n]{0,500}|"[^"\n]{0,500})|(?:key|token|secret|password)\\?["']?\s{0,3}[:=]?)\s{0,3}$/i;

/** What was hidden stands as such a mark in every text that an agent or a person is shown. */
const SHOWN_MARK = /\[secret(?:: [A-Za-z0-9_.-]{1,60})?\]/;

/** The mark in a text, if something was hidden from whoever wrote it. */
export function markIn(text: string): string | undefined {
  return SHOWN_MARK.exec(text)?.[0];
}

const NO_FINGERPRINTS = new LiveFingerprints({ salt: "", values: [] });

/** The secrets that are known, by their values or by their fingerprints. */
class Secrets {
  readonly #values: KnownValues;
  readonly #fingerprinted: LiveFingerprints;

  constructor(secrets: readonly KnownSecret[], fingerprints: LiveFingerprints) {
    this.#values = new KnownValues(secrets);
    this.#fingerprinted = fingerprints;
  }

  hide(text: string): string {
    return this.#fingerprinted.values.hide(this.#values.hide(text));
  }

  openAt(text: string): number {
    return Math.min(this.#values.openAt(text), this.#fingerprinted.values.openAt(text));
  }
}

/** Hides secrets: those it knows, and whatever has the shape of one. Hiding twice changes nothing. */
export class Redactor {
  readonly #known: Secrets;

  constructor(secrets: readonly KnownSecret[], fingerprints = NO_FINGERPRINTS) {
    this.#known = new Secrets(secrets, fingerprints);
  }

  text(text: string): string {
    return text.length < SHORTEST_TEXT ? text : withoutShapes(this.#known.hide(text));
  }

  /** Every text in a value, names of fields excepted; the same value when it has no secret. */
  deep<Value>(value: Value): Value {
    return this.#deep(value) as Value;
  }

  /** JSON stays JSON, whatever is hidden in it. */
  json(text: string): string {
    // Without an escape, the texts in it stand there as they are.
    if (!text.includes("\\") && this.text(text) === text) return text;
    try {
      const value: unknown = JSON.parse(text);
      const shown = this.deep(value);
      return shown === value ? text : JSON.stringify(shown);
    } catch {
      return this.text(text);
    }
  }

  /** A text without the values it was given; what only has the shape of one stays. */
  known(text: string): string {
    return this.#known.hide(text);
  }

  /** As json, of the values it was given alone. */
  knownInJson(text: string): string {
    return this.#known.hide(text);
  }

  stream(): RedactedStream {
    return new RedactedStream(this, this.#known);
  }

  #deep(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return value;
    // Most values have no secret, and are not copied.
    const parts = value as Record<string, unknown>;
    let shown: Record<string, unknown> | undefined;
    for (const name of Object.keys(parts)) {
      const part = this.#deep(parts[name]);
      if (part === parts[name]) continue;
      shown ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
      shown[name] = part;
    }
    return shown ?? value;
  }
}

/** Text that arrives in pieces. What may be the beginning of a secret is held back until more is known. */
export class RedactedStream {
  readonly #redactor: Redactor;
  readonly #known: Secrets;
  #held = "";

  constructor(redactor: Redactor, known: Secrets) {
    this.#redactor = redactor;
    this.#known = known;
  }

  /** What can be shown now. */
  push(piece: string): string {
    this.#held += piece;
    const cut = this.#held.length > MOST_HELD ? this.#held.length : this.#cut();
    const shown = this.#redactor.text(this.#held.slice(0, cut));
    this.#held = this.#held.slice(cut);
    return shown;
  }

  /** The rest. */
  end(): string {
    const rest = this.#redactor.text(this.#held);
    this.#held = "";
    return rest;
  }

  /** Where something is open, what stands before it may be open too: it must not be cut off from what follows. */
  #cut(): number {
    const held = this.#held;
    let cut = Math.max(held.lastIndexOf(" "), held.lastIndexOf("\n"), held.lastIndexOf("\t")) + 1;
    for (;;) {
      const earlier = this.#openIn(held.slice(0, cut));
      if (earlier >= cut) return cut;
      cut = earlier;
    }
  }

  #openIn(words: string): number {
    const key = words.lastIndexOf("-----BEGIN ");
    const isKeyOpen = key !== -1 && !/-----END [A-Z0-9 ]{0,60}-----/.test(words.slice(key));
    const tail = words.slice(-LONGEST_OPEN);
    const open = OPEN_END.exec(tail)?.index ?? tail.length;
    return Math.min(isKeyOpen ? key : words.length, words.length - tail.length + open, this.#known.openAt(words));
  }
}
