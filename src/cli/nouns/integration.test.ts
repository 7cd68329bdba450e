import { expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const AT = "2026-11-16T12:00:00.000Z";
const FINDING = {
  ...{ id: "unwired-1", code: "unwired", severity: "high", file: "dead.js", message: "Nothing imports it." },
  ...{ state: "open", blocks: true },
};
const CHECK = {
  ...{
    id: "check-1",
    projectId: "shop",
    runIds: ["run-1", "run-2"],
    state: "finished",
    verdict: "fail",
    target: "refs/heads/main",
  },
  ...{ base: "0".repeat(40), firstBroken: "run-2", startedAt: AT, endedAt: AT },
  steps: [
    { name: "merge", verdict: "pass", findings: [], evidence: [] },
    { name: "wiring", verdict: "fail", findings: [FINDING], evidence: [] },
  ],
  breakers: [{ runId: "run-2", commit: "1".repeat(40), findings: ["unwired-1"] }],
};
const RUNS = ["run-1", "run-2"].map((id) => ({ id }));

it("checks runs together, waits for the verdict and exits with it", async () => {
  let asked = 0;
  const { out, code, requests } = await runCli(
    ["integration", "check", "-p", "shop", "--run", "run-1,run-2"],
    ({ path, method }) => {
      if (path === "/api/runs") return ok({ runs: RUNS });
      if (method === "POST") return ok({ check: { ...CHECK, state: "running", verdict: undefined, steps: [] } });
      asked++;
      return ok({ check: asked === 1 ? { ...CHECK, state: "running", verdict: undefined } : CHECK });
    },
  );
  expect(requests.find(({ method }) => method === "POST")).toMatchObject({
    path: "/api/projects/shop/integration-checks",
    body: { runIds: ["run-1", "run-2"] },
  });
  expect(asked).toBe(2);
  expect(code).toBe(1);
  expect(out).toMatch(
    /Failed: 2 runs[\s\S]*target +main[\s\S]*first broken by +run-2[\s\S]*wiring +Failed[\s\S]*dead\.js Nothing imports it\./,
  );
});

it.each([
  ["pass", 0],
  ["fail", 1],
  ["unable", 2],
])("exits of a branch that came to %s with %i", async (verdict, expected) => {
  const answer = () => ok({ check: { ...CHECK, branch: "feature", runIds: [], verdict } });
  const { code, requests } = await runCli(["integration", "check", "feature", "-p", "shop"], answer);
  expect([code, requests[0]?.body]).toEqual([expected, { branch: "feature" }]);
});

it("returns at once without waiting, and wants a branch or runs, not both", async () => {
  const running = () => ok({ check: { ...CHECK, state: "running", verdict: undefined } });
  const begun = await runCli(["integration", "check", "feature", "-p", "shop", "--no-wait"], running);
  expect([begun.code, begun.requests.length]).toEqual([0, 1]);
  for (const words of [[], ["feature", "--run", "run-1"]])
    expect((await runCli(["integration", "check", "-p", "shop", ...words], running)).code).toBe(64);
});

it("shows and lists checks", async () => {
  expect((await runCli(["integration", "show", "check-1"], () => ok({ check: CHECK }))).out).toMatch(/^Failed: 2 runs/);
  expect((await runCli(["integration", "list", "-p", "shop"], () => ok({ checks: [] }))).out).toBe(
    "No integration checks yet.\n",
  );
  const { out } = await runCli(["integration", "list", "-p", "shop"], () => ok({ checks: [CHECK] }));
  expect(out).toMatch(/check-1 +Failed +2 runs +main/);
});
