/** A square of dark (true) and light modules, without the light border around it. */
export type QrCode = readonly (readonly boolean[])[];

/** Of level M, by version from 1 on: about 15 % of a code may be hidden. */
const CHECK_BYTES = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];
/** How level M is written in the format bits. */
const LEVEL = 0;
const BYTE_MODE = 4;

/** The smallest code for a text, as ISO/IEC 18004 has it. Throws for a text of more than 412 bytes. */
export function qrCode(text: string): QrCode {
  const bytes = Buffer.from(text, "utf8");
  const version = BLOCKS.findIndex((_, at) => 4 + lengthBits(at + 1) + bytes.length * 8 <= dataBytes(at + 1) * 8) + 1;
  if (version === 0) throw new RangeError(`a text of ${bytes.length} bytes is too long for a QR code`);
  const words = interleaved(dataOf(bytes, version), version);
  const codes = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => drawn(version, words, mask));
  return codes.reduce((best, code) => (penalty(code) < penalty(best) ? code : best));
}

const lengthBits = (version: number) => (version < 10 ? 8 : 16);

/** Modules that hold data and check bits. */
function rawModules(version: number): number {
  const all = (16 * version + 128) * version + 64;
  if (version < 2) return all;
  const marks = Math.floor(version / 7) + 2;
  return all - ((25 * marks - 10) * marks - 55) - (version >= 7 ? 36 : 0);
}

function dataBytes(version: number): number {
  return Math.floor(rawModules(version) / 8) - (CHECK_BYTES[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0);
}

function dataOf(bytes: Buffer, version: number): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let at = length - 1; at >= 0; at--) bits.push((value >>> at) & 1);
  };
  const room = dataBytes(version) * 8;
  put(BYTE_MODE, 4);
  put(bytes.length, lengthBits(version));
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: room / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  );
}

/** The data in blocks with their check bytes, taken in turns. */
function interleaved(data: readonly number[], version: number): number[] {
  const count = BLOCKS[version - 1] ?? 1;
  const check = CHECK_BYTES[version - 1] ?? 0;
  const short = Math.floor(data.length / count);
  const shorter = count - (data.length % count);
  const divisor = divisorOf(check);
  let from = 0;
  const blocks = Array.from({ length: count }, (_, at) => {
    const part = data.slice(from, from + short + (at < shorter ? 0 : 1));
    from += part.length;
    return { part, rest: remainder(part, divisor) };
  });
  const words: number[] = [];
  for (let at = 0; at <= short; at++) for (const { part } of blocks) if (at < part.length) words.push(part[at] ?? 0);
  for (let at = 0; at < check; at++) for (const { rest } of blocks) words.push(rest[at] ?? 0);
  return words;
}

/** In the field of 256 elements with the polynomial 0x11d. */
function product(left: number, right: number): number {
  let sum = 0;
  for (let bit = 7; bit >= 0; bit--) {
    sum = (sum << 1) ^ ((sum >>> 7) * 0x11d);
    sum ^= ((right >>> bit) & 1) * left;
  }
  return sum & 0xff;
}

function divisorOf(degree: number): number[] {
  const divisor = [...Array<number>(degree - 1).fill(0), 1];
  for (let round = 0, root = 1; round < degree; round++, root = product(root, 2))
    for (let at = 0; at < degree; at++)
      divisor[at] = product(divisor[at] ?? 0, root) ^ (at + 1 < degree ? (divisor[at + 1] ?? 0) : 0);
  return divisor;
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = Array<number>(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [at, part] of divisor.entries()) rest[at] = (rest[at] ?? 0) ^ product(part, factor);
  }
  return rest;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function drawn(version: number, words: readonly number[], mask: number): boolean[][] {
  const size = version * 4 + 17;
  const code = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, dark: boolean) => {
    const [row, known] = [code[y], fixed[y]];
    if (row === undefined || known === undefined || x < 0 || x >= size) return;
    row[x] = dark;
    known[x] = true;
  };
  drawPatterns(version, size, set);
  drawFormat(size, mask, set);
  if (version >= 7) drawVersion(version, size, set);
  const bits = words.flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => ((word >>> bit) & 1) === 1));
  let next = 0;
  for (const [x, y] of zigzag(size)) {
    if (fixed[y]?.[x] === true) continue;
    const row = code[y];
    if (row !== undefined) row[x] = (bits[next++] ?? false) !== (MASKS[mask]?.(x, y) ?? false);
  }
  return code;
}

