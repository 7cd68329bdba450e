import { expect, it } from "vitest";
import { verdictWords } from "./verdict-words.ts";

it.each([
  ["- Low: a name.\n\nVerdict: accept with changes.\n", "accept with changes."],
  ["verdict: reject\nmore\n**Verdict:** accept", "accept"],
  ["## Verdict: reject, `a.ts` is gone", "reject, a.ts is gone"],
  ["I could not read it.\nSorry.", "I could not read it."],
  ["The verdict is open.", "The verdict is open."],
  ["", ""],
])("says in one line what an opinion comes to (%#)", (output, wanted) => {
  expect(verdictWords(output)).toBe(wanted);
});

it("is not held up by a report of very many empty lines, which in the square of them would take minutes", () => {
  expect(verdictWords("\n#".repeat(200_000))).toBe("#");
});
