import { createHash, createHmac } from "node:crypto";
import type { Fingerprint, Fingerprints } from "../../contract/fingerprint.ts";
import { formsOf, type KnownSecret, markOf } from "./known-values.ts";

/** How many characters a beginning has. Shorter secrets have no fingerprint. */
const START = 8;
/** A character has no more part in the number after that many others. */
const SHIFT = 32 / START;
/** The bits that are dropped: where only the filter looks, and where what begins there is looked up. */
const FILTERED = 16;
const JUDGED = 8;
const STARTS = 1 << (32 - FILTERED);
const CHUNK = 1 << 16;
const bytes = Buffer.alloc(CHUNK);

/** The salt must be drawn by lot and be told to nobody but those who get the fingerprints. */
export function fingerprintsOf(secrets: readonly KnownSecret[], salt: Buffer): Fingerprints {
  const numbers = numbersOf(salt);
  const marks = new Map<string, string>();
  for (const { name, value } of secrets)
    for (const form of formsOf(value)) if (form.length >= START && !marks.has(form)) marks.set(form, markOf(name));
  const values = [...marks].map(([form, mark]): Fingerprint => {
    const start = [...Buffer.from(form.slice(0, START), "latin1")].reduce(
      (sum, byte) => (sum << SHIFT) + (numbers[byte] as number),
      0,
    );
    return { mark, length: form.length, start: start >>> JUDGED, hash: hashOf(form, salt) };
  });
  return { salt: salt.toString("base64"), values };
}

/** Hides secrets of which only the fingerprints are known. */
export class FingerprintedValues {
  readonly #salt: Buffer;
  readonly #numbers: Int32Array;
  readonly #isStart = new Uint8Array(STARTS);
  readonly #byStart = new Map<number, Fingerprint[]>();
  readonly #longest: number;

  constructor({ salt, values }: Fingerprints) {
    this.#salt = Buffer.from(salt, "base64");
    this.#numbers = numbersOf(this.#salt);
    for (const value of [...values].sort((left, right) => right.length - left.length)) {
      this.#isStart[value.start >>> (FILTERED - JUDGED)] = 1;
      this.#byStart.set(value.start, [...(this.#byStart.get(value.start) ?? []), value]);
    }
    this.#longest = Math.max(0, ...values.map(({ length }) => length));
  }

  hide(text: string): string {
    const pieces: string[] = [];
    let from = 0;
    for (const { at, values } of this.#places(text)) {
      const found =
        at < from ? undefined : values.find((value) => this.#fits(value, text.slice(at, at + value.length)));
      if (found === undefined) continue;
      pieces.push(text.slice(from, at), found.mark);
      from = at + found.length;
    }
    return from === 0 ? text : `${pieces.join("")}${text.slice(from)}`;
  }

  /** Where a text may end in the first part of a secret, of which it has the beginning; its length when nowhere. */
  openAt(text: string): number {
    const from = Math.max(0, text.length - this.#longest + 1);
    const tail = text.slice(from);
    const open = this.#places(tail).find(({ at, values }) => values.some(({ length }) => at + length > tail.length));
    return open === undefined ? text.length : from + open.at;
  }

  #fits({ length, hash }: Fingerprint, candidate: string): boolean {
    return candidate.length === length && hashOf(candidate, this.#salt) === hash;
  }

  #places(text: string): { at: number; values: Fingerprint[] }[] {
    const places: { at: number; values: Fingerprint[] }[] = [];
    if (this.#byStart.size === 0) return places;
    const scan: Scan = { numbers: this.#numbers, isStart: this.#isStart, length: 0, sum: 0, hits: [] };
    for (let start = 0; start < text.length; start += CHUNK) {
      scan.length = bytes.write(text.length <= CHUNK ? text : text.slice(start, start + CHUNK), "latin1");
      scan.sum = scanned(scan);
      for (const { next, sum } of scan.hits.splice(0)) {
        const at = start + next - START + 1;
        const values = at < 0 ? undefined : this.#byStart.get(sum >>> JUDGED);
        if (values !== undefined) places.push({ at, values });
      }
    }
    return places;
  }
}

/** Fingerprints that are replaced while redactors that look for them are in use. */
export class LiveFingerprints {
  values: FingerprintedValues;

  constructor(fingerprints: Fingerprints) {
    this.values = new FingerprintedValues(fingerprints);
  }

  replace(fingerprints: Fingerprints): void {
    this.values = new FingerprintedValues(fingerprints);
  }
}

interface Scan {
  numbers: Int32Array;
  isStart: Uint8Array;
  length: number;
  /** Of what was read before. */
  sum: number;
  hits: { next: number; sum: number }[];
}

/** The inner loop in a function of its own, which the engine makes more than twice as fast. */
function scanned({ numbers, isStart, length, sum: before, hits }: Scan): number {
  const read = bytes;
  let sum = before;
  for (let next = 0; next < length; next++) {
    sum = ((sum << SHIFT) + (numbers[read[next] as number] as number)) | 0;
    if (isStart[sum >>> FILTERED] !== 0) hits.push({ next, sum });
  }
  return sum;
}

/** A number for each byte; who does not know the salt cannot tell from a sum what it is the sum of. */
function numbersOf(salt: Buffer): Int32Array {
  const drawn = createHash("shake256", { outputLength: 1_024 }).update("starts").update(salt).digest();
  return Int32Array.from({ length: 256 }, (_, at) => drawn.readInt32LE(at * 4));
}

function hashOf(text: string, salt: Buffer): string {
  return createHmac("sha256", salt).update(text).digest("base64");
}
