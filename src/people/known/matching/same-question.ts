import type { Bond, QuestionForm } from "./question-form.ts";
import { haveOtherRoles } from "./word-roles.ts";

/** What keeps two questions from being the same. */
export type Difference =
  | "words"
  | "kind"
  | "focus"
  | "place"
  | "numbers"
  | "modifiers"
  | "roles"
  | "pointing"
  | "short"
  | "context";

/** A question with the options that were offered. */
export interface Posed {
  form: QuestionForm;
  /** Without those that only say yes or no. */
  options: readonly QuestionForm[];
  /** The telling words of what was said beside it. */
  context: ReadonlySet<string>;
}

/** With fewer, a question says too little; the options of a choice alone do not say what it is about. */
const LEAST_WORDS = 2;
const LEAST_WORDS_OF_CHOICE = 3;
/** A question with so few words leans on its context. */
const FEW_WORDS = 3;

/**
 * Undefined when both ask the same. Whatever is said in one and not in the other counts as a difference, except general words
 * that one of them may leave out; `strict` does without that exception.
 */
export function difference(one: Posed, other: Posed, { strict = false } = {}): Difference | undefined {
  const [left, right] = [one.form, other.form];
  if (left.isDeictic || right.isDeictic) return "pointing";
  if (isTooShort(left) || isTooShort(right)) return "short";
  if (hasOtherContext(one, other)) return "context";
  if (!hasSameWords(one, other)) return "words";
  if (!hasSameMild(left, right, strict)) return "words";
  if (!isSameKind(one, other)) return "kind";
  if (!hasSameFocus(one, other)) return "focus";
  if (!hasSameBonds(one, other)) return "place";
  if (haveChangedPlaces(left.numbers, right.numbers)) return "numbers";
  if (!hasSameModifiers(left.modifiers, right.modifiers)) return "modifiers";
  if (haveOtherRoles(left.roles, right.roles)) return "roles";
  return undefined;
}

function isTooShort({ kind, words, focus }: QuestionForm): boolean {
  return words.size + focus.size < (kind === "choice" ? LEAST_WORDS_OF_CHOICE : LEAST_WORDS);
}

/** Both were asked with a context, and the contexts have nothing in common. */
function hasOtherContext(one: Posed, other: Posed): boolean {
  if (one.form.words.size > FEW_WORDS || one.context.size === 0 || other.context.size === 0) return false;
  return [...one.context].every((word) => one.form.words.has(word) || !other.context.has(word));
}

/** Whether one of the two only says more than the other, without another number, name or negation. */
export function isShorter(left: QuestionForm, right: QuestionForm): boolean {
  const [short, long] = left.words.size <= right.words.size ? [left, right] : [right, left];
  const isSame = short.bonds.length === long.bonds.length && short.numbers.length === long.numbers.length;
  return isSame && [...short.words].every((word) => long.words.has(word));
}

/** What an open question leaves to the options beside it, the other may say itself. */
function hasSameWords(one: Posed, other: Posed): boolean {
  return isCovered(one, other) && isCovered(other, one);
}

function isCovered({ form }: Posed, other: Posed): boolean {
  const options = form.kind === "choice" && other.form.kind === "open" ? other.options : [];
  return [...form.words].every((word) => other.form.words.has(word) || options.some(({ words }) => words.has(word)));
}

function hasSameMild(left: QuestionForm, right: QuestionForm, strict: boolean): boolean {
  const onlyLeft = [...left.mild].filter((word) => !right.mild.has(word)).length;
  const onlyRight = [...right.mild].filter((word) => !left.mild.has(word)).length;
  const most = strict ? 0 : left.kind === "choice" || right.kind === "choice" ? 2 : 1;
  return (onlyLeft === 0 || onlyRight === 0) && onlyLeft + onlyRight <= most;
}

function kindIn({ form, options }: Posed): QuestionForm["kind"] {
  return form.kind === "open" && options.length > 0 ? "choice" : form.kind;
}

function isSameKind(one: Posed, other: Posed): boolean {
  const [left, right] = [kindIn(one), kindIn(other)];
  if (left === right) return true;
  const isOpen = (kind: QuestionForm["kind"]) => kind === "open" || kind === "unknown";
  // With options beside it, an open question may also be the one without them.
  return isOpen(left) === isOpen(right) ? isOpen(left) : one.form.kind === "open" && other.form.kind === "open";
}

/** Which options there are says what is asked for, so that the question need not. */
function hasSameFocus(one: Posed, other: Posed): boolean {
  const onlyOne = [...one.form.focus].filter((word) => !other.form.focus.has(word)).length;
  const onlyOther = [...other.form.focus].filter((word) => !one.form.focus.has(word)).length;
  const isChoice = kindIn(one) === "choice" && kindIn(other) === "choice";
  return isChoice ? onlyOne === 0 || onlyOther === 0 : onlyOne + onlyOther === 0;
}

function hasSameBonds(one: Posed, other: Posed): boolean {
  return isBound(one, other) && isBound(other, one);
}

function isBound({ form }: Posed, { form: { bonds }, options }: Posed): boolean {
  const others = [...bonds, ...options.flatMap((option) => option.bonds)];
  return form.bonds.every((bond) => others.some((their) => their.word === bond.word && fits(bond.with, their.with)));
}

function fits(left: readonly string[], right: readonly string[]): boolean {
  if (left.length === 0 || right.length === 0) return left.length === right.length;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  return short.every((word) => long.includes(word));
}

/** Two numbers have changed places when each has what belonged to the other. */
function haveChangedPlaces(left: readonly Bond[], right: readonly Bond[]): boolean {
  return left.some((mine) => {
    const own = Math.max(0, ...right.filter(({ word }) => word === mine.word).map((their) => likeness(mine, their)));
    return right.some((their) => their.word !== mine.word && likeness(mine, their) > own);
  });
}

function likeness(left: Bond, right: Bond): number {
  const both = shared(left, right);
  return both === 0 ? 0 : both / (left.with.length + right.with.length - both);
}

function shared(left: Bond, right: Bond): number {
  return left.with.filter((word) => right.with.includes(word)).length;
}

function hasSameModifiers(left: readonly Bond[], right: readonly Bond[]): boolean {
  return left.every((mine) => {
    const same = right.filter(({ word }) => word === mine.word);
    const isLoose = mine.with.length === 0 || same.some((their) => their.with.length === 0);
    return same.length === 0 || isLoose || same.some((their) => shared(mine, their) > 0);
  });
}
