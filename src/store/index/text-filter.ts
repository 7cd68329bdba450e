const BITS = 15;
const SHIFT = 5;
const SIZE = 1 << BITS;
/** Three characters: those before them were shifted out of the number. */
export const SHORTEST_FILTERED = BITS / SHIFT;
const CHUNK = 1 << 16;
/** Bytes are read faster than characters. Of each only the low byte counts; the rest is for who looks closely. */
const bytes = Buffer.alloc(CHUNK);

/** Names the places of a text where any of many others may begin, in one pass. It may name too many, and never too few. */
export class TextFilter<Wanted> {
  readonly #begins = new Uint8Array(SIZE);
  readonly #wanted = new Map<number, Wanted[]>();

  /** Of at least three characters. */
  add(text: string, wanted: Wanted): void {
    const gram = gramAt(text, 0);
    const others = this.#wanted.get(gram) ?? [];
    this.#begins[gram] = 1;
    if (!others.includes(wanted)) this.#wanted.set(gram, [...others, wanted]);
  }

  /** First to last. */
  places(text: string): number[] {
    const places: number[] = [];
    let gram = 0;
    for (let start = 0; start < text.length; start += CHUNK) {
      const length = bytes.write(text.length <= CHUNK ? text : text.slice(start, start + CHUNK), "latin1");
      gram = scan({ begins: this.#begins, length, gram, start, places });
    }
    // Less than a whole beginning may look like one.
    while ((places[0] ?? 0) < 0) places.shift();
    return places;
  }

  /** What may begin at such a place, in the order in which it was added. */
  at(text: string, place: number): readonly Wanted[] {
    return this.#wanted.get(gramAt(text, place)) ?? [];
  }
}

function gramAt(text: string, from: number): number {
  let gram = 0;
  for (let at = from; at < from + SHORTEST_FILTERED; at++)
    gram = ((gram << SHIFT) ^ (text.charCodeAt(at) & 0xff)) & (SIZE - 1);
  return gram;
}

interface Scan {
  begins: Uint8Array;
  length: number;
  /** Of what was read before. */
  gram: number;
  start: number;
  places: number[];
}

/** The inner loop in a function of its own, which the engine makes more than twice as fast. */
function scan({ begins, length, gram: before, start, places }: Scan): number {
  const read = bytes;
  let gram = before;
  for (let next = 0; next < length; next++) {
    gram = ((gram << SHIFT) ^ (read[next] as number)) & (SIZE - 1);
    if (begins[gram] !== 0) places.push(start + next - SHORTEST_FILTERED + 1);
  }
  return gram;
}
