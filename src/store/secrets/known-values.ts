import { SHORTEST_FILTERED, TextFilter } from "../index/text-filter.ts";
import { MARK } from "./secret-shapes.ts";

export interface KnownSecret {
  /** What the mark says; the name of the variable that holds it. */
  name: string;
  value: string;
}

/** Shorter values are words that a text may well have for other reasons. */
export const SHORTEST_SECRET = 6;
const LONGEST_NAME = 60;
const LONGEST_MARK = "[secret: ]".length + LONGEST_NAME;

/** Finds any number of exact texts in one pass. */
export class KnownValues {
  /** With the lengths of the values that begin in a certain way, longest first. */
  readonly #filter = new TextFilter<number>();
  readonly #marks: ReadonlyMap<string, string>;
  readonly #longest: number;

  constructor(secrets: readonly KnownSecret[]) {
    const wanted = secrets.flatMap(({ name, value }) => formsOf(value).map((form) => [form, markOf(name)] as const));
    // Of two names for a value the first counts.
    const all = new Map([...wanted].reverse());
    for (const value of standingIn(new Set([MARK, ...all.values()]), all)) all.delete(value);
    this.#marks = new Map([...all].sort(([left], [right]) => right.length - left.length));
    for (const value of this.#marks.keys()) this.#filter.add(value, value.length);
    this.#longest = Math.max(0, ...[...this.#marks.keys()].map(({ length }) => length));
  }

  /** The longest one that fits counts. */
  hide(text: string): string {
    if (this.#marks.size === 0) return text;
    const pieces: string[] = [];
    let from = 0;
    for (const at of this.#filter.places(text)) {
      const lengths = at < from ? [] : this.#filter.at(text, at);
      const length = lengths.find((one) => this.#marks.has(text.slice(at, at + one)));
      if (length === undefined) continue;
      pieces.push(text.slice(from, at), this.#marks.get(text.slice(at, at + length)) ?? MARK);
      from = at + length;
    }
    return from === 0 ? text : `${pieces.join("")}${text.slice(from)}`;
  }

  /** Where a text may end in the beginning of a value; its length when nowhere. */
  openAt(text: string): number {
    const from = Math.max(0, text.length - this.#longest + 1);
    const tail = text.slice(from);
    const isOpen = (at: number) => this.#beginsWith(tail.slice(at));
    const open = this.#filter.places(tail).find(isOpen);
    if (open !== undefined) return from + open;
    // What is shorter than the filter's reach.
    for (let at = Math.max(0, tail.length - SHORTEST_FILTERED + 1); at < tail.length; at++)
      if (isOpen(at)) return from + at;
    return text.length;
  }

  #beginsWith(beginning: string): boolean {
    for (const value of this.#marks.keys()) if (value.startsWith(beginning)) return true;
    return false;
  }
}

/** Values that stand in a mark: they would be replaced in it again and again. In one pass, as an agent may make up many. */
function standingIn(marks: ReadonlySet<string>, values: ReadonlyMap<string, string>): Set<string> {
  const filter = new TextFilter<number>();
  for (const value of values.keys()) if (value.length <= LONGEST_MARK) filter.add(value, value.length);
  const found = new Set<string>();
  for (const mark of marks)
    for (const at of filter.places(mark))
      for (const length of filter.at(mark, at)) {
        const part = mark.slice(at, at + length);
        if (values.has(part)) found.add(part);
      }
  return found;
}

export function markOf(name: string): string {
  const shown = name.replace(/[^A-Za-z0-9_.-]/g, "").slice(0, LONGEST_NAME);
  return shown === "" ? MARK : `[secret: ${shown}]`;
}

/** A secret as it may stand in JSON, in an address and in base64; of one with several lines each, as files are shown by lines. */
export function formsOf(secret: string): string[] {
  const lines = secret.includes("\n") ? secret.split(/\r?\n/).filter((line) => line.length >= 16) : [];
  const forms = [secret, ...lines].flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    ...(value.length < 12 ? [] : [Buffer.from(value).toString("base64").replace(/=+$/, "").slice(0, -1)]),
  ]);
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}
