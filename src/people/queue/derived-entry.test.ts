import { describe, expect, it } from "vitest";
import { Escalation } from "../../contract/documents/escalation.ts";
import { SUBJECT_KINDS, type SubjectKind } from "../../contract/documents/escalation-status.ts";
import type { RunLine } from "../../contract/now.ts";
import { hint } from "../../contract/words/hint.ts";
import { queueId } from "../../contract/words/queue-id.ts";
import { amountIn } from "./derived-answers.ts";
import { derivedEntry } from "./derived-entry.ts";
import { reviewSubject, type Subject } from "./subject.ts";

const NOW = new Date("2026-11-16T12:00:00.000Z");
const AT = "2026-11-15T12:00:00.000Z";
const RUN: RunLine = {
  ...{ id: "run-1", projectId: "shop", taskId: "TASK-007", roleId: "coder", rank: "worker", purpose: "work" },
  ...{ title: "Pay 😀", status: "failed", progress: 0.5, model: "own/m", attempt: 2, createdAt: AT },
  ...{ turns: 3, costUsd: 0.0512, costKnown: true, waitingFor: "quota" },
};
const WITH_RUN: readonly SubjectKind[] = ["review", "failed", "budget", "provider"];

function subject(kind: SubjectKind, more: Partial<Subject> = {}): Subject {
  const run = WITH_RUN.includes(kind) ? { run: RUN } : {};
  const place = { of: "shop/x", projectId: "shop", title: "Pay 😀", detail: "Because." };
  return { id: queueId(kind, "shop/x"), version: "1", kind, ...place, at: AT, ...run, ...more };
}

describe("a derived entry", () => {
  it.each(SUBJECT_KINDS)("of a subject of kind %s has the shape of an escalation and one question", (kind) => {
    const entry = derivedEntry(subject(kind), { now: NOW });
    expect(Escalation.parse(entry)).toEqual(entry);
    expect(entry).toMatchObject({ id: `${kind}-shop~2fx`, status: "pending", subject: { kind, id: "shop/x" } });
    expect(entry.question).toMatch(/^[^\n]{10,}[.?]$/);
    const labels = entry.suggestedAnswers.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(entry.suggestedAnswers.every(({ action }) => action !== undefined)).toBe(true);
  });

  it("says what money is for: the task, what it cost so far and what comes next", () => {
    const raise = hint("budget-raise", { project: "shop", limit: "--run-usd", amount: "5" });
    const entry = derivedEntry(subject("budget", { hintAction: raise }), { now: NOW, nextCallUsd: 0.25 });
    expect(entry.context).toBe(
      "Because.\nTASK-007 in project shop, role coder, attempt 2. Spent so far: $0.0512 in 3 turns.\nThe next model call may cost up to $0.25.",
    );
    expect(entry.suggestedAnswers[0]).toMatchObject({ label: "Raise the limit to $5", action: "raise-limit" });
    const tokens = hint("budget-raise", { limit: "--day-tokens", amount: "90000" });
    const answers = derivedEntry(subject("budget", { hintAction: tokens }), { now: NOW }).suggestedAnswers;
    expect(answers[0]?.label).toBe("Raise the limit to 90000 tokens");
    const ofTeam = hint("team-budget-raise", { text: "team-1", amount: "12" });
    const raised = derivedEntry(subject("budget", { hintAction: ofTeam }), { now: NOW }).suggestedAnswers;
    expect(raised[0]).toMatchObject({ label: "Raise the limit to $12", action: "raise-limit" });
    // Calls under way only hold the money: no limit has to be raised.
    const held = derivedEntry(subject("budget"), { now: NOW }).suggestedAnswers;
    expect(held.map(({ action }) => action)).toEqual(["wait", "stop-run"]);
  });

  it("says why a result waits, unless the project always requires it", () => {
    const review = (delivery: object) =>
      reviewSubject({
        id: "r",
        version: "1",
        run: { ...RUN, delivery: { kind: "branch", state: "review", ...delivery } } as RunLine,
      });
    const context = (delivery: object) => derivedEntry(review(delivery), { now: NOW }).context.split("\n");
    expect(
      context({ reasonCode: "required", reason: "the project requires review", files: 1, additions: 1, deletions: 0 }),
    ).toEqual([expect.stringContaining("TASK-007"), "1 file changed, 1 line added, 0 removed."]);
    expect(context({ reasonCode: "conflict", reason: "it conflicts with main" })[0]).toBe("It conflicts with main.");
  });

  it("is as urgent as its task, what it blocks and how long it waits", () => {
    const failed = derivedEntry(subject("failed"), { now: NOW, priority: "high" });
    expect(failed).toMatchObject({ priority: "high", blocksTask: "TASK-007", urgency: 3 + 2 + 1 });
    const { at: _, ...unknown } = subject("skill");
    const seen = { version: "1", firstSeenAt: AT, reminders: 2, remindedAt: AT };
    expect(derivedEntry(unknown, { now: NOW, note: seen })).toMatchObject({ createdAt: AT, urgency: 2, reminders: 2 });
  });
});

it("an id is safe in an address, whatever its subject is called, and differs where that does", () => {
  const names = ["a/b", "a~b", "a~2fb", "Ä 😀", "../x", "a%2Fb", "\ud800", ""];
  const ids = names.map((name) => queueId("problem", name));
  expect(new Set(ids).size).toBe(names.length);
  for (const id of ids) expect(encodeURIComponent(id)).toBe(id);
});

it.each([
  ["12.50", 12.5],
  [" $7 ", 7],
  ["200000", 200_000],
  ["-1", undefined],
  ["1e9", undefined],
  ["5 dollars", undefined],
  ["", undefined],
])("the amount in '%s' is %s", (text, amount) => {
  expect(amountIn(text)).toBe(amount);
});
