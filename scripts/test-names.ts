import { type Expression, type TemplateLiteral, Visitor } from "oxc-parser";
import { syntaxTreeOf } from "./syntax-tree.ts";

const TEST_FUNCTIONS = ["describe", "it", "test"];
const NOT_RUN = ["skip", "todo"];

/** The names of the tests and groups of tests in a file, without those that are switched off. */
export function testNamesIn(fileName: string, source: string): string[] {
  const names: string[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = first === undefined || first.type === "SpreadElement" ? undefined : textOf(first);
      const [called = "", ...modifiers] = wordsOf(callee);
      const runs = TEST_FUNCTIONS.includes(called) && !modifiers.some((word) => NOT_RUN.includes(word));
      if (name !== undefined && runs) names.push(name);
    },
  }).visit(syntaxTreeOf(fileName, source));
  return names;
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
