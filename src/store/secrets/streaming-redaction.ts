import type { Redactor } from "./redaction.ts";

const PIECE = 4_096;
/** No secret is longer. */
const LONGEST = 4_096;
/** How much of a text without white space is looked at to find where it can be cut. */
const WINDOW = 32_768;
const STEP = 311;

/**
 * Bytes that arrive in pieces of any size, as text without secrets. A secret may be cut anywhere by the pieces: what may
 * belong to one that is not all there is held back, in bounded memory.
 */
export class StreamingRedaction {
  readonly #redactor: Redactor;
  readonly #clean: (text: string) => string;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #words: ReturnType<Redactor["stream"]>;
  #held = "";

  /** `clean` takes out what could stand inside a secret and is not seen. */
  constructor(redactor: Redactor, clean: (text: string) => string = (text) => text) {
    this.#redactor = redactor;
    this.#clean = clean;
    this.#words = redactor.stream();
  }

  /** What can be shown now. */
  push(bytes: Uint8Array): string {
    this.#held += this.#decoder.decode(bytes, { stream: true });
    return this.#shown();
  }

  /** The rest. */
  end(): string {
    this.#held += this.#decoder.decode();
    const shown = this.#shown() + this.#words.push(this.#clean(this.#held)) + this.#words.end();
    this.#held = "";
    return shown;
  }

  #shown(): string {
    let shown = "";
    for (let cut = this.#cut(); cut > 0; cut = this.#cut()) {
      shown += this.#words.push(this.#clean(this.#held.slice(0, cut)));
      this.#held = this.#held.slice(cut);
    }
    return shown;
  }

  /** After white space, as words are held together further on; 0 when there is no place yet. */
  #cut(): number {
    const held = this.#held;
    const early = held.slice(0, PIECE);
    const space = Math.max(early.lastIndexOf(" "), early.lastIndexOf("\n"), early.lastIndexOf("\t"));
    if (space >= 0) return space + 1;
    const next = held.slice(0, WINDOW).search(/[ \n\t]/);
    if (next >= 0) return next + 1;
    return held.length < WINDOW ? 0 : this.#cutInWord(held.slice(0, WINDOW));
  }

  /** Where both sides say, each for itself, what they say together. */
  #cutInWord(word: string): number {
    const whole = this.#redactor.text(word);
    for (let cut = word.length - LONGEST; cut > 0; cut -= STEP) {
      if (this.#redactor.text(word.slice(0, cut)) + this.#redactor.text(word.slice(cut)) === whole) return cut;
    }
    return word.length - LONGEST;
  }
}
