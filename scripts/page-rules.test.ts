import { expect, it } from "vitest";
import { pageProblems } from "./page-rules.ts";

const contract = new Map([
  ["src/contract/words.ts", "export const WORDS = ['a'];"],
  ["src/contract/schema.ts", 'import { z } from "zod"; export const S = z.string();'],
  ["src/contract/far.ts", 'import { S } from "./schema.ts"; export const F = S;'],
]);
const problemsOf = (source: string) => pageProblems(new Map([["web/src/pages/a.tsx", source]]), contract);

it("lets a page import other pages, libraries, words of the contract and any of its types", () => {
  const source = `import "./b.tsx"; import React from "react"; import { WORDS } from "../../../src/contract/words.ts";
import type { S } from "../../../src/contract/schema.ts"; export const a = <p>{WORDS}</p>;`;
  expect(problemsOf(source)).toEqual([]);
});

it("refuses schemas of the contract at whatever distance, zod itself, and every other floor", () => {
  expect(problemsOf('import { S } from "../../../src/contract/schema.ts";')[0]).toContain("loads zod");
  expect(problemsOf('import { F } from "../../../src/contract/far.ts";')[0]).toContain("by src/contract/schema.ts");
  expect(problemsOf('import { z } from "zod";')[0]).toContain("must not load zod");
  expect(problemsOf('import type { Hall } from "../../../src/workspace/hall.ts";')[0]).toContain("only contract");
});
