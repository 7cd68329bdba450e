import { expect, it } from "vitest";
import { MemoryTrees } from "../../../test/fakes/memory-trees.ts";
import { PlayedChecks } from "../../../test/fakes/played-checks.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { checksOfGate } from "./checks-of-gate.ts";

it("tries tests once that could not be carried out, and others as often as they are asked for", async () => {
  const trees = new MemoryTrees();
  const tree = trees.add({ a: "" });
  const played = new PlayedChecks(trees, (_, { only }) => (only === undefined ? { verdict: "unable" } : []));
  const checks = checksOfGate(played);
  const order = {
    ...{ tree, base: tree, scope: "full" as const, purpose: "tests", timeoutMs: 1 },
    ...{ settings: QualityGates.parse({}), signal: new AbortController().signal },
  };
  for (const purpose of ["tests", "proof"])
    expect(await checks.tests({ ...order, purpose })).toMatchObject({ verdict: "unable" });
  expect(played.orders.length).toBe(1);
  await checks.tests({ ...order, attempt: 2 });
  for (const only of [["a"], ["a"]]) expect(await checks.tests({ ...order, only })).toMatchObject({ verdict: "pass" });
  expect(played.orders.length).toBe(4);
});
