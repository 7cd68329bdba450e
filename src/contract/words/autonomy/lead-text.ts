import type { LeadBriefing, LeadReport } from "../../documents/autonomy/lead.ts";
import { cutText } from "../cut-text.ts";

/** With the headings, no more than 40 lines. */
const MOST = { goals: 4, decisions: 5, unblocked: 4, focus: 6, open: 3, conventions: 3 };
const LONGEST_LINE = 240;
const LONGEST_SUMMARY = 2_000;

type Facts = Omit<LeadBriefing, "text">;

const MAY_DECIDE =
  "Decide yourself, and save it: details of the implementation, established conventions, clear fixes, tests within existing patterns. Escalate the rest.";

/** At most 40 lines, each of a length that a person reads. */
export function briefingText(briefing: Facts): string {
  const { projectId, initiative, title, tasks, goals, decisions, unblocked, focus, open, conventions } = briefing;
  const progress = tasks.total === 0 ? "No tasks yet." : `${tasks.done}/${tasks.total} tasks done.`;
  const named = title === initiative ? "" : ` (${title})`;
  return [
    `${projectId} / ${initiative}${named}. ${progress}`,
    ...part("Goals:", goals, MOST.goals),
    ...part(
      "Decided since the last lead:",
      decisions.map(({ id, question, resolution }) => `${question} → ${resolution} (${id})`),
      MOST.decisions,
    ),
    ...part("Newly unblocked:", unblocked.map(taskLine), MOST.unblocked),
    ...part(
      "Focus on, in this order:",
      focus.map((task) => `${taskLine(task)} (${task.priority})`),
      MOST.focus,
    ),
    ...(focus.length === 0 && tasks.total > 0 ? ["No task is ready."] : []),
    ...(tasks.total === 0 ? ["There is no plan to carry out yet: explore, write the plan, cut it into tasks."] : []),
    ...part(
      "Waiting for an answer:",
      open.map(({ id, question, blocksTask }) => `${question} (${id}${blocksTask ? `, blocks ${blocksTask}` : ""})`),
      MOST.open,
    ),
    ...part("Workspace conventions:", conventions.workspace, MOST.conventions),
    ...part("Project conventions:", conventions.project, MOST.conventions),
    MAY_DECIDE,
  ].join("\n");
}

export function reportText(
  { projectId, initiative }: Pick<LeadBriefing, "projectId" | "initiative">,
  report: LeadReport,
) {
  const { summary, nextSteps, tasks, tasksDone, tasksCreated, knowledge, escalations, isComplete } = report;
  return [
    `${projectId} / ${initiative}: ${isComplete ? "complete" : "report"}. ${tasks.done}/${tasks.total} tasks done.`,
    cutText(summary, LONGEST_SUMMARY),
    ...list("Completed", tasksDone.map(taskLine)),
    ...list("Created", tasksCreated.map(taskLine)),
    ...list("Learned", knowledge),
    ...list(
      "Waiting for an answer",
      escalations.map(({ id, question }) => `${id} ${question}`),
    ),
    ...(nextSteps === "" ? [] : [`Next: ${nextSteps}`]),
  ].join("\n");
}

function taskLine({ id, title }: { id: string; title: string }): string {
  return `${id} ${title}`;
}

function part(heading: string, lines: readonly string[], most: number): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - most;
  const shown = lines.slice(0, most).map((line) => `- ${cutText(line.replaceAll(/\s+/g, " "), LONGEST_LINE)}`);
  return [heading, ...shown.slice(0, left > 0 ? -1 : undefined), ...(left > 0 ? [`- and ${left + 1} more`] : [])];
}

function list(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${heading}: ${lines.join("; ")}`];
}
