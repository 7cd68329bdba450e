import { type CallExpression, type Expression, Visitor } from "oxc-parser";
import type { SourceFiles } from "./floor-rules.ts";
import { syntaxTreeOf } from "./syntax-tree.ts";

/** Names under which texts go that are written for people to read. */
const PROSE = new Set([
  "activity",
  "advice",
  "answer",
  "because",
  "detail",
  "error",
  "errors",
  "explanation",
  "fault",
  "feedback",
  "finding",
  "findings",
  "hint",
  "message",
  "problem",
  "reason",
  "refusal",
  "remarks",
  "stderr",
  "trouble",
  "verdict",
  "why",
]);

/** On a text, these ask what is in it; those of `ASKED` are asked of a pattern, with the text as their argument. */
const ASKING = new Set([
  "endsWith",
  "includes",
  "indexOf",
  "lastIndexOf",
  "match",
  "matchAll",
  "search",
  "split",
  "startsWith",
]);
const ASKED = new Set(["exec", "test"]);

/** What leaves a text the text that it was: `String(error)`, `message.trim()`. */
const SAME_TEXT = new Set([
  "String",
  "normalize",
  "slice",
  "text",
  "toLowerCase",
  "toString",
  "toUpperCase",
  "trim",
  "trimEnd",
]);

/**
 * One line for every place that looks into a text written for people. Code decides by codes: a text that is reworded must
 * not change what happens. `adapters` are the files that turn the words of foreign programs into codes, each with its reason;
 * one that has nothing to excuse is a problem too.
 */
export function proseProblems(files: SourceFiles, adapters: Readonly<Record<string, string>>): string[] {
  const unused = new Set(Object.keys(adapters));
  const problems: string[] = [];
  for (const [path, source] of files) {
    if (/\.test\.tsx?$/.test(path)) continue;
    const found = looksIntoProse(path, source);
    if (found.length > 0 && unused.delete(path)) continue;
    problems.push(...found);
  }
  const idle = [...unused].map((path) => `${path}: is listed as an adapter, but looks into no text`);
  return [...problems, ...idle];
}

function looksIntoProse(path: string, source: string): string[] {
  const problems: string[] = [];
  const report = (start: number, name: string) => {
    const line = source.slice(0, start).split("\n").length;
    problems.push(`${path}:${line}: looks into '${name}', a text for people, to decide something; use a code`);
  };
  new Visitor({
    CallExpression: (call) => {
      const name = proseAskedBy(call);
      if (name !== undefined) report(call.start, name);
    },
    BinaryExpression: ({ operator, left, right, start }) => {
      if (!["===", "!==", "==", "!="].includes(operator)) return;
      const name = isSentence(right) ? proseIn(left) : isSentence(left) ? proseIn(right) : undefined;
      if (name !== undefined) report(start, name);
    },
  }).visit(syntaxTreeOf(path, source));
  return problems;
}

/** The name of the text that a call looks into. */
function proseAskedBy({ callee, arguments: [first] }: CallExpression): string | undefined {
  if (callee.type !== "MemberExpression" || callee.computed) return undefined;
  const method = callee.property.name;
  if (ASKED.has(method)) return first === undefined || first.type === "SpreadElement" ? undefined : proseIn(first);
  if (!ASKING.has(method) || (method === "split" && isLineBreak(first))) return undefined;
  return proseIn(callee.object);
}

/** The name of a text for people that an expression is, or is made of. */
function proseIn(expression: Expression): string | undefined {
  switch (expression.type) {
    case "Identifier":
      return PROSE.has(expression.name) ? expression.name : undefined;
    case "MemberExpression":
      return expression.computed || !PROSE.has(expression.property.name) ? undefined : expression.property.name;
    case "LogicalExpression":
      return proseIn(expression.left) ?? proseIn(expression.right);
    case "TemplateLiteral":
      return expression.expressions.map(proseIn).find((name) => name !== undefined);
    case "CallExpression":
      return proseThrough(expression);
    case "ChainExpression":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
      return proseIn(expression.expression);
    default:
      return undefined;
  }
}

function proseThrough({ callee, arguments: [first] }: CallExpression): string | undefined {
  if (callee.type === "Identifier" && SAME_TEXT.has(callee.name))
    return first === undefined || first.type === "SpreadElement" ? undefined : proseIn(first);
  if (callee.type !== "MemberExpression" || callee.computed || !SAME_TEXT.has(callee.property.name)) return undefined;
  return proseIn(callee.object);
}

/** Cutting a text into its lines shows it, and decides nothing. */
function isLineBreak(argument: CallExpression["arguments"][number] | undefined): boolean {
  if (argument?.type !== "Literal") return false;
  return argument.value === "\n" || ("regex" in argument && /^[\\rn?|]+$/.test(argument.regex.pattern));
}

/** Codes have no spaces. */
function isSentence(expression: Expression): boolean {
  return expression.type === "Literal" && typeof expression.value === "string" && / /.test(expression.value.trim());
}
