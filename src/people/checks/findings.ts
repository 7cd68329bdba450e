/** What a built-in check found missing. */
export type Finding =
  | { code: "criteria_unaddressed"; by: "agent" | "client"; criteria: { number: number; text: string }[] }
  | { code: "task_without_run"; taskId: string }
  | { code: "no_follow_up"; taskId: string; unmet: number }
  | { code: "plan_outdated"; slug: string; taskIds: string[]; isComplete: boolean }
  | { code: "no_learnings"; taskIds: string[] }
  | { code: "not_reported"; to: "main" | "sender" }
  | { code: "blocked_without_question"; taskId: string }
  | { code: "lead_has_ready_tasks"; slug: string; taskIds: string[] }
  | { code: "lead_not_reported"; slug: string }
  | { code: "draft_question"; escalationId: string }
  | { code: "unread_result"; runId: string }
  | { code: "result_in_review"; runId: string; taskId: string };

/** So many of one kind are named. */
const MOST_NAMED = 20;

/** One line for each finding, with what to do about it. */
export function findingsText(findings: readonly Finding[]): string {
  const shown = findings.slice(0, MOST_NAMED).map((finding) => `- ${findingText(finding)}`);
  const left = findings.length - shown.length;
  return [...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
}

export function findingText(finding: Finding): string {
  switch (finding.code) {
    case "criteria_unaddressed": {
      const list = finding.criteria.slice(0, MOST_NAMED).map(({ number, text }) => `\n  ${number}. ${text}`);
      if (finding.by === "client")
        return `These acceptance criteria are not checked:${list.join("")}\n  Check those that are met (acceptanceCriteria), and send the request again to complete the task anyway.`;
      return `These acceptance criteria are not in your report:${list.join("")}\n  Report again with \`criteria\`: the number of each and whether it is met. What you leave out stays marked as not met.`;
    }
    case "task_without_run":
      return `${finding.taskId} is in progress, but no run is working on it. Start one, or change its status.`;
    case "no_follow_up": {
      const what = finding.unmet > 0 ? `has ${criteriaCount(finding.unmet)} not met` : "was only partly done";
      return `${finding.taskId} ${what}, and no task covers the rest. Create one with task_create, or reopen it.`;
    }
    case "plan_outdated": {
      const moved = `${finding.taskIds.join(", ")} changed, but the plan of '${finding.slug}' did not`;
      const next = finding.isComplete ? "All of its tasks are done: write down what comes next." : "";
      return `${moved}. Update it with plan_edit. ${next}`.trim();
    }
    case "no_learnings":
      return `${finding.taskIds.join(", ")} finished, but nothing was saved to knowledge or memory. Save what is worth keeping.`;
    case "not_reported":
      return finding.to === "main"
        ? "Work finished, but the main agent was not told. Use notify."
        : "Your answer is empty. Report what you did.";
    case "blocked_without_question":
      return `${finding.taskId} is blocked, but no open question says why. Use escalate with blocksTask, or change its status.`;
    case "lead_has_ready_tasks":
      return `Tasks of '${finding.slug}' are ready: ${finding.taskIds.slice(0, MOST_NAMED).join(", ")}. Take the next one with start_task, or escalate with blocksTask what keeps you from it.`;
    case "lead_not_reported":
      return `Nothing of '${finding.slug}' is ready or running, and you have not reported. Call report_initiative.`;
    case "draft_question":
      return `${finding.escalationId} is a draft that no one has reviewed.`;
    case "unread_result":
      return `The result of ${finding.runId} has not been read.`;
    case "result_in_review":
      return `The result of ${finding.runId} (${finding.taskId}) is waiting for review.`;
  }
}

function criteriaCount(count: number): string {
  return count === 1 ? "1 acceptance criterion" : `${count} acceptance criteria`;
}
