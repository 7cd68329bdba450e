import { expect, it } from "vitest";
import { call, said } from "../../test/fakes/agent.ts";
import { runPlan } from "../../test/fakes/api-documents.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import { REVIEWED_STAGES } from "../contract/words/gate-words.ts";
import { SUBMIT_REVIEW } from "../contract/words/tool-names.ts";
import { Transcript } from "./transcript.ts";

const STAGES = REVIEWED_STAGES.map((name) => ({ name, score: 90, findings: [] }));
const submitted = (at: number, input: object): JournalEntry[] => [
  said({ calls: [{ ...call(`call-${at}`, SUBMIT_REVIEW), input: JSON.stringify(input) }] }),
  { type: "result", id: `call-${at}`, name: SUBMIT_REVIEW, output: "Review not saved.", failed: true },
];
const reportOf = (...inputs: object[]) => {
  const plan = { ...runPlan({}), gateReview: { earlier: ["rev-1"] } };
  return new Transcript([{ type: "plan", plan }, ...inputs.flatMap((input, at) => submitted(at, input))]).report;
};

it("a review that leaves an earlier finding without an answer has the verdict of what the gate uses of it", () => {
  const review = { stages: STAGES, integrated: true };
  expect(reportOf(review, review)).toMatchObject({ verdict: "request_changes", stages: { length: 4 } });
});

it("a review that no gate can use has no verdict", () => {
  expect(reportOf({ stages: STAGES.slice(1), integrated: true })).toBeUndefined();
});
