import { type CallExpression, type Expression, type TemplateLiteral, Visitor } from "oxc-parser";
import { syntaxTreeOf } from "./syntax-tree.ts";

const TEST_FUNCTIONS = ["describe", "it", "test"];
const NOT_RUN = ["skip", "todo"];

/** The names of the tests and groups of tests in a file, each after those of its groups, without those that are switched off. */
export function testNamesIn(fileName: string, source: string): string[] {
  const names: string[] = [];
  const groups: string[] = [];
  new Visitor({
    CallExpression: (call) => {
      const name = nameOf(call);
      if (name === undefined) return;
      groups.push(name);
      names.push(groups.join(" > "));
    },
    "CallExpression:exit": (call) => {
      if (nameOf(call) !== undefined) groups.pop();
    },
  }).visit(syntaxTreeOf(fileName, source));
  return names;
}

/** Undefined where the call is no test and no group of tests, or one that is switched off. */
function nameOf({ callee, arguments: [first] }: CallExpression): string | undefined {
  const [called = "", ...modifiers] = wordsOf(callee);
  const runs = TEST_FUNCTIONS.includes(called) && !modifiers.some((word) => NOT_RUN.includes(word));
  return !runs || first === undefined || first.type === "SpreadElement" ? undefined : textOf(first);
}

/** `it.each(rows)` reads as "it", "each". */
function wordsOf(callee: Expression): string[] {
  if (callee.type === "Identifier") return [callee.name];
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression") {
    return wordsOf(callee.type === "CallExpression" ? callee.callee : callee.tag);
  }
  if (callee.type !== "MemberExpression" || callee.computed) return [];
  return [...wordsOf(callee.object), callee.property.name];
}

function textOf(name: Expression): string | undefined {
  if (name.type === "Literal") return typeof name.value === "string" ? name.value : undefined;
  return name.type === "TemplateLiteral" ? templateText(name) : undefined;
}

/** What a template computes is unknown here, and no part of an id. */
function templateText({ quasis }: TemplateLiteral): string {
  return quasis.map((part) => part.value.cooked ?? "").join("…");
}
