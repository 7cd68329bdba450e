import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { BudgetReport } from "../../contract/documents/budget.ts";
import { hint, toldHint } from "../../contract/words/hint.ts";

const none = { limit: null, spent: 1_200, reserved: 0, left: null };
const raise = toldHint(hint("budget-raise", { limit: "--run-usd", amount: "10" }));
const report: BudgetReport = {
  limits: { runUsd: 5, dayUsd: 25, totalUsd: null, runTokens: null, dayTokens: null, totalTokens: null },
  projects: [],
  scopes: [
    {
      scope: "day",
      id: "2026-11-15",
      assumedUsd: 0,
      usd: { limit: 25, spent: 3, reserved: 0.5, left: 21.5 },
      tokens: none,
    },
    {
      scope: "run",
      id: "run-1",
      projectId: "shop",
      assumedUsd: 0,
      usd: { limit: 5, spent: 3, reserved: 0, left: 2 },
      tokens: none,
    },
  ],
  waiting: [
    { runId: "run-1", projectId: "shop", reason: "budget", text: "too much", ...raise, since: "2026-11-15T12:00:00Z" },
  ],
  unpriced: [{ model: "own/m", calls: 2, tokens: 1_200 }],
  paused: [],
};

describe("budget", () => {
  it("shows what is spent, held and left, who waits, and what has no price", async () => {
    const { out } = await runCli(["budget"], () => ok(report));
    expect(out.split("\n")).toEqual([
      "FOR         SPENT  HELD     LIMIT   LEFT    TOKENS  LIMIT",
      "all, today  $3.00  $0.5000  $25.00  $21.50  1,200   none",
      "run-1       $3.00  $0       $5.00   $2.00   1,200   none",
      "run-1 is waiting for budget: too much. Raise it with 'guildhall budget --run-usd 10'.",
      "No price for own/m: 2 calls, 1,200 tokens today. Set it with 'guildhall model price own/m INPUT OUTPUT'.",
      "",
    ]);
    const ofShop = await runCli(["budget", "-p", "shop"], () => ok(report));
    expect(ofShop.out).not.toContain("all, today");
  });

  it("changes the hall's limits, or a project's", async () => {
    const hall = await runCli(["budget", "--run-usd", "7.5", "--day-tokens", "none"], () =>
      ok({ ...report, waiting: [], success: true }),
    );
    expect(hall.out).toBe("Updated the limits in config.yml.\n");
    expect(hall.requests.at(-1)).toMatchObject({
      method: "PUT",
      path: "/api/budget",
      body: { runUsd: 7.5, dayTokens: null },
    });
    const project = await runCli(["budget", "-p", "shop", "--day-usd", "0"], () =>
      ok({ waiting: [], success: true, project: { id: "shop" } }),
    );
    expect(project.requests.at(-1)).toMatchObject({
      method: "PUT",
      path: "/api/projects/shop",
      body: { config: { budget: { dayUsd: 0 } } },
    });
    const none = await runCli(
      ["budget", "-p", "shop", "--day-usd", "none", "--run-usd", "none", "--run-tokens", "hall"],
      () => ok({ waiting: [], success: true, project: { id: "shop" } }),
    );
    expect(none.requests.at(-1)).toMatchObject({
      body: { config: { budget: { dayUsd: null, runUsd: "none", runTokens: null } } },
    });
    expect(project.out).toBe("Updated the limits of project shop.\n");
  });

  it("says who goes on, and only if somebody waited", async () => {
    let isChanged = false;
    const hall = await runCli(["budget", "--run-usd", "7"], ({ method }) => {
      if (method === "PUT") isChanged = true;
      return ok({ ...report, waiting: isChanged ? [] : report.waiting, success: true });
    });
    expect(hall.out).toBe("Updated the limits in config.yml. 1 waiting run resumes.\n");
    const still = await runCli(["budget", "--day-usd", "7"], () => ok({ ...report, success: true }));
    expect(still.out).toBe("Updated the limits in config.yml.\n");
    const project = await runCli(["budget", "-p", "shop", "--day-usd", "7"], () =>
      ok({ ...report, success: true, project: { id: "shop" } }),
    );
    expect(project.out).toContain("Runs waiting for budget resume as soon as it allows.");
  });

  it("marks what is estimated for models without a price", async () => {
    const [day] = report.scopes;
    if (day === undefined) throw new Error("There is no day.");
    const usd = { limit: 5, spent: 0.16, reserved: 0, left: 4.84 };
    const { out } = await runCli(["budget"], () => ok({ ...report, scopes: [{ ...day, assumedUsd: 0.16, usd }] }));
    expect(out).toMatch(/all, today +≈ \$0\.1600 +\$0 +\$5\.00 +\$4\.84/);
    expect(out).toContain("≈ estimated: models without a price");
  });

  it.each(["much", "-1"])("refuses a limit that is no number from 0 up: %s", async (text) => {
    const { code, err, requests } = await runCli(["budget", `--run-usd=${text}`]);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain(
      `A limit must be a number of at least 0, 'none' for no limit, or (with -p) 'hall' for the workspace limit. Got '${text}'.`,
    );
  });
});
