import { expect, test } from "vitest";
import { ANSWER_WORDS } from "../../../../src/contract/words/queue-words.ts";
import { asksFirst } from "./answer-rules.ts";

const shown = (action: keyof typeof ANSWER_WORDS) => ({ ...ANSWER_WORDS[action], action });

test("merging and trusting is confirmed, what can be undone or only hides is not", () => {
  expect(asksFirst(shown("approve"))).toBe(true);
  expect(asksFirst(shown("accept"))).toBe(true);
  expect(asksFirst(shown("discard"))).toBe(false);
  expect(asksFirst(shown("leave"))).toBe(false);
});

test("an agent's suggestion is never taken for an action", () => {
  expect(asksFirst({ label: "Approve", description: "" })).toBe(false);
});
