import { expect, it } from "vitest";
import type { Delivery } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { BookLine } from "../../contract/runs/run-book.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import { withLine } from "./book-line.ts";

const at = "2026-01-01T00:00:00.000Z";
const waiting: Delivery = { kind: "branch", name: "b", target: "main", state: "review" };
const run = { id: "run-1", delivery: waiting } as Run;
const known: IndexedRun = { run, messages: [], journal: "j", epoch: 1, crashes: 0 };
const by = { actor: { kind: "person", via: "http" } } as const;
const merged: BookLine = {
  ...{ type: "reviewed", runId: "run-1", verdict: "approved", by, at },
  delivery: { ...waiting, state: "delivered", merge: "abc" },
};
const superseded: BookLine = { type: "superseded", runId: "run-1", at, delivery: { ...waiting, state: "kept" } };
const hindered: BookLine = { type: "hindered", runId: "run-1", at, delivery: { ...waiting, reason: "a conflict" } };

const after = (...lines: BookLine[]) =>
  lines.reduce<IndexedRun | undefined>((so, line) => withLine(so, line), known)?.run.delivery;

it("what a person decided stands, also where its task was taken up anew at the same time", () => {
  expect(after(superseded)?.state).toBe("kept");
  for (const lines of [
    [merged, superseded],
    [superseded, merged],
  ])
    expect(after(...lines)).toMatchObject({ state: "delivered", merge: "abc" });
});

it("what keeps a result from being merged does not have it wait for review again", () => {
  expect(after(hindered)).toMatchObject({ state: "review", reason: "a conflict" });
  expect(after(superseded, hindered)).toMatchObject({ state: "kept", reason: "a conflict" });
});

it("a fix that was written as a suggestion is a fix", () => {
  const finding = { severity: "low", message: "Odd.", suggestion: "Even it." };
  const review = { verdict: "approve", findings: [finding, { severity: "low", message: "Odd.", fix: "Leave it." }] };
  const settled = { type: "settled", epoch: 1, run: { ...run, usage: { costKnown: true }, result: { review } } };
  expect(withLine(known, settled as unknown as BookLine)?.run.result?.review?.findings).toEqual([
    { severity: "low", message: "Odd.", fix: "Even it." },
    { severity: "low", message: "Odd.", fix: "Leave it." },
  ]);
});

it("a changed model counts, and the one that the run was started with is kept", () => {
  const changed = (model: string): BookLine => ({ type: "model", runId: "run-1", at, model });
  const started = { ...known, run: { ...run, model: "own/small" } };
  const once = withLine(started, changed("own/large"));
  expect(once?.run).toMatchObject({ model: "own/large", firstModel: "own/small" });
  expect(withLine(once, changed("own/small"))?.run).toMatchObject({ model: "own/small", firstModel: "own/small" });
});

it("a message that was written twice was said once, by whoever said it", () => {
  const said: BookLine = { type: "message", runId: "run-1", at, id: "MSG-001", text: "Hi", from: "team" };
  expect(withLine(withLine(known, said), said)?.messages).toEqual([{ id: "MSG-001", text: "Hi", from: "team" }]);
});
