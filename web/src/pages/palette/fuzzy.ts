/** How well a text fits what was typed; undefined: not at all. Higher is better. */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return 0;
  const words = wanted.split(/\s+/);
  const within = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const one = wordScore(word, within);
    if (one === undefined) return undefined;
    score += one;
  }
  // Of two that fit alike, the shorter is the likelier.
  return score / words.length - Math.min(text.length, 200) / 1_000;
}

function wordScore(word: string, text: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return text.length === word.length ? 10 : 8;
  if (at > 0) return isBoundary(text, at) || startsLater(text, word) ? 6 : 4;
  return scattered(word, text);
}

function startsLater(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (isBoundary(text, at)) return true;
  return false;
}

/** The letters in their order, with others in between: the more of them begin words or stand together, the better. */
function scattered(word: string, text: string): number | undefined {
  let from = 0;
  let good = 0;
  let last = -2;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return undefined;
    if (at === last + 1 || isBoundary(text, at)) good += 1;
    last = at;
    from = at + 1;
  }
  const share = good / word.length;
  return share < 0.6 ? undefined : 3 * share;
}

function isBoundary(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

export interface Fitting<Item> {
  item: Item;
  score: number;
}

/** The best first; those that fit alike stay in their order. */
export function bestFitting<Item>(
  typed: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): Fitting<Item>[] {
  return items
    .flatMap((item) => {
      const score = fuzzyScore(typed, textOf(item));
      return score === undefined ? [] : [{ item, score }];
    })
    .sort((one, other) => other.score - one.score);
}
