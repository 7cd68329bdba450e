import type { Posed } from "./same-question.ts";

export interface Indexed {
  key: string;
  posed: Posed;
}

interface Slot<Entry> {
  entry: Entry;
  words: readonly string[];
}

export interface Wanted<Entry> {
  isWanted: (entry: Entry) => boolean;
  limit: number;
  /** Entries with a lower score are left out. */
  least?: number;
}

/** Finds entries by the words of their questions. Rare words count more than common ones. */
export class AnswerIndex<Entry extends Indexed> {
  readonly #slots = new Map<string, Slot<Entry>>();
  readonly #postings = new Map<string, Set<Slot<Entry>>>();

  get(key: string): Entry | undefined {
    return this.#slots.get(key)?.entry;
  }

  put(entry: Entry): void {
    this.remove(entry.key);
    const slot = { entry, words: wordsOf(entry.posed) };
    this.#slots.set(entry.key, slot);
    for (const word of slot.words) {
      const posting = this.#postings.get(word);
      if (posting === undefined) this.#postings.set(word, new Set([slot]));
      else posting.add(slot);
    }
  }

  remove(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    for (const word of slot.words) {
      const posting = this.#postings.get(word);
      posting?.delete(slot);
      if (posting?.size === 0) this.#postings.delete(word);
    }
  }

  /** Those that may ask the same: they have every word of the question. */
  candidates({ form }: Posed): Entry[] {
    const postings = [...form.words].map((word) => this.#postings.get(word));
    if (postings.length === 0 || postings.some((posting) => posting === undefined)) return [];
    const [rarest, ...others] = (postings as Set<Slot<Entry>>[]).sort((left, right) => left.size - right.size);
    return [...(rarest ?? [])].filter((slot) => others.every((posting) => posting.has(slot))).map(({ entry }) => entry);
  }

  /** The entries that share most with the question, by the weight of what they share in all that either says. */
  ranked(posed: Posed, { isWanted, limit, least = 0 }: Wanted<Entry>): Entry[] {
    const words = wordsOf(posed);
    const weights = new Map<string, number>();
    const total = this.#sum(words, weights);
    const found: { entry: Entry; score: number }[] = [];
    for (const [slot, shared] of this.#shared(words, weights)) {
      // What is in both can't be more of everything than of the question alone.
      if (shared / total < least) continue;
      const score = shared / (total + this.#sum(slot.words, weights) - shared);
      if (score >= least) found.push({ entry: slot.entry, score });
    }
    found.sort((left, right) => right.score - left.score);
    const best: Entry[] = [];
    for (const { entry } of found) {
      if (best.length === limit) break;
      if (isWanted(entry)) best.push(entry);
    }
    return best;
  }

  #shared(words: readonly string[], weights: Map<string, number>): Map<Slot<Entry>, number> {
    const sums = new Map<Slot<Entry>, number>();
    for (const word of words) {
      const weight = weights.get(word) ?? 0;
      for (const slot of this.#postings.get(word) ?? []) sums.set(slot, (sums.get(slot) ?? 0) + weight);
    }
    return sums;
  }

  #sum(words: readonly string[], weights: Map<string, number>): number {
    let sum = 0;
    for (const word of words) {
      let weight = weights.get(word);
      if (weight === undefined) {
        weight = Math.log(1 + this.#slots.size / (1 + (this.#postings.get(word)?.size ?? 0)));
        weights.set(word, weight);
      }
      sum += weight;
    }
    return sum;
  }
}

/** Options may name what the question leaves open. */
function wordsOf({ form, options }: Posed): string[] {
  const words = new Set([...form.words, ...form.mild, ...form.focus]);
  for (const option of options) for (const word of option.words) words.add(word);
  return [...words];
}
