import { wordsOf } from "./knowledge-text.ts";

/** Said in most sentences, and about none of them. */
const COMMON = new Set(
  "a all an and are as at be by do does for from has have if in into is it its must no not of on or should so than that the their then there this to use using was we when which with you your".split(
    " ",
  ),
);
const STEM_WEIGHT = 0.6;
/** How much more a statement of today counts than one that was never dated. */
const RECENCY_WEIGHT = 0.3;
const HALF_LIFE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Of a long description, the words at its beginning. */
const MOST_WORDS = 500;

/** Which statements of a page have a word, or its stem. */
export type TermIndex = ReadonlyMap<string, readonly number[]>;

export interface Rankable {
  id: string;
  text: string;
  date?: string | undefined;
}

export interface RankedPage<Item extends Rankable> {
  items: readonly Item[];
  terms: TermIndex;
}

export interface Match<Item> {
  item: Item;
  /** 0: none of the words. */
  score: number;
}

export function termIndexOf(items: readonly Rankable[]): TermIndex {
  const terms = new Map<string, number[]>();
  for (const [at, { text }] of items.entries()) {
    const words = new Set(wordsOf(text).flatMap((word) => [word, stemOf(word)]));
    for (const word of words) {
      const places = terms.get(word);
      if (places === undefined) terms.set(word, [at]);
      else places.push(at);
    }
  }
  return terms;
}

/** Words of a question that say something; where all are common, these. */
export function askedWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))];
  const telling = words.filter((word) => !COMMON.has(word));
  return (telling.length === 0 ? words : telling).slice(0, MOST_WORDS);
}

/**
 * All statements, those first that have the rarest of the words and are new; then the others, the newest first. Ages count
 * from the newest statement, so that the same pages give the same order at any time.
 */
export function ranked<Item extends Rankable>(
  pages: readonly RankedPage<Item>[],
  words: readonly string[],
  { begun = false }: { begun?: boolean } = {},
): Match<Item>[] {
  const scores = pages.map(({ items }) => new Float64Array(items.length));
  const total = pages.reduce((sum, { items }) => sum + items.length, 0);
  for (const [at, word] of words.entries()) {
    const isBegun = begun && at === words.length - 1;
    const alike = pages.map(({ terms }) => (isBegun ? begunWith(terms, word) : (terms.get(stemOf(word)) ?? NOWHERE)));
    const having = alike.reduce((sum, places) => sum + places.length, 0);
    if (having === 0) continue;
    const weight = Math.log(1 + total / having);
    for (const [page, { terms }] of pages.entries()) {
      const sums = scores[page] as Float64Array;
      // Whoever has a word has its stem, and its beginning, too.
      raise(sums, alike[page] ?? NOWHERE, weight * STEM_WEIGHT);
      raise(sums, terms.get(word) ?? NOWHERE, weight * (1 - STEM_WEIGHT));
    }
  }
  const newest = newestOf(pages);
  return pages
    .flatMap(({ items }, page) =>
      items.map((item, place) => {
        const match = (scores[page] as Float64Array)[place] as number;
        return { item, score: match === 0 ? 0 : match * (1 + RECENCY_WEIGHT * recency(item.date, newest)) };
      }),
    )
    .sort((left, right) => right.score - left.score || byDate(left.item, right.item));
}

/** The newest first; where days are the same, by id. */
export function byDate(left: Rankable, right: Rankable): number {
  const [before = "", after = ""] = [left.date, right.date];
  if (before !== after) return before < after ? 1 : -1;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

const NOWHERE: readonly number[] = [];

function raise(sums: Float64Array, places: readonly number[], by: number): void {
  for (const place of places) sums[place] = (sums[place] ?? 0) + by;
}

function begunWith(terms: TermIndex, word: string): number[] {
  const stem = stemOf(word);
  const found = [...terms].filter(([term]) => term === stem || term.startsWith(word));
  return [...new Set(found.flatMap(([, places]) => places))];
}

/** Enough that `tests`, `tested` and `testing` are about the same thing. */
export function stemOf(word: string): string {
  const stem = word.replace(/(?:ings|ing|ed|es|s)$/, "");
  return stem.length >= 3 ? stem : word;
}

function newestOf(pages: readonly RankedPage<Rankable>[]): number {
  let newest = "";
  for (const { items } of pages) for (const { date = "" } of items) if (date > newest) newest = date;
  return newest === "" ? 0 : Date.parse(newest);
}

function recency(date: string | undefined, newest: number): number {
  return date === undefined ? 0 : 2 ** (-(newest - Date.parse(date)) / DAY_MS / HALF_LIFE_DAYS);
}
