const BITS = 2 ** 21;
const PROBES = 4;

/**
 * Tells of an id that it was never put in, in the same memory however many were; of one in a thousand, after a hundred
 * thousand, it cannot tell.
 */
export class IdSieve {
  readonly #bits = new Uint8Array(BITS / 8);

  put(id: string): void {
    for (const bit of bitsOf(id)) this.#bits[bit >> 3] = (this.#bits[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  mayHave(id: string): boolean {
    return bitsOf(id).every((bit) => ((this.#bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }
}

/** Two hashes make any number of them. */
function bitsOf(id: string): number[] {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b) ^ (two >>> 13);
  }
  const step = (two >>> 0) | 1;
  return Array.from({ length: PROBES }, (_, probe) => ((one >>> 0) + probe * step) % BITS);
}
