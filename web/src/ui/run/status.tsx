import type { ProjectSummary } from "../../../../src/contract/documents/project.ts";
import type { TaskPriority, TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { RunLine } from "../../../../src/contract/now.ts";
import { type GateCode, isGateCode } from "../../../../src/contract/words/gate-words.ts";
import { RUN_STATUS_WORDS, runStateWord } from "../../../../src/contract/words/run-words.ts";
import { Badge, type Tone } from "../badge.tsx";
import { capital } from "../text/capital.ts";

const taskTones: Record<TaskStatus, Tone> = {
  pending: "neutral",
  assigned: "neutral",
  "in-progress": "info",
  review: "accent",
  blocked: "warn",
  done: "good",
  failed: "bad",
  cancelled: "neutral",
};

export const taskWords: Record<TaskStatus, string> = {
  pending: "Pending",
  assigned: "Assigned",
  "in-progress": "In progress",
  review: "In review",
  blocked: "Blocked",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

type Outcome = NonNullable<RunLine["outcome"]>;

/** How much of the work the agent reports as done. */
export const outcomeWords: Record<Outcome, string> = {
  full: "Completed",
  partial: "Partly done",
  escalated: "Escalated",
  skipped: "Skipped",
  rehearsed: "Rehearsed",
};

/** The outcome of work that ended without being completed; undefined for the rest. */
export function lackingWords(outcome: Outcome | undefined): string | undefined {
  return outcome === undefined || outcome === "full" ? undefined : outcomeWords[outcome];
}

/** Of a task that is still to do. */
export function RehearsedBadge() {
  return (
    <Badge tone="info" title="The offline model looked at this task and changed nothing. Add an API key to run it.">
      Rehearsed
    </Badge>
  );
}

/** Done is said only of what is all done. */
export function TaskBadge({ status, outcome }: { status: TaskStatus; outcome?: RunLine["outcome"] }) {
  const lacking = status === "done" ? lackingWords(outcome) : undefined;
  if (outcome === "rehearsed" && status === "pending")
    return (
      <>
        <Badge tone={taskTones[status]}>{taskWords[status]}</Badge> <RehearsedBadge />
      </>
    );
  if (lacking !== undefined) return <Badge tone="warn">{lacking}</Badge>;
  return <Badge tone={taskTones[status]}>{taskWords[status]}</Badge>;
}

/** Of a reviewer's verdict. */
export const verdictTones: Record<NonNullable<RunLine["verdict"]>, Tone> = {
  approve: "good",
  request_changes: "warn",
  unable: "neutral",
};

type Shown = Pick<RunLine, "status" | "waitingFor" | "delivery"> & Partial<Pick<RunLine, "purpose" | "verdict">>;

/** The state of a run in one word, and its color. */
export function runStanding(run: Shown): { word: string; tone: Tone } {
  return { word: runStateWord(run), tone: runTone(run) };
}

const resultTones: Record<NonNullable<Shown["delivery"]>["state"], Tone> = {
  working: "good",
  unchanged: "neutral",
  delivered: "good",
  review: "accent",
  kept: "neutral",
  rejected: "warn",
  reverted: "neutral",
  discarded: "neutral",
};

const gateTones: Record<GateCode, Tone> = { "gate-running": "info", "gate-failed": "bad", "gate-unable": "warn" };

function runTone({ status, waitingFor, delivery, purpose, verdict }: Shown): Tone {
  if (status === "running") return waitingFor === undefined ? "info" : "warn";
  if (status === "pending") return "neutral";
  if (delivery?.state === "review" && isGateCode(delivery.reasonCode)) return gateTones[delivery.reasonCode];
  if (delivery?.state === "review" || delivery?.state === "discarded") return resultTones[delivery.state];
  if (status === "failed") return "bad";
  if (status === "cancelled") return "neutral";
  if (purpose === "review") return verdict === undefined ? "good" : verdictTones[verdict];
  return delivery === undefined ? "good" : resultTones[delivery.state];
}

export function RunBadge({ run }: { run: Shown & Pick<RunLine, "outcome"> }) {
  const { word, tone } = runStanding(run);
  const lacking = run.status === "completed" && run.purpose !== "review" ? lackingWords(run.outcome) : undefined;
  return (
    <>
      {(lacking === undefined || word !== RUN_STATUS_WORDS.completed) && <Badge tone={tone}>{word}</Badge>}
      {lacking !== undefined && <Badge tone="warn">{lacking}</Badge>}
    </>
  );
}

type ProjectStanding = ProjectSummary["status"];

const projectTones: Record<ProjectStanding, Tone> = {
  active: "good",
  suspended: "warn",
  completed: "info",
  archived: "neutral",
  invalid: "bad",
};

export const projectWords: Record<ProjectStanding, string> = {
  active: "Active",
  suspended: "Suspended",
  completed: "Completed",
  archived: "Archived",
  invalid: "Unreadable",
};

export function ProjectBadge({ status }: { status: ProjectStanding }) {
  return <Badge tone={projectTones[status]}>{projectWords[status]}</Badge>;
}

const priorityTones: Record<TaskPriority, Tone> = { low: "neutral", medium: "neutral", high: "warn", urgent: "bad" };

export function PriorityBadge({ priority }: { priority: TaskPriority }) {
  return <Badge tone={priorityTones[priority]}>{capital(priority)}</Badge>;
}
