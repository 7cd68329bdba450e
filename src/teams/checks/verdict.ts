import type { TaskCheck, TaskChecks } from "../../contract/documents/teams/task-checks.ts";
import type { Remark } from "../../contract/runs/guarding.ts";
import { TASK_CHECK_WORDS } from "../../contract/words/teams/check-words.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";

/** How often what a run returns is checked: the first time and 2 fixes; tests have 5 rounds. */
export function attemptsFor(type: ResponsibilityType): number {
  return type === "validation" ? 5 : 3;
}

/** What could not be checked is neither passed nor the member's fault. */
export function verdictOf(checks: readonly TaskCheck[]): TaskChecks["verdict"] {
  if (checks.some(({ verdict }) => verdict === "fail")) return "fail";
  return checks.some(({ verdict }) => verdict === "unable") ? "unable" : "pass";
}

/** What the member is told. The same checks are told in the same words. */
export function remarkOf({ verdict, checks, attempt, attempts }: TaskChecks): Remark {
  if (verdict !== "fail") return {};
  const failed = checks.filter((one) => one.verdict === "fail");
  const lines = failed.map(({ name, detail = "failed" }) => `- ${TASK_CHECK_WORDS[name]}: ${detail}`);
  const retriesLeft = Math.max(0, attempts - attempt);
  if (retriesLeft === 0) return { feedback: lines.join("\n"), refused: true, retriesLeft };
  const left = retriesLeft === 1 ? "This is the last attempt." : `${retriesLeft} attempts are left.`;
  const feedback = `Your result did not pass these checks:\n${lines.join("\n")}\nFix all of them and call "report" again. ${left}`;
  return { feedback, refused: true, retriesLeft };
}
