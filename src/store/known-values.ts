import { MARK } from "./secret-shapes.ts";

export interface KnownSecret {
  /** What the mark says; the name of the variable that holds it. */
  name: string;
  value: string;
}

/** Shorter values are words that a text may well have for other reasons. */
export const SHORTEST_SECRET = 6;
const SIZE = 1 << 16;

/** Finds any number of exact texts in one pass: only where four characters fit one of them is it looked at closely. */
export class KnownValues {
  readonly #filter = new Uint8Array(SIZE);
  readonly #marks = new Map<string, string>();
  /** The lengths of the values that begin in a certain way, longest first. */
  readonly #lengths = new Map<number, number[]>();
  readonly #longest: number;

  constructor(secrets: readonly KnownSecret[]) {
    const wanted = secrets.flatMap(({ name, value }) => formsOf(value).map((form) => [form, markOf(name)] as const));
    const marks = [MARK, ...wanted.map(([, mark]) => mark)];
    // A value that stands in a mark would be replaced in it again and again.
    for (const [value, mark] of wanted) if (!marks.some((one) => one.includes(value))) this.#add(value, mark);
    this.#longest = Math.max(0, ...[...this.#lengths.values()].flat());
  }

  #add(value: string, mark: string): void {
    if (this.#marks.has(value)) return;
    this.#marks.set(value, mark);
    const seed = seedOf(value, 0);
    this.#filter[seed] = 1;
    const lengths = new Set(this.#lengths.get(seed)).add(value.length);
    this.#lengths.set(
      seed,
      [...lengths].sort((left, right) => right - left),
    );
  }

  /** The longest one that fits counts. */
  hide(text: string): string {
    if (this.#marks.size === 0) return text;
    const filter = this.#filter;
    const pieces: string[] = [];
    let from = 0;
    for (let at = 0; at <= text.length - SHORTEST_SECRET; at++) {
      const seed = seedOf(text, at);
      if (filter[seed] === 0) continue;
      const length = this.#lengths.get(seed)?.find((one) => this.#marks.has(text.slice(at, at + one)));
      if (length === undefined) continue;
      pieces.push(text.slice(from, at), this.#marks.get(text.slice(at, at + length)) ?? MARK);
      from = at + length;
      at = from - 1;
    }
    return from === 0 ? text : `${pieces.join("")}${text.slice(from)}`;
  }

  /** Where a text may end in the beginning of a value; its length when nowhere. */
  openAt(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const rest = text.slice(at);
      for (const value of this.#marks.keys()) if (value.startsWith(rest)) return at;
    }
    return text.length;
  }
}

function seedOf(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31_013 + text.charCodeAt(at + 1) * 1_009;
  return (first + text.charCodeAt(at + 2) * 37 + text.charCodeAt(at + 3)) & (SIZE - 1);
}

function markOf(name: string): string {
  const shown = name.replace(/[^A-Za-z0-9_.-]/g, "").slice(0, 60);
  return shown === "" ? MARK : `[secret: ${shown}]`;
}

/** A secret as it may stand in JSON, in an address and in base64; of one with several lines each, as files are shown by lines. */
function formsOf(secret: string): string[] {
  const lines = secret.includes("\n") ? secret.split(/\r?\n/).filter((line) => line.length >= 16) : [];
  const forms = [secret, ...lines].flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    ...(value.length < 12 ? [] : [Buffer.from(value).toString("base64").replace(/=+$/, "").slice(0, -1)]),
  ]);
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}
