import type { Language } from "./languages.ts";
import { closeOf } from "./test-cases.ts";

interface Range {
  from: number;
  to: number;
}

/** Places of a test that keep a check from failing it. */
export interface Guards {
  /** Checks that only run under a condition. */
  conditional: number;
  /** Blocks with a check whose failure is caught and goes no further. */
  swallowing: number;
}

/** Over code without comments and the content of strings. `checks`: what counts as one, with the flag `g`. */
export function guardsIn(masked: string, checks: RegExp, language: Language): Guards {
  const places = [...masked.matchAll(checks)].map(({ index }) => index);
  const isIn = (ranges: readonly Range[]) => (at: number) => ranges.some(({ from, to }) => from <= at && at < to);
  const hasCheck = ({ from, to }: Range) => places.some((at) => from <= at && at < to);
  const isIndented = language === "python" || language === "ruby";
  const conditions = isIndented ? indentedBlocks(masked, CONDITION) : bracedConditions(masked);
  const attempts = isIndented ? indentedAttempts(masked) : bracedAttempts(masked);
  const isSwallowed = ({ tried, caught }: Attempt) =>
    hasCheck(tried) && !GOES_ON.test(masked.slice(caught.from, caught.to)) && !hasCheck(caught);
  return {
    conditional: places.filter(isIn(conditions)).length,
    swallowing: attempts.filter(isSwallowed).length,
  };
}

interface Attempt {
  tried: Range;
  caught: Range;
}

/** What is caught fails the test after all. */
const GOES_ON = /\b(?:throw|raise|fail|reject|done|next|panic|error)\b\s*!?\s*(?:\(|;|new\b|$|[A-Za-z])/m;

/** `if (…) …`, `else …`, and what is only reached through `&&`. */
function bracedConditions(masked: string): Range[] {
  const heads = [...masked.matchAll(/\bif\b|\belse\b(?!\s*if\b)|&&/g)];
  return heads.flatMap(({ 0: head, index }) => {
    let from = skipSpace(masked, index + head.length);
    if (head === "if") {
      if (masked[from] === "(") from = skipSpace(masked, closeOf(masked, from));
      else from = masked.indexOf("{", from);
    }
    if (from === -1) return [];
    return [{ from, to: masked[from] === "{" ? closeOf(masked, from) : statementEnd(masked, from) }];
  });
}

function bracedAttempts(masked: string): Attempt[] {
  return [...masked.matchAll(/\btry\s*(?=\{)/g)].flatMap(({ 0: head, index }) => {
    const from = index + head.length;
    const to = closeOf(masked, from);
    const clause = /^\s*catch\s*(?:\([^()]*\)\s*)?(?=\{)/.exec(masked.slice(to, to + 500));
    if (clause === null) return [];
    const at = to + clause[0].length;
    return [{ tried: { from, to }, caught: { from: at, to: closeOf(masked, at) } }];
  });
}

function statementEnd(masked: string, from: number): number {
  const end = /;|\n\s*\n|$/.exec(masked.slice(from));
  return end === null ? masked.length : from + end.index;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? "")) next++;
  return next;
}

const CONDITION = /^([ \t]*)(?:if|elif|elsif|unless)\b.*$/gm;
const ATTEMPT = /^([ \t]*)try\s*:.*$/gm;
const CAUGHT = /^([ \t]*)except\b[^\n]*?:(.*)$/gm;

/** From the line that begins one to the next line that is indented no further. */
function indentedBlocks(masked: string, head: RegExp): Range[] {
  return [...masked.matchAll(head)].map(({ 0: line, 1: indent = "", index }) => {
    const after = index + line.length;
    const next = new RegExp(`\\n(?![ \\t]*(?:\\r?\\n|$))(?!${indent}[ \\t])`).exec(masked.slice(after));
    return { from: index, to: next === null ? masked.length : after + next.index + 1 };
  });
}

function indentedAttempts(masked: string): Attempt[] {
  const caught = indentedBlocks(masked, CAUGHT);
  return indentedBlocks(masked, ATTEMPT).flatMap((tried) => {
    const clause = caught.find(({ from }) => from === tried.to);
    return clause === undefined ? [] : [{ tried, caught: clause }];
  });
}
