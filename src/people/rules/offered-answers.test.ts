import { describe, expect, it } from "vitest";
import { chosenCode, type Offer, offeredAnswers, wordsBeside } from "./offered-answers.ts";

const OFFER: Offer<"go" | "stop"> = [
  ["go", { label: "Continue", description: "Goes on." }],
  ["stop", { label: "Stop", description: "" }],
];
/** The same question, asked by a version with other words. */
const EARLIER = offeredAnswers([
  ["go", { label: "Go ahead", description: "" }],
  ["stop", { label: "Continue", description: "No longer." }],
]);
const WITHOUT_CODES = OFFER.map(([, answer]) => answer);

describe("the answer to a question of the hall", () => {
  it.each([
    ["what was offered under the label", offeredAnswers(OFFER), "Continue", "go"],
    ["what was offered then, whatever labels say now", EARLIER, "Continue", "stop"],
    ["what was offered then under a label that is gone", EARLIER, "Go ahead", "go"],
    ["the label alone, for a question without codes", WITHOUT_CODES, "Stop", "stop"],
    ["nothing under a label that was not offered", offeredAnswers(OFFER), "Go ahead", undefined],
    ["nothing without a label", offeredAnswers(OFFER), null, undefined],
    ["nothing under a code that is gone", [{ label: "Wait", description: "", code: "wait" }], "Wait", undefined],
  ])("stands for %s", (_, suggestedAnswers, answer, code) => {
    expect(chosenCode(OFFER, { answer, suggestedAnswers })).toBe(code);
  });

  it.each([
    ["Continue: Goes on.", ""],
    ["Continue", ""],
    [null, ""],
    ["Continue: but only with the tests.", "Continue: but only with the tests."],
    ["Not too fast.", "Not too fast."],
  ])("comes with the person's own words: %s", (resolution, words) => {
    expect(wordsBeside({ answer: "Continue", resolution, suggestedAnswers: offeredAnswers(OFFER) })).toBe(words);
  });
});
