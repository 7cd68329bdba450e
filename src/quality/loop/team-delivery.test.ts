import { expect, it } from "vitest";
import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { JudgedResult } from "../../runs/results/gatekeeper.ts";
import { TeamDeliveries } from "./team-delivery.ts";

const run = { id: "run-1", projectId: "shop" } as Run;
const result: JudgedResult = { kind: "branch", repository: "/r", base: "b", head: "h", files: [] };

function judged(of: { check?: Partial<IntegrationCheck>; tree?: string; isAccepted?: boolean; isOther?: true }) {
  const { check, tree = "t1", isAccepted = false, isOther } = of;
  const deliveries = new TeamDeliveries({
    teams: {
      part: { specOf: () => undefined, deliveryOf: () => (isOther ? undefined : { checkId: "check-1", isAccepted }) },
    },
    checkOf: () => (check === undefined ? undefined : ({ id: "check-1", ...check } as IntegrationCheck)),
    treeOf: async () => tree,
  });
  return deliveries.judge(run, result);
}

it("passes what a team delivers only where the integration check judged exactly that tree", async () => {
  expect(await judged({ check: { verdict: "pass", tree: "t1" } })).toEqual({ is: "pass" });
  expect(await judged({ check: { verdict: "pass", tree: "t1" }, tree: "t2" })).toMatchObject({ is: "unable" });
  expect(await judged({ check: { verdict: "pass" } })).toMatchObject({ is: "unable" });
  for (const verdict of ["fail", "unable", "skipped"] as const)
    expect(await judged({ check: { verdict, tree: "t1" } })).toMatchObject({ is: "unable" });
  expect(await judged({})).toMatchObject({ is: "unable" });
});

it("passes what the person accepted, and has no say about other runs", async () => {
  expect(await judged({ check: { verdict: "fail", tree: "t1" }, isAccepted: true })).toEqual({ is: "pass" });
  expect(await judged({ isOther: true })).toBeUndefined();
});
