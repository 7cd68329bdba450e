import { cutText } from "../contract/words/cut-text.ts";
import { GAP_SOURCE_WORDS } from "../contract/words/teams/autonomy-words.ts";
import { TEAM_MSG } from "../contract/words/tool-names.ts";
import { renderSpec } from "./machine/spec-text.ts";
import type { LeadStep, TaskState, TeamState } from "./machine/team-state.ts";
import { teamPaths } from "./team-files.ts";

const LONGEST_REPORT = 40_000;

function section(title: string, text: string | undefined): string[] {
  return text === undefined || text.trim() === "" ? [] : [`## ${title}\n\n${text.trim()}`];
}

function listed(items: readonly string[] = []): string {
  return items.map((item) => `- ${item}`).join("\n");
}

/** What the lead is told beside what it has to submit. `record`: what the hall knows of the work, for the report. */
export function leadPrompt(state: TeamState, step: LeadStep, record = ""): string {
  const { document, spec, remarks, leadFailure } = state;
  // The spec before is there to be improved.
  const isShown = step !== "spec" || remarks !== undefined;
  return [
    `You lead the team “${document.name}”. The goal:`,
    document.goal,
    ...section("What the person wants changed", remarks),
    ...section("Why the last attempt failed", leadFailure),
    ...section("Spec", isShown && spec !== undefined ? renderSpec(spec) : undefined),
    ...section("What the gates found", step === "evolution" ? gapsText(state) : undefined),
    ...section("What Guildhall recorded", step === "report" ? cutText(record, LONGEST_REPORT) : undefined),
  ].join("\n\n");
}

function gapsText({ autonomy }: TeamState): string {
  return (autonomy?.gaps ?? []).map(({ source, text }) => `- ${GAP_SOURCE_WORDS[source]}: ${text}`).join("\n");
}

/** The requirements of a task, as the spec of its gates; empty where it has none. */
export function specOfTask({ spec }: TeamState, { plan }: Pick<TaskState, "plan">): string | undefined {
  if (spec === undefined) return undefined;
  const own = new Set(plan.requirements);
  const requirements = spec.requirements.filter(({ id }) => own.has(id));
  return requirements.length === 0 ? "" : renderSpec({ ...spec, requirements });
}

/** What a member is told beside its task. */
export function workPrompt(
  state: TeamState,
  task: TaskState,
  { roleSpec = "", loop = "", loaded = "" }: { roleSpec?: string; loop?: string; loaded?: string } = {},
): string {
  const { document, spec } = state;
  const { plan, reason, remarks } = task;
  const criteria = (spec?.requirements ?? [])
    .flatMap(({ acceptance }) => acceptance)
    .filter(({ id }) => plan.criteria.includes(id))
    .map(({ id, text, kind, command }) => {
      const how = kind === "command" ? `command: ${command?.join(" ")}` : kind === "test" ? "test" : "a checker looks";
      return `- ${id} (${how}): ${text}`;
    });
  const before = plan.dependsOn
    .map((key) => state.tasks.get(key)?.plan.title)
    .filter((title) => title !== undefined)
    .map((title) => `- ${title}`);
  return [
    [`Team “${document.name}”.`, ...assigned(task)].join("\n"),
    ...section("Goal of the team", cutText(document.goal, 4_000)),
    ...section("Requirements of this task", specOfTask(state, task)),
    ...section("It is done when", criteria.join("\n")),
    ...(criteria.length > 0
      ? ["A criterion of the kind test is met when a passing test names the id of its requirement, such as REQ-001."]
      : []),
    ...section("Files that the task is expected to change", listed(plan.files)),
    ...section("Headings that your document must have", listed(plan.sections)),
    ...section("Dimensions of the analysis, a heading of your document each", listed(plan.dimensions)),
    ...section("Done before, and in your files", before.join("\n")),
    ...section("What the team has so far", loaded),
    ...section("What you did before in this team", loop),
    ...section("Why the last attempt failed", reason),
    ...section("What the person says", remarks),
    ...section("Team folder", folderText(state)),
    ...(roleSpec === "" ? [] : [PHASES_AROUND, roleSpec]),
  ].join("\n\n");
}

function assigned({ member, roleSpec }: Pick<TaskState, "member" | "roleSpec">): string[] {
  if (roleSpec === undefined) return [];
  const { name, prefix, innerLoop } = roleSpec;
  const after = innerLoop ? `You continue with the next ${prefix} task after this one.` : "This is your only task.";
  return [`You are ${member ?? "a worker"}. Role-spec: role-specs/${name}.md. Prefix: ${prefix}. ${after}`];
}

/** Where members find what others left, and how: their sandboxes don't see the workspace. */
function folderText({ document }: TeamState): string {
  return `${teamPaths(document).folder}, outside your working folder. Use ${TEAM_MSG} to read and write it:

- shared-memory.json: what members share, by key (get_memory, set_memory), and what each says of its work (get_state)
- wisdom/: notes for later members, with issues in wisdom/issues.md (list_files, read_file, add_wisdom)
- artifacts/: deliverables that are not part of the repository (save_artifact, read_file)

Messages to you arrive in your conversation. You report to the lead (log); your final report is what others continue from.`;
}

/** Phases 1 and 5 are the same for every member, so no role-spec has them. */
const PHASES_AROUND = `## Phases
Phase 1, finding your task, is done: it is the task of this run, and task_get reads it or another task of the team. Start with phase 2. Where a phase names a subagent, call it with delegate. After phase 4 comes phase 5: end with one report of what you did, how you verified it and what is left. Guildhall starts what comes next.`;

/** `lessons`: what is known of the project and of past work. */
export function withLessons(prompt: string, lessons: string): string {
  return lessons === "" ? prompt : `${prompt}\n\n${lessons}`;
}

export function checkPrompt({ document }: TeamState): string {
  return [`The team “${document.name}” has finished its work. The goal was:`, document.goal].join("\n\n");
}
