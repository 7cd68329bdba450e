import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export type Clock = () => Date;
export type NextId = () => string;

/** Unique ids that sort by time: 10 characters of milliseconds, 4 of a counter within one, 8 of chance. */
export function timeSortedIds(clock: Clock, chance: (size: number) => Uint8Array = drawn): NextId {
  let last = 0;
  let begin = encode(last, 10);
  let counter = 0;
  return () => {
    const now = clock().getTime();
    // A clock that stands still or goes back must not make an id that sorts before an earlier one.
    if (now > last) {
      last = now;
      begin = encode(now, 10);
      counter = 0;
    } else counter++;
    let tail = "";
    for (const byte of chance(8)) tail += ALPHABET[byte & 31];
    return begin + encode(counter, 4) + tail;
  };
}

const POOL = new Uint8Array(4_096);
let left = 0;

/** Asking the system for chance takes far longer than a few bytes are worth: it is asked for many at once. */
function drawn(size: number): Uint8Array {
  if (left < size) {
    randomFillSync(POOL);
    left = POOL.length;
  }
  left -= size;
  return POOL.subarray(left, left + size);
}

function encode(value: number, width: number): string {
  let text = "";
  for (let rest = value; text.length < width; rest = Math.floor(rest / 32)) text = `${ALPHABET[rest % 32]}${text}`;
  return text;
}
