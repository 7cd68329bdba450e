import type { Token } from "./tokens.ts";

/** Where the words of a question are, as far as that says who does what to whom. */
export interface WordRoles {
  /** The words in their order, each once. */
  order: readonly string[];
  /** Words behind a preposition, with it: `of` the user. */
  attached: ReadonlyMap<string, string>;
  /** Alternatives, whose order says nothing. */
  listed: ReadonlySet<string>;
  /** What is said together, where `and` or `but` divides the question. */
  parts: readonly ReadonlySet<string>[];
}

export const PREPOSITIONS: ReadonlySet<string> = new Set(
  "of to in on at for with by as into onto via about".split(" "),
);
/** Verbs that say nothing themselves, but have words on both sides. */
const PIVOTS = new Set("use used using uses get gets".split(" "));
const PIVOT = "use";
const MARKED = new Set("from per during within under over".split(" "));
const ARTICLES = new Set("a an the our its my your their".split(" "));
/** Words beside `or`, and words behind a preposition. */
const NEARBY = 2;
const PHRASE = 3;
const LEAST_PART = 2;

export function rolesOf(tokens: readonly Token[]): WordRoles {
  const ordered = tokens.filter((token) => isWord(token) || (token.kind === "noise" && PIVOTS.has(token.text)));
  return {
    order: [...new Set(ordered.map(({ kind, text }) => (kind === "noise" ? PIVOT : text)))],
    attached: attachedIn(tokens),
    listed: listedIn(tokens),
    parts: partsIn(tokens),
  };
}

/** Whether two questions with the same words give them different roles. */
export function haveOtherRoles(left: WordRoles, right: WordRoles): boolean {
  return (
    areExchanged(left, right) ||
    isTurnedRound(left, right) ||
    isOtherVoice(left, right) ||
    isOtherVoice(right, left) ||
    areOtherParts(left.parts, right.parts)
  );
}

/** `posts of admins` that users delete, and `posts of users` that admins delete. */
function areExchanged(left: WordRoles, right: WordRoles): boolean {
  const onlyIn = (one: WordRoles, other: WordRoles, by?: string) =>
    [...one.attached].some(([word, preposition]) => {
      if (!isFree(word, one) || !isFree(word, other) || !other.order.includes(word)) return false;
      return by === undefined ? !other.attached.has(word) : preposition === by && other.attached.get(word) !== by;
    });
  const prepositions = [undefined, ...new Set(left.attached.values())];
  return prepositions.some((by) => onlyIn(left, right, by) && onlyIn(right, left, by));
}

function isFree(word: string, { listed }: WordRoles): boolean {
  return !listed.has(word);
}

/** `users rate drivers` and `drivers rate users`: around a word, two others have changed sides. */
function isTurnedRound(left: WordRoles, right: WordRoles): boolean {
  const bare = left.order.filter((word) => isBare(word, left) && isBare(word, right));
  const at = new Map(right.order.map((word, place) => [word, place]));
  const places = bare.map((word) => at.get(word) ?? -1).filter((place) => place !== -1);
  return places.some((middle, here) =>
    places.slice(0, here).some((before) => before > middle && places.slice(here + 1).some((after) => after < middle)),
  );
}

function isBare(word: string, roles: WordRoles): boolean {
  return !roles.attached.has(word) && isFree(word, roles);
}

/**
 * `users are rated by drivers` is `drivers rate users`, and not `users rate drivers`: there, what is done and to whom comes
 * before the drivers. One word alone may be what is asked for: `which port do drivers use`.
 */
function isOtherVoice(passive: WordRoles, active: WordRoles): boolean {
  const doers = [...passive.attached].flatMap(([word, by]) => (by === "by" && isBare(word, active) ? [word] : []));
  return doers.some((doer) => {
    const before = active.order.slice(0, active.order.indexOf(doer));
    return before.filter((word) => isBare(word, active) && isBare(word, passive)).length >= 2;
  });
}

/** `HTTP on staging and HTTPS on production`: what one part says together must be together in the other question. */
function areOtherParts(left: WordRoles["parts"], right: WordRoles["parts"]): boolean {
  if (left.length < 2 || right.length < 2) return false;
  return left.some((part) => !right.some((other) => [...part].every((word) => other.has(word))));
}

function isWord({ kind }: Token): boolean {
  return kind === "word" || kind === "code";
}

function attachedIn(tokens: readonly Token[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [at, { kind, text }] of tokens.entries()) {
    if (!(kind === "noise" && PREPOSITIONS.has(text)) && !(kind === "word" && MARKED.has(text))) continue;
    for (const word of phraseAfter(tokens, at + 1)) found.set(word, text);
  }
  return found;
}

/** The words up to the next word of grammar. */
function phraseAfter(tokens: readonly Token[], from: number): string[] {
  const words: string[] = [];
  for (const token of tokens.slice(from)) {
    const isArticle = token.kind === "noise" && ARTICLES.has(token.text);
    const isOver = token.kind === "end" || (token.kind === "noise" && !(isArticle && words.length === 0));
    if (isOver || words.length === PHRASE) break;
    if (isWord(token)) words.push(token.text);
  }
  return words;
}

function listedIn(tokens: readonly Token[]): Set<string> {
  const ors = tokens.flatMap(({ kind, text }, at) => (kind === "end" && text === "or" ? [at] : []));
  const near = ors.flatMap((at) => [
    ...tokens.slice(0, at).filter(isWord).slice(-NEARBY),
    ...tokens
      .slice(at + 1)
      .filter(isWord)
      .slice(0, NEARBY),
  ]);
  const alone =
    ors.length === 0
      ? []
      : divided(tokens, () => true)
          .filter(({ length }) => length === 1)
          .flat();
  return new Set([...near, ...alone].map(({ text }) => text));
}

function partsIn(tokens: readonly Token[]): Set<string>[] {
  return divided(tokens, ({ text }) => text === "and")
    .filter(({ length }) => length >= LEAST_PART)
    .map((part) => new Set(part.map(({ text }) => text)));
}

/** The words between ends of this kind. */
function divided(tokens: readonly Token[], isDivider: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "end" && isDivider(token)) parts.push([]);
    else if (isWord(token)) parts.at(-1)?.push(token);
  }
  return parts;
}
