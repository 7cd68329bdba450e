import type { HealthAction, HealthIssueType } from "../../contract/words/teams/health-words.ts";

type Step = Exclude<HealthAction, "escalate" | "none">;

/** What is tried before a stronger model. Who loops isn't restarted: its journal would lead it to the same place. */
const FIRST: Readonly<Record<HealthIssueType, readonly Step[]>> = {
  stall: ["nudge", "restart"],
  "error-loop": ["nudge", "nudge"],
  "retry-storm": ["nudge", "nudge"],
  "context-exhaustion": ["compact", "restart"],
};

export interface Earlier {
  issue: HealthIssueType;
  /** What was done about the same kind of issue on the same task, the oldest first. */
  taken: readonly HealthAction[];
  /** Attempts before a stronger model. */
  threshold: number;
  /** Undefined where there is none, or the member has it. */
  strongerModel?: string | undefined;
  wasRestarted: boolean;
}

/** What is done now, and why; undefined where the person was asked already. */
export function nextAction(earlier: Earlier): { action: HealthAction; why: string } | undefined {
  const { issue, taken, strongerModel, wasRestarted } = earlier;
  if (taken.includes("escalate")) return undefined;
  const left = [...taken];
  const skipped: string[] = [];
  for (const step of stepsFor(earlier)) {
    const at = left.indexOf(step);
    if (at !== -1) left.splice(at, 1);
    else if (step === "restart" && wasRestarted) skipped.push("It was restarted before.");
    else if (step === "stronger-model" && strongerModel === undefined) skipped.push("There is no stronger model.");
    else return { action: step, why: whyOf(taken, skipped) };
  }
  const last = issue === "context-exhaustion" ? ["A stronger model would not help."] : [];
  return { action: "escalate", why: whyOf(taken, [...skipped, ...last]) };
}

function stepsFor({ issue, threshold }: Earlier): readonly Step[] {
  const first = FIRST[issue];
  if (issue === "context-exhaustion") return first;
  return first.toSpliced(Math.min(threshold, first.length), 0, "stronger-model");
}

function whyOf(taken: readonly HealthAction[], skipped: readonly string[]): string {
  const before = taken.length === 0 ? "First attempt." : `Without effect so far: ${taken.join(", ")}.`;
  return [before, ...skipped].join(" ");
}
