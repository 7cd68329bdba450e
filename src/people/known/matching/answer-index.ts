import type { Posed } from "./same-question.ts";

export interface Indexed {
  key: string;
  posed: Posed;
}

/** Finds entries by the words of their questions. Rare words count more than common ones. */
export class AnswerIndex<Entry extends Indexed> {
  readonly #entries = new Map<string, Entry>();
  readonly #postings = new Map<string, Set<Entry>>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  put(entry: Entry): void {
    this.remove(entry.key);
    this.#entries.set(entry.key, entry);
    for (const word of wordsOf(entry.posed)) {
      const posting = this.#postings.get(word);
      if (posting === undefined) this.#postings.set(word, new Set([entry]));
      else posting.add(entry);
    }
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    for (const word of wordsOf(entry.posed)) {
      const posting = this.#postings.get(word);
      posting?.delete(entry);
      if (posting?.size === 0) this.#postings.delete(word);
    }
  }

  /** Those that may ask the same: they have every word of the question. */
  candidates({ form }: Posed): Entry[] {
    const postings = [...form.words].map((word) => this.#postings.get(word));
    if (postings.length === 0 || postings.some((posting) => posting === undefined)) return [];
    const [rarest, ...others] = (postings as Set<Entry>[]).sort((left, right) => left.size - right.size);
    return [...(rarest ?? [])].filter((entry) => others.every((posting) => posting.has(entry)));
  }

  /** The entries with the most telling words of the question in common; `score` is 1 where all are. */
  ranked(posed: Posed, wanted: (entry: Entry) => boolean): { entry: Entry; score: number }[] {
    const words = wordsOf(posed);
    const sums = new Map<Entry, number>();
    for (const word of words) {
      const weight = this.#weight(word);
      for (const entry of this.#postings.get(word) ?? []) sums.set(entry, (sums.get(entry) ?? 0) + weight);
    }
    const total = this.#sum(words);
    return [...sums]
      .filter(([entry]) => wanted(entry))
      .map(([entry, shared]) => ({ entry, score: shared / (total + this.#sum(wordsOf(entry.posed)) - shared) }))
      .sort((left, right) => right.score - left.score);
  }

  #weight(word: string): number {
    return Math.log(1 + this.#entries.size / (1 + (this.#postings.get(word)?.size ?? 0)));
  }

  #sum(words: ReadonlySet<string>): number {
    let sum = 0;
    for (const word of words) sum += this.#weight(word);
    return sum;
  }
}

/** Options may name what the question leaves open. */
function wordsOf({ form, options }: Posed): Set<string> {
  const words = new Set([...form.words, ...form.mild, ...form.focus]);
  for (const option of options) for (const word of option.words) words.add(word);
  return words;
}
