import type { Run } from "../../contract/runs/run.ts";
import { resultPolicyOf } from "../../workspace/result-policy.ts";
import type { ResultPolicy } from "./lifecycle-events.ts";

/** Results come together on the team's branch without a person; what the team delivers is what a person reviews. */
const INTO_TEAM: ResultPolicy = { requiresReview: false, mergeMethod: "merge", target: "team" };

/** What counts for the result of a run: the one place that tells those of teams from others. */
export function policyFor(
  { team, purpose }: Pick<Run, "team" | "purpose">,
  project: Parameters<typeof resultPolicyOf>[0],
): ResultPolicy {
  if (team !== undefined && purpose === "work") return INTO_TEAM;
  const policy = resultPolicyOf(project);
  return purpose === "lead" ? { ...policy, author: "team" } : policy;
}
