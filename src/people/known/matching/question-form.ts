import { type Token, tokensOf } from "./tokens.ts";
import { canonical, MARKERS, MILD, MODIFIERS, TRANSFERS } from "./vocabulary.ts";
import { PREPOSITIONS, rolesOf, type WordRoles } from "./word-roles.ts";

/** A word with what belongs to it: `before` with `deploy`, `per` with `user`, `3` with `retry`. */
export interface Bond {
  word: string;
  with: readonly string[];
}

/** A question as it is compared with others. */
export interface QuestionForm {
  /** What it is about; the same question has the same. */
  words: ReadonlySet<string>;
  mild: ReadonlySet<string>;
  focus: ReadonlySet<string>;
  /** Words whose place matters, with what follows them. */
  bonds: readonly Bond[];
  numbers: readonly Bond[];
  modifiers: readonly Bond[];
  roles: WordRoles;
  kind: "choice" | "open" | "yesno" | "unknown";
  /** It points at something outside of its own words. */
  isDeictic: boolean;
  /** It says "this project", which is another one elsewhere. */
  isLocal: boolean;
}

const ASKING = new Set("which what how whose".split(" "));
const YES_NO = new Set("should do does is are can may must will would could shall has have did am".split(" "));
const POINTING = new Set("this these those".split(" "));
const PRONOUNS = new Set("it that they he she".split(" "));
const PLACES = new Set("project app application codebase repository workspace".split(" ").map(canonical));
const BOND_LENGTH = 2;

export function formOf(text: string): QuestionForm {
  const tokens = tokensOf(text);
  const said = tokens.filter(isSaid);
  const mild = new Set(said.filter(isMild).map(({ text }) => text));
  const words = new Set(said.filter((token) => !isMild(token) && token.kind !== "focus").map(keyOf));
  return {
    words,
    mild,
    focus: new Set(tokens.filter(({ kind }) => kind === "focus").map(({ text }) => text)),
    bonds: bondsOf(tokens),
    numbers: numbersOf(tokens),
    modifiers: modifiersOf(tokens),
    roles: rolesOf(tokens),
    kind: kindOf(tokens),
    isDeictic: isDeictic(tokens),
    isLocal: tokens.some((token, at) => isPointer(token) && PLACES.has(pointedAt(tokens, at) ?? "")),
  };
}

export function isSaid({ kind }: Token): boolean {
  return kind !== "noise" && kind !== "end";
}

function isMild({ kind, text }: Token): boolean {
  return kind === "word" && MILD.has(text);
}

function keyOf({ kind, text }: Token): string {
  return kind === "number" ? `#${text}` : text;
}

function bondsOf(tokens: readonly Token[]): Bond[] {
  let isTransfer = false;
  return tokens.flatMap((token, at) => {
    if (TRANSFERS.has(token.text)) isTransfer = true;
    const isAim = isTransfer && token.kind === "noise" && (token.text === "to" || token.text === "into");
    const isMarker = token.kind === "word" && (MARKERS.has(token.text) || token.text === "not");
    if (!isAim && !isMarker) return [];
    return [{ word: isAim ? "to" : token.text, with: following(tokens, at + 1, token.text) }];
  });
}

/** The next words of the same part; `before or after the payment` is about the payment twice. */
function following(tokens: readonly Token[], from: number, marker: string): string[] {
  const found: string[] = [];
  for (const [at, token] of tokens.slice(from).entries()) {
    const isSkipped = found.length === 0 && (token.text === "or" || (at < 3 && MARKERS.has(token.text)));
    const isPreposition = token.kind === "noise" && PREPOSITIONS.has(token.text) && found.length > 0;
    if (isPreposition || found.length === BOND_LENGTH) break;
    if (isSkipped || token.kind === "noise" || token.text === marker) continue;
    if (token.kind === "end") break;
    found.push(keyOf(token));
  }
  return found;
}

/** Alternatives that are numbers have no words of their own: their order says nothing. */
function numbersOf(tokens: readonly Token[]): Bond[] {
  const isListed = tokens.some(
    ({ kind, text }, at) => kind === "end" && text === "or" && tokens.slice(at + 1).find(isSaid)?.kind === "number",
  );
  if (isListed) return [];
  return tokens.flatMap((token, at) => {
    if (token.kind !== "number") return [];
    const [before, after] = [nearby(tokens.slice(0, at).reverse()), nearby(tokens.slice(at + 1)).slice(0, 1)];
    return [{ word: token.text, with: [...before, ...after].filter((word) => !word.startsWith("#")) }];
  });
}

function modifiersOf(tokens: readonly Token[]): Bond[] {
  return tokens.flatMap((token, at) =>
    token.kind === "word" && MODIFIERS.has(token.text)
      ? [{ word: token.text, with: nearby(tokens.slice(at + 1)) }]
      : [],
  );
}

/** The first words of the same part. */
function nearby(tokens: readonly Token[]): string[] {
  const end = tokens.findIndex(({ kind }) => kind === "end");
  const part = end === -1 ? tokens : tokens.slice(0, end);
  return part.filter(isSaid).slice(0, BOND_LENGTH).map(keyOf);
}

function kindOf(tokens: readonly Token[]): QuestionForm["kind"] {
  if (tokens.some(({ kind, text }) => kind === "end" && text === "or")) return "choice";
  if (tokens.some(({ kind, text }) => kind === "focus" || (kind === "noise" && ASKING.has(text)))) return "open";
  const starts = tokens.filter((_, at) => at === 0 || tokens[at - 1]?.kind === "end");
  return starts.some(({ text }) => YES_NO.has(text)) ? "yesno" : "unknown";
}

/** `it` stands for something that was named before, unless nothing was. */
function isDeictic(tokens: readonly Token[]): boolean {
  return tokens.some((token, at) => {
    if (isPointer(token)) return !PLACES.has(pointedAt(tokens, at) ?? "");
    return token.kind === "noise" && PRONOUNS.has(token.text) && !tokens.slice(0, at).some(isSaid);
  });
}

function isPointer({ kind, text }: Token): boolean {
  return kind === "noise" && POINTING.has(text);
}

function pointedAt(tokens: readonly Token[], at: number): string | undefined {
  return tokens.slice(at + 1).find(({ kind }) => kind !== "noise")?.text;
}
