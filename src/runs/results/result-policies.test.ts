import { expect, it } from "vitest";
import type { ResultPolicy } from "./lifecycle-events.ts";
import { policyFor } from "./result-policies.ts";

const project = {
  status: "active",
  workdir: "/shop",
  config: { constraints: { requireReview: true }, mergeMethod: "squash" },
} as unknown as Parameters<typeof policyFor>[1];
const team = { id: "team-1", member: "head-lisbon" };

it.each<[string, Parameters<typeof policyFor>[0], ResultPolicy]>([
  ["of a person's run", { purpose: "work" }, { requiresReview: true, mergeMethod: "squash" }],
  ["of a member", { purpose: "work", team }, { requiresReview: false, mergeMethod: "merge", target: "team" }],
  ["of a whole team", { purpose: "lead", team }, { requiresReview: true, mergeMethod: "squash", author: "team" }],
])("the result %s counts by its own policy", (_, run, policy) => {
  expect(policyFor(run, project)).toEqual(policy);
});
