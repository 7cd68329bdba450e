import { expect, it } from "vitest";
import { hintProblems } from "./hint-rules.ts";

const problems = (source: string, path = "src/cli/nouns/up.ts") => hintProblems(new Map([[path, source]]));

it.each([
  `advice("Start it with 'guildhall up'.");`,
  "new HallError(code, message, { hint: `Start it with: \u0024{startCommand(workspace, host)}` });",
  "new HallError(code, message, { hint: `'\u0024{output.calledAs} doctor' names them.` });",
  `failed(subject, "There is none.", isNew ? "Run guildhall init." : undefined);`,
  `const place = { hint: "Run " + "guildhall up" };`,
])("refuses %s", (source) => {
  expect(problems(source)).toEqual([
    "src/cli/nouns/up.ts:1: has a command in the words of a hint; use an action of contract/words/hint-actions.ts",
  ]);
});

it.each([
  `hint("daemon-start");`,
  `new HallError(code, message, { hint: hint("run-retry", { run }) });`,
  `advice("Send the token in .guildhall/token of the workspace.");`,
  "output.answer(answer, () => `Start it: \u0024{calledAs} up`);",
])("allows %s", (source) => {
  expect(problems(source)).toEqual([]);
});

it("leaves tests alone", () => {
  expect(problems(`advice("guildhall up");`, "src/cli/nouns/up.test.ts")).toEqual([]);
});
