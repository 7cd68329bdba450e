import { expect, test } from "vitest";
import { errorTable } from "../../../src/contract/errors.ts";
import { hintParts } from "./hint-parts.ts";

const shown = (hint: string) =>
  hintParts(hint)
    .map(({ text, isCommand }) => (isCommand ? `<${text}>` : text))
    .join("");

test.each([
  ["Mend the file by hand.", "Mend the file by hand."],
  ["List the runs with 'guildhall run list'.", "In a terminal: list the runs with <guildhall run list>."],
  ["'guildhall doctor' shows them.", "In a terminal: <guildhall doctor> shows them."],
  [
    "Merge it with 'git merge a' first, or run 'guildhall run reject r'.",
    "In a terminal: merge it with <git merge a> first, or run <guildhall run reject r>.",
  ],
  ["It is called 'Shop', isn't it?", "It is called 'Shop', isn't it?"],
])("%s", (hint, expected) => expect(shown(hint)).toBe(expected));

test("no hint of the daemon shows a command as if it were to be typed into the page", () => {
  for (const { hint } of Object.values(errorTable))
    for (const { text, isCommand } of hintParts(hint)) if (!isCommand) expect(text).not.toMatch(/'guildhall /);
});
