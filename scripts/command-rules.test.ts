import { expect, it } from "vitest";
import { commandProblems } from "./command-rules.ts";

const SCHEMA = ["src/contract/budget.ts", 'import { z } from "zod";'] as const;

function problems(source: string): string[] {
  return commandProblems(new Map([["src/cli/nouns/budget.ts", source], SCHEMA]));
}

it("refuses a command file that loads a heavy package by way of another file", () => {
  expect(problems('import { NO_LIMIT } from "../../contract/budget.ts";')).toEqual([
    "src/cli/nouns/budget.ts: loads src/contract/budget.ts → zod before it runs; use import() in the action",
  ]);
});

it.each([
  'import type { Budget } from "../../contract/budget.ts";',
  'const load = () => import("../../contract/budget.ts");',
])("allows %s", (source) => {
  expect(problems(source)).toEqual([]);
});
