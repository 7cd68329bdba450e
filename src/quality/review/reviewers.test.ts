import { expect, it } from "vitest";
import type { Run } from "../../contract/runs/run.ts";
import { REVIEWED_STAGES } from "../../contract/words/gate-words.ts";
import { type ReviewOrder, reviewerOver } from "./reviewers.ts";

const GOOD = { stages: REVIEWED_STAGES.map((name) => ({ name, score: 90, findings: [] })), integrated: true };

/** Runs that each submit the next of these reviews, and are over at once. */
function reviewing(inputs: unknown[]) {
  const done = new Map<string, unknown>();
  const usage = { costUsd: 1 };
  const runOf = (id: string) => ({ id, status: "completed", model: "own/m", usage }) as unknown as Run;
  const runs: Parameters<typeof reviewerOver>[0] = {
    canReview: () => true,
    known: (id) => (done.has(id) ? runOf(id) : undefined),
    journal: (id) =>
      [
        { type: "answer", text: "", calls: [{ name: "submit_review", input: JSON.stringify(done.get(id)) }] },
      ] as unknown as ReturnType<typeof runs.journal>,
    review: async ({ runId }) => {
      if (!done.has(runId)) done.set(runId, inputs.shift());
      return runOf(runId);
    },
  };
  const talks = { ask: () => Promise.reject(new Error("Nobody is asked without a run.")) };
  return { reviewer: reviewerOver(runs, talks), done };
}

const subject = { run: { id: "run-1" }, head: "h", baseTree: "b", tree: "t", cycle: 1 };
const order = { subject, model: "own/m", part: "Review it.", number: 1, earlier: [] } as unknown as ReviewOrder;

it("a review that can't be used is asked for anew the next time, and one that can be is paid once", async () => {
  const { reviewer, done } = reviewing([{ stages: "full marks" }, GOOD]);
  expect((await reviewer(order)).values).toEqual([{ stages: "full marks" }]);
  expect((await reviewer(order)).values).toEqual([GOOD]);
  expect((await reviewer(order)).values).toEqual([GOOD]);
  expect(done.size).toBe(2);
});
