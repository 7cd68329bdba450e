import { describe, expect, it } from "vitest";
import { Budget } from "../../contract/documents/budget.ts";
import { limitsOf, reachedMark, refusalOf } from "./budget-rules.ts";
import { refusalHint, refusalText } from "./budget-text.ts";
import { type Account, type Balance, Tally } from "./tally.ts";

const party = { at: "2026-03-01T12:00:00.000Z", projectId: "shop", treeId: "run-1" };
const hall = Budget.parse({});

function refusal(wanted: { usd: number; tokens: number; assumed?: number }, limits: object, tally = new Tally()) {
  const { project = {}, ...more } = limits as { project?: object };
  const all = { hall: { ...hall, ...more }, project };
  return refusalOf({ party, wanted: { assumed: 0, ...wanted } }, all, (account) => tally.balance(account));
}

function spent(usd: number, held = 0): Tally {
  const tally = new Tally();
  const line = { ...party, runId: "run-1", model: "own/m", input: 10, output: 10 };
  tally.apply({ type: "reserved", id: "a", ...line, usd });
  tally.apply({
    type: "settled",
    id: "a",
    at: party.at,
    how: "answered",
    usd,
    input: 10,
    output: 10,
    cacheRead: 0,
    cacheWrite: 0,
  });
  if (held > 0) tally.apply({ type: "reserved", id: "b", ...line, usd: held });
  return tally;
}

describe("a limit", () => {
  it("lets a call through up to the last cent, and nothing beyond", () => {
    expect(refusal({ usd: 2, tokens: 1 }, {}, spent(3))).toBeUndefined();
    expect(refusal({ usd: 2.01, tokens: 1 }, {}, spent(3))).toMatchObject({ unit: "usd", limit: 5, isSpent: true });
    const sums = spent(0.1 + 0.2);
    expect(refusal({ usd: 4.7, tokens: 1 }, {}, sums)).toBeUndefined();
  });

  it("counts what is held for calls under way, which may come back", () => {
    expect(refusal({ usd: 1, tokens: 1 }, {}, spent(3, 1))).toBeUndefined();
    const refused = refusal({ usd: 1.5, tokens: 1 }, {}, spent(3, 1));
    expect(refused).toMatchObject({ isSpent: false });
    expect(refused && refusalHint(refused)).toBeUndefined();
    expect(refused && refusalText(refused)).toBe(
      "run budget of $5.00 reached: $3.00 spent, $1.00 reserved for open calls, up to $1.50 needed for the next call",
    );
  });

  it.each([
    ["run", {}, { limit: "--run-usd", amount: "10" }],
    ["run of its project", { project: { runUsd: 4 } }, { project: "shop", limit: "--run-usd", amount: "8" }],
    ["day", { runUsd: null, dayUsd: 1 }, { limit: "--day-usd", amount: "6" }],
    [
      "project on a day",
      { runUsd: null, project: { dayUsd: 4 } },
      { project: "shop", limit: "--day-usd", amount: "8" },
    ],
    ["project", { runUsd: null, project: { totalUsd: 4 } }, { project: "shop", limit: "--total-usd", amount: "8" }],
    ["workspace", { runUsd: null, totalUsd: 4 }, { limit: "--total-usd", amount: "8" }],
    ["run in tokens", { runTokens: 20 }, { limit: "--run-tokens", amount: "40" }],
  ])("of a %s that is used up comes with the hint that raises it", (_, limits, args) => {
    const of = args.limit === "--run-tokens" ? { usd: 0, tokens: 15 } : { usd: 2, tokens: 1 };
    const refused = refusal(of, limits, spent(3.1));
    expect(refused && refusalHint(refused)).toEqual({ action: "budget-raise", args });
  });

  it("that is null is none, and of 0 lets through only what costs nothing", () => {
    expect(refusal({ usd: 1_000, tokens: 1 }, { runUsd: null, dayUsd: null })).toBeUndefined();
    expect(refusal({ usd: 0, tokens: 1 }, { runUsd: 0, dayUsd: 0 })).toBeUndefined();
    expect(refusal({ usd: 0.01, tokens: 1 }, { runUsd: 0 })).toMatchObject({ limit: 0 });
    expect(refusal({ usd: 0, tokens: 1 }, { runTokens: 0 })).toMatchObject({ unit: "tokens" });
  });

  it.each([
    ["run", { runUsd: 1 }],
    ["project-day", { project: { dayUsd: 1 } }],
    ["project", { project: { totalUsd: 1 } }],
    ["day", { dayUsd: 1 }],
    ["total", { totalUsd: 1 }],
    ["run", { runTokens: 30 }],
    ["total", { totalTokens: 30 }],
  ])("can be about %s: %j", (scope, limits) => {
    expect(refusal({ usd: 0.9, tokens: 15 }, limits, spent(0.9))).toMatchObject({ account: { scope } });
  });

  it("of a project for a run takes the place of the hall's, higher or lower", () => {
    expect(limitsOf("run", { hall, project: { runUsd: 9 } })).toEqual({ usd: 9, tokens: null });
    expect(limitsOf("run", { hall, project: { runUsd: 0 } })).toEqual({ usd: 0, tokens: null });
    expect(limitsOf("run", { hall, project: { runUsd: "none" } })).toEqual({ usd: null, tokens: null });
    expect(limitsOf("day", { hall, project: { dayUsd: 9 } })).toEqual({ usd: 25, tokens: null });
  });

  it("in money counts an estimate where the price is unknown, also beside a limit in tokens", () => {
    const unknown = { usd: 0, tokens: 1_000, assumed: 4 };
    expect(refusal(unknown, {}, spent(1))).toBeUndefined();
    const refused = refusal(unknown, {}, spent(2));
    expect(refused).toMatchObject({ unit: "usd", limit: 5, isSpent: true });
    expect(refused && refusalText(refused)).toContain("up to ≈ $4.00 needed for the next call");
    expect(refusal(unknown, { runTokens: 2_000, dayUsd: null }, spent(2))).toMatchObject({ unit: "usd" });
  });

  it.each([
    [0, undefined],
    [2.4, undefined],
    [2.5, 50],
    [3.99, 50],
    [4, 80],
    [5, 100],
    [7, 100],
  ])("of 5 with %d spent has reached the mark %s", (amount, mark) => {
    expect(reachedMark(amount, 5)).toBe(mark);
  });
});

describe("an account nobody booked on", () => {
  it("is empty", () => {
    const account: Account = { scope: "total" };
    const nothing = { usd: 0, tokens: 0, assumed: 0 };
    const empty: Balance = { spent: nothing, held: nothing };
    expect(new Tally().balance(account)).toEqual(empty);
  });
});
