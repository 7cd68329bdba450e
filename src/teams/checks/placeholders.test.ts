import { expect, test } from "vitest";
import { placeholdersIn } from "./placeholders.ts";

test.each([
  ["TODO", "alone in its line"],
  ["- TBD", "a list item"],
  ["- [ ] TODO: describe the API", "with what is to be done"],
  ["| Owner | TBD |", "a cell"],
  ["Status: TBD", "a value"],
  ["The limit is (TBD) per minute.", "in brackets"],
  ["FIXME: wrong figure", "a marker"],
  ["Contact <name> for access.", "a word in angle brackets"],
  ["Read <doc-name>.md first.", "a name in angle brackets"],
  ["Hello <your name here>", "words in angle brackets"],
  ["Lorem ipsum dolor sit amet", "filler"],
  ["[Insert diagram here]", "an instruction"],
  ["[your company]", "an instruction"],
  ["Dear {{ customer }},", "a template"],
  ["This section is to be written.", "an announcement"],
  ["Coming soon.", "an announcement"],
  ["...", "dots"],
  ["- TODO describe the limits", "an order"],
  ["| ??? |", "question marks"],
  ["_To be added._", "an announcement"],
  ["Your text here", "an instruction"],
  ["**Placeholder**", "a word alone"],
])("finds '%s': %s [S2-DOC-04]", (line) => {
  expect(placeholdersIn(`# Title\n\n${line}\n`).map((one) => one.line)).toEqual([3]);
});

test.each([
  "A to-do list app shows each TODO in one row.",
  "The linter finds TODO comments and reports them.",
  "TODO comments are reported, too.",
  "The fields to be added are listed below.",
  "A placeholder stands for an image. Why??? Nobody knows.",
  "Run `npm install <name>` first.",
  "See <https://example.com> or <me@example.com>.",
  "Press <kbd>Enter</kbd>.<br>",
  "<details><summary>More</summary>Text</details>",
  '<img src="a.png" alt="A">',
  "A [link](https://example.com) and an [insert statement](./sql.md).",
  "If a < b and c > d, stop.",
  "It costs 5 ... 10 dollars.",
  "- [x] Done",
  "<!-- TODO: nobody sees this -->",
  "Array<string> is a generic type in `Array<type-name>`.",
])("leaves '%s' alone", (line) => {
  expect(placeholdersIn(`# Title\n\n${line}\n`)).toEqual([]);
});

test("leaves code blocks alone, fenced and indented, and looks behind them", () => {
  const text = "# A\n\n```sh\nTODO\n<name>\n```\n\n~~~\n```\nTBD\n~~~\n\n    TODO: code\n\nText\n\nTODO\n";
  expect(placeholdersIn(text)).toEqual([{ line: 17, text: "TODO" }]);
});

test("takes no longer than a moment for a hostile megabyte", () => {
  const lines = ["<".repeat(4_900), "`".repeat(4_900), "[".repeat(4_900), "| TBD ".repeat(800), "x".repeat(6_000)];
  const started = performance.now();
  placeholdersIn(lines.join("\n").repeat(40));
  expect(performance.now() - started).toBeLessThan(2_000);
});
