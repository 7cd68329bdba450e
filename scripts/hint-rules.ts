import { type Expression, type Node, Visitor } from "oxc-parser";
import type { SourceFiles } from "./floor-rules.ts";
import { syntaxTreeOf } from "./syntax-tree.ts";

/** A command of this program in a text, however the program is called: `guildhall up`, `${calledAs} up`. */
const COMMAND = /\bguildhall [a-z]/;
/** Functions and fields that put a command, or the name it is called by, into a text. */
const COMMAND_TEXTS = new Set(["calledAs", "commandFor", "commandText", "startCommand"]);
/** Functions that take advice, and which of their arguments it is. */
const ADVISING: Readonly<Record<string, number>> = { advice: 0, warning: 2, failed: 2 };

/**
 * One line for every hint that has a command of this program in its words. As an action of `contract/words/hint-actions.ts`, CLI and
 * pages can show the command as one, as the reader calls it, and do the same with a button.
 */
export function hintProblems(files: SourceFiles): string[] {
  return [...files].flatMap(([path, source]) => (/\.test\.tsx?$/.test(path) ? [] : problemsIn(path, source)));
}

function problemsIn(path: string, source: string): string[] {
  const problems: string[] = [];
  const judge = (advice: Node | undefined) => {
    if (advice === undefined || !hasCommand(advice as Expression)) return;
    const line = source.slice(0, advice.start).split("\n").length;
    problems.push(
      `${path}:${line}: has a command in the words of a hint; use an action of contract/words/hint-actions.ts`,
    );
  };
  new Visitor({
    CallExpression: ({ callee, arguments: given }) => {
      const place = callee.type === "Identifier" ? ADVISING[callee.name] : undefined;
      if (place !== undefined) judge(given[place]);
    },
    Property: ({ key, value }) => {
      if (key.type === "Identifier" && key.name === "hint") judge(value);
    },
  }).visit(syntaxTreeOf(path, source));
  return problems;
}

function hasCommand(expression: Expression): boolean {
  switch (expression.type) {
    case "Literal":
      return typeof expression.value === "string" && COMMAND.test(expression.value);
    case "TemplateLiteral":
      return expression.quasis.some(({ value }) => COMMAND.test(value.raw)) || expression.expressions.some(hasCommand);
    case "CallExpression":
      return hasCommand(expression.callee);
    case "Identifier":
      return COMMAND_TEXTS.has(expression.name);
    case "MemberExpression":
      return !expression.computed && COMMAND_TEXTS.has(expression.property.name);
    case "ConditionalExpression":
      return hasCommand(expression.consequent) || hasCommand(expression.alternate);
    case "LogicalExpression":
    case "BinaryExpression":
      return hasCommand(expression.left as Expression) || hasCommand(expression.right);
    default:
      return false;
  }
}
