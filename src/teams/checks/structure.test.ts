import { expect, test } from "vitest";
import { structureFaults } from "./structure.ts";

const GOOD = "# Guide\n\n## Setup\n\nRun it.\n\n## Usage:\n\n### Start\n\n```sh\n# not a heading\n```\n";

test("takes a document whose sections have text, and the ones that were asked for [S2-DOC-04]", () => {
  expect(structureFaults(GOOD, ["setup", "Usage"])).toEqual([]);
  expect(structureFaults("# 1. **Setup**\n\nText\n", ["Setup"])).toEqual([]);
  expect(structureFaults("# Why `run`\n\n**Note:**\n\nText\n", ["Why `run`"])).toEqual([]);
  expect(structureFaults(`# Data\n\n${"x".repeat(6_000)}\n\nMore\n====\n\n> Text`, ["More"])).toEqual([]);
});

test.each([
  ["Only text.", [], ["has no headings"]],
  [GOOD, ["Limits"], ["has no section 'Limits'"]],
  ["# A\n\nText\n\n## B\n\n## C\n\nText", [], ["line 5: 'B' is empty"]],
  ["# A\n\nText\n\n<!-- \n## B\n\nText -->", ["B"], ["has no section 'B'"]],
  [
    "# A\n\n````md\n```\n# B\n```\n````\n\n# C\n\n<!-- Say why. -->",
    ["B"],
    ["has no section 'B'", "line 9: 'C' is empty"],
  ],
  ["# A\n\nText\n\n## B\n\n", ["B", "D"], ["has no section 'D'", "line 5: 'B' is empty"]],
])("names what %j lacks", (text, wanted, faults) => {
  expect(structureFaults(text, wanted)).toEqual(faults);
});
