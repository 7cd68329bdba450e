import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { CostRow } from "../../contract/routes/cost-routes.ts";

function row(key: string, changes: Partial<CostRow> = {}): CostRow {
  const tokens = { inputTokens: 12_000, outputTokens: 340, cacheReadTokens: 9_000, cacheWriteTokens: 0 };
  return { key, runs: 2, calls: 8, ...tokens, costUsd: 0.1234, unpriced: 0, ...changes };
}

describe("cost", () => {
  it("shows a row for each side and the total", async () => {
    const answer = {
      by: "model",
      rows: [row("a/b"), row("c/d", { costUsd: 2, unpriced: 1 })],
      total: row("total", { unpriced: 1 }),
    };
    const words = ["cost", "--by", "model", "-p", "shop", "--since", "2026-11-01"];
    const { out, requests } = await runCli(words, () => ok(answer));
    expect(requests[0]).toMatchObject({
      path: "/api/costs",
      query: { by: "model", project: "shop", since: "2026-11-01" },
    });
    expect(out.split("\n")).toEqual([
      "MODEL  RUNS  CALLS  IN      CACHED  OUT  COST",
      "a/b    2     8      12,000  9,000   340  $0.1234",
      "c/d    2     8      12,000  9,000   340  ≈ $2.00",
      "total  2     8      12,000  9,000   340  ≈ $0.1234",
      "≈ estimated: some calls used a model without a price.",
      "",
    ]);
  });

  it("needs no total for a single row, and says when there is none", async () => {
    const one = await runCli(["cost"], () => ok({ by: "day", rows: [row("2026-11-15")], total: row("total") }));
    expect(one.out).not.toContain("total");
    const none = () => ok({ by: "day", rows: [], total: row("total") });
    expect((await runCli(["cost"], none)).out).toBe("No model calls yet.\n");
    expect((await runCli(["cost", "--since", "2026-11-01"], none)).out).toBe("No model calls since 2026-11-01.\n");
  });

  it("refuses a date that is none", async () => {
    for (const since of ["yesterday", "2026", "2026-13-45"]) {
      const { code, err, requests } = await runCli(["cost", "--since", since]);
      expect([code, requests]).toEqual([2, []]);
      expect(err).toContain(`--since must be a date such as 2026-11-01, not '${since}'.`);
    }
  });
});
