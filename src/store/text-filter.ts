const BITS = 15;
const SHIFT = 5;
const SIZE = 1 << BITS;
/** Three characters: those before them were shifted out of the number. */
export const SHORTEST_FILTERED = BITS / SHIFT;
const CHUNK = 1 << 16;
/** Reading bytes takes half the time of reading characters. Only the low byte of each counts; the rest is for who looks closely. */
const bytes = Buffer.alloc(CHUNK);

export interface Place<Wanted> {
  at: number;
  /** What may begin there, in the order in which it was added. */
  wanted: readonly Wanted[];
}

/** Names the places of a text where any of many others may begin, in one pass. It may name too many, and never too few. */
export class TextFilter<Wanted> {
  readonly #begins = new Uint8Array(SIZE);
  readonly #wanted = new Map<number, Wanted[]>();

  /** Of at least three characters. */
  add(text: string, wanted: Wanted): void {
    let gram = 0;
    for (let at = 0; at < SHORTEST_FILTERED; at++) gram = ((gram << SHIFT) ^ (text.charCodeAt(at) & 0xff)) & (SIZE - 1);
    this.#begins[gram] = 1;
    this.#wanted.set(gram, [...(this.#wanted.get(gram) ?? []), wanted]);
  }

  /** First to last. */
  places(text: string): Place<Wanted>[] {
    const begins = this.#begins;
    const places: Place<Wanted>[] = [];
    let gram = 0;
    for (let start = 0; start < text.length; start += CHUNK) {
      const length = bytes.write(text.length <= CHUNK ? text : text.slice(start, start + CHUNK), "latin1");
      for (let next = 0; next < length; next++) {
        gram = ((gram << SHIFT) ^ (bytes[next] as number)) & (SIZE - 1);
        if (begins[gram] === 0) continue;
        const at = start + next - SHORTEST_FILTERED + 1;
        if (at >= 0) places.push({ at, wanted: this.#wanted.get(gram) as Wanted[] });
      }
    }
    return places;
  }
}
