import type { RunResult } from "../../contract/runs/run.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { quoted } from "../../runs/plan/review-prompt.ts";
import { QUOTED_MEMBERS } from "../checks/loaded-context.ts";
import type { TaskState, TeamState } from "../machine/team-state.ts";
import { teamPaths } from "../team-files.ts";

const LONGEST_REPORT = 3_000;

/** A task with all that a member may need of it, and the reports of what it depends on. */
export function taskText(
  { document, spec, tasks }: Pick<TeamState, "document" | "spec" | "tasks">,
  { plan, taskId, prefix, state, member, roleSpec, runId }: TaskState,
  resultOf: (runId: string) => Pick<RunResult, "output"> | undefined,
): string {
  const criteria = (spec?.requirements ?? [])
    .flatMap(({ acceptance }) => acceptance)
    .filter(({ id }) => plan.criteria.includes(id))
    .map(({ id, text, kind }) => `- ${id} (${kind}): ${text}`);
  const before = plan.dependsOn.flatMap((key) => {
    const task = tasks.get(key);
    if (task === undefined) return [];
    const report = task.runId === undefined ? undefined : resultOf(task.runId)?.output;
    return [
      `### ${key}: ${task.plan.title} (${task.state})\n${report === undefined ? "No report yet." : said(report)}`,
    ];
  });
  const own = state === "merged" && runId !== undefined ? resultOf(runId)?.output : undefined;
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}\n${lines.join("\n")}`];
  const text = [
    `# ${plan.key}: ${plan.title}`,
    [
      `Prefix ${prefix}, state ${state}${taskId === undefined ? "" : `, ${taskId} on the board`}`,
      `Session: ${teamPaths(document).folder}`,
      ...(member === undefined ? [] : [`Member: ${member}`]),
      ...(roleSpec === undefined ? [] : [`Role-spec: ${roleSpec.name}`]),
    ].join("\n"),
    ...part("Description", [plan.description]),
    ...part("Acceptance criteria", criteria),
    ...part(
      "Files",
      plan.files.map((file) => `- ${file}`),
    ),
    ...part(
      "Headings of its document",
      [...(plan.sections ?? []), ...(plan.dimensions ?? [])].map((title) => `- ${title}`),
    ),
    ...part("Depends on", before),
    ...part("Report", own === undefined ? [] : [said(own)]),
  ].join("\n\n");
  return /^>/m.test(text) ? `${text}\n\n${QUOTED_MEMBERS}` : text;
}

/** What a member reported, which opens no section. */
function said(report: string): string {
  return quoted(cutText(report.trim(), LONGEST_REPORT));
}