type SetModule = (x: number, y: number, dark: boolean) => void;

function drawPatterns(version: number, size: number, set: SetModule): void {
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(4, (dx, dy, ring) => set(x + dx, y + dy, ring !== 2 && ring !== 4));
  const marks = marksOf(version, size);
  for (const [row, y] of marks.entries())
    for (const [column, x] of marks.entries()) {
      const isCorner =
        (row === 0 && (column === 0 || column === marks.length - 1)) || (column === 0 && row === marks.length - 1);
      if (!isCorner) square(2, (dx, dy, ring) => set(x + dx, y + dy, ring !== 1));
    }
}

function square(reach: number, draw: (dx: number, dy: number, ring: number) => void): void {
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) draw(dx, dy, Math.max(Math.abs(dx), Math.abs(dy)));
}

/** Where the small squares are, in both directions. */
function marksOf(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => size - 7 - (count - 2 - at) * step)];
}

function drawFormat(size: number, mask: number, set: SetModule): void {
  const data = (LEVEL << 3) | mask;
  let rest = data;
  for (let round = 0; round < 10; round++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const bit = (at: number) => ((bits >>> at) & 1) === 1;
  for (let at = 0; at <= 5; at++) set(8, at, bit(at));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let at = 9; at < 15; at++) set(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at++) set(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at++) set(8, size - 15 + at, bit(at));
  set(8, size - 8, true);
}

function drawVersion(version: number, size: number, set: SetModule): void {
  let rest = version;
  for (let round = 0; round < 12; round++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at++) {
    const dark = ((bits >>> at) & 1) === 1;
    set(size - 11 + (at % 3), Math.floor(at / 3), dark);
    set(Math.floor(at / 3), size - 11 + (at % 3), dark);
  }
}

/** Two columns at a time from the right, up and down in turns; the column of the timing pattern is left out. */
function* zigzag(size: number): Generator<readonly [x: number, y: number]> {
  for (let right = size - 1, up = true; right >= 1; right -= right === 8 ? 3 : 2, up = !up)
    for (let step = 0; step < size; step++) for (const x of [right, right - 1]) yield [x, up ? size - 1 - step : step];
}

/** How hard a code is to read. */
function penalty(code: QrCode): number {
  const lines = [...code, ...code.map((_, x) => code.map((row) => row[x] ?? false))];
  const dark = code.flat().filter(Boolean).length;
  const share = Math.floor((Math.abs(dark * 20 - code.length ** 2 * 10) - 1) / code.length ** 2);
  return lines.reduce((sum, line) => sum + linePenalty(line), 0) + blockPenalty(code) + Math.max(0, share) * 10;
}

const LIKE_A_CORNER = /(?=00001011101|10111010000)/g;

function linePenalty(line: readonly boolean[]): number {
  const text = line.map(Number).join("");
  const runs = text.match(/0{5,}|1{5,}/g) ?? [];
  return runs.reduce((sum, run) => sum + run.length - 2, 0) + (text.match(LIKE_A_CORNER)?.length ?? 0) * 40;
}

function blockPenalty(code: QrCode): number {
  let sum = 0;
  for (let y = 0; y + 1 < code.length; y++)
    for (let x = 0; x + 1 < code.length; x++) {
      const first = code[y]?.[x];
      if (first === code[y]?.[x + 1] && first === code[y + 1]?.[x] && first === code[y + 1]?.[x + 1]) sum += 3;
    }
  return sum;
}
