import type { Task } from "../../contract/task.ts";
import { agentLines } from "../agent-words.ts";
import type { Action } from "../context.ts";
import type { Paint } from "../paint.ts";
import { oneLine } from "../plain-text.ts";
import { taskPlace } from "../task-reference.ts";
import { priorityStyle, statusStyle } from "../task-style.ts";
import { type Field, fieldLines, localTime, proseLines } from "../text-card.ts";
import type { TableSpace } from "../text-table.ts";
import { wrapProse } from "../text-wrap.ts";

export const taskShow: Action<"task show"> = async ({ task, project }, context) => {
  const answer = await context.call("getTask", { params: taskPlace(task, project, context) });
  context.output.answer(answer, () => taskCard(answer.task, context.output));
  return 0;
};

export function taskCard(task: Task, space: TableSpace & { calledAs: string }): string {
  const { paint } = space;
  const state = [
    paint(statusStyle(task.status), task.status),
    paint(priorityStyle(task.priority), task.priority),
    task.type,
    ...(task.ready ? [paint("green", "ready")] : []),
  ];
  return [
    `${paint("bold", `${task.projectId}/${task.id}`)}  ${paint("bold", oneLine(task.title))}`,
    state.join(" · "),
    "",
    ...fieldLines(taskFields(task, space.calledAs), paint),
    ...proseLines("Description", task.description, space),
    ...criteriaLines(task, space),
    ...proseLines("Notes", task.notes, space),
    ...proseLines("Completion notes", task.completionNotes, space),
    ...agentLines("Result", task.result?.summary, space),
    ...historyLines(task, paint),
  ].join("\n");
}

function taskFields(task: Task, calledAs: string): Field[] {
  return [
    ["role", task.assignedRoleId],
    ["agent", task.assignedSubAgentId],
    ["review", reviewHint(task, calledAs)],
    ["labels", task.labels.join(", ")],
    ["initiative", task.plan],
    ["domain", task.domain],
    ["blocked by", task.blockedBy.map((id) => (task.waitingOn.includes(id) ? `${id} (open)` : id)).join(", ")],
    ["blocks", task.blocks.join(", ")],
    ["files", task.context.files.join(", ")],
    ["code", task.context.codeRefs.join(", ")],
    ["related", task.context.dependencies.join(", ")],
    ["outcome", task.outcome],
    ["created", localTime(task.createdAt)],
    ["updated", localTime(task.updatedAt)],
    ["started", localTime(task.startedAt)],
    ["completed", localTime(task.completedAt)],
    ["file", task.path],
    ["etag", task.etag],
  ];
}

function reviewHint({ status, assignedSubAgentId: agent }: Task, calledAs: string): string | undefined {
  if (status !== "review" || agent?.startsWith("run-") !== true) return undefined;
  return `waits for you: ${calledAs} run diff ${agent}`;
}

function criteriaLines({ acceptanceCriteria: criteria }: Task, { paint, width }: TableSpace): string[] {
  if (criteria.length === 0) return [];
  const done = criteria.filter((criterion) => criterion.done).length;
  const lines = criteria.map((each, index) => `  [${each.done ? "x" : " "}] ${index + 1}. ${oneLine(each.text)}`);
  const title = `${paint("bold", "Acceptance criteria")} ${paint("dim", `(${done} of ${criteria.length})`)}`;
  return ["", title, wrapProse(lines.join("\n"), width)];
}

function historyLines({ history }: Task, paint: Paint): string[] {
  if (history.length === 0) return [];
  const lines = history.map(
    ({ at, from, to, by }) =>
      `  ${localTime(at)}  ${from === null ? to : `${from} → ${to}`}  ${paint("dim", oneLine(by))}`,
  );
  return ["", paint("bold", "History"), ...lines];
}
