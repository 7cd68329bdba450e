import type { Project } from "../../contract/documents/project.ts";
import type { Rank } from "../../contract/documents/rank.ts";
import type { Role } from "../../contract/documents/role.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { WorktreeSettings } from "../../contract/documents/worktree.ts";
import { HallError } from "../../contract/errors.ts";
import type { ReviewComment } from "../../contract/runs/review-comment.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { charactersIn } from "../../contract/words/tokens.ts";
import { CHANGES_REQUESTED } from "../../models/offline/task-prompt.ts";
import type { KnowledgeBrief } from "../../workspace/knowledge/knowledge-brief.ts";
import { BRACES } from "../../workspace/roles/agent-file.ts";
import type { SubmittedResult } from "../results/submitted-result.ts";
import { bothSides } from "./both-sides.ts";
import { reviewFooter, submittedPart } from "./review-prompt.ts";
import type { TeamPart } from "./team-part.ts";
import { handInFooter, helperPart, teamPart } from "./team-prompt.ts";

/** Variables that have the task's description. */
const DESCRIBING = ["task", "taskDescription"];
const VARIABLE = /\{\{([A-Za-z][A-Za-z0-9_]{0,63})\}\}/g;
/** Tokens each part of the prompt may take; what is longer is cut, and the prompt says so. */
const BUDGET = { overview: 6_000, memory: 6_000, guide: 6_000, context: 10_000, files: 20_000, description: 30_000 };

export interface NamedText {
  path: string;
  text: string;
  /** Why it may not be quoted. */
  leftOut?: string | undefined;
}

export interface PromptInput {
  role: Role;
  project: Project;
  task: Task;
  workdir: string;
  /** What a checkout does not have, because the hall runs no filter of a repository. */
  leftOut?: readonly string[] | undefined;
  /** How its worktree was made ready, where commands can be run in it. */
  worktree?: WorktreeSettings | undefined;
  /** PROJECT.md without its frontmatter. */
  overview: string;
  memory: string;
  /** What there is to read in the memory of its agents; empty when there is nothing. */
  memoryIndex: string;
  /** What the code base tells its agents. */
  guide: NamedText | undefined;
  /** What there is to be said of skills; what had no room is named. */
  skills?: { text: string; leftOut: readonly string[] } | undefined;
  contextFiles: NamedText[];
  /** What is known that has to do with the task. */
  knowledge?: (KnowledgeBrief & { isSearchable: boolean }) | undefined;
  /** A file that is not there has an empty text. */
  taskFiles: NamedText[];
  variables: Record<string, string>;
  /** Why a person sent back what an earlier run did. */
  feedback?: string | undefined;
  /** What the person said about lines of it. */
  comments?: readonly ReviewComment[] | undefined;
  /** Why that cannot be merged as it is. */
  conflict?: string | undefined;
  /** The branch whose changes were merged into its own before it started. */
  onto?: string | undefined;
  /** The result that it reviews, in place of doing the task. */
  submitted?: SubmittedResult | undefined;
  /** Answers to what an earlier run of the task asked. */
  answers?: string | undefined;
  /** What its team adds. */
  team?: TeamPart | undefined;
  /** The rank of an agent that a member of a team started for itself. */
  helper?: Rank | undefined;
}

export interface BuiltPrompt {
  system: string;
  prompt: string;
  cut: string[];
}

/** Builds an agent's prompt. What stays the same from run to run comes first, for the providers' caches. */
export function buildPrompt(input: PromptInput): BuiltPrompt {
  const cut: string[] = [];
  const keep: Keep = (name, text, tokens) =>
    cutText(text, charactersIn(tokens), (rest) => {
      cut.push(name);
      return `\n(cut here: ${rest} more characters of ${name})`;
    });
  for (const { path, leftOut } of [...(input.guide ? [input.guide] : []), ...input.contextFiles, ...input.taskFiles])
    if (leftOut !== undefined) cut.push(path);
  if (input.skills !== undefined && input.skills.leftOut.length > 0) cut.push("Skills");
  const description = keep("Description", input.task.description, BUDGET.description);
  const shortened = { ...input, task: { ...input.task, description } };
  const { system, used, empty } = systemPrompt(shortened);
  assertComplete(input.role, empty);
  const isDescribed = DESCRIBING.some((name) => used.includes(name) && !(name in input.variables));
  const sections = [
    ...projectParts(input, keep),
    taskPart(isDescribed ? { ...input.task, description: "" } : shortened.task),
    ...(input.team?.handIn === undefined ? part("## Acceptance Criteria", criteria(input.task)) : []),
    ...(input.team === undefined ? [] : teamPart(input.team, keep)),
    ...(input.helper === undefined ? [] : [helperPart(input.helper)]),
    ...part("## Answers", answersText(input, keep)),
    ...(input.feedback === undefined || input.feedback === ""
      ? []
      : [reviewPart(keep("Review", input.feedback, BUDGET.description), input)]),
    ...(input.submitted === undefined ? [] : [submittedPart(input.submitted, keep)]),
    endOf(input),
  ];
  return { system, prompt: sections.join("\n\n"), cut };
}

/** A text as long as its budget allows; what was cut is said in it and noted under its name. */
type Keep = (name: string, text: string, tokens: number) => string;

function projectParts(input: PromptInput, keep: Keep): string[] {
  const { overview, memory, memoryIndex, guide, skills, contextFiles, taskFiles } = input;
  const share = (budget: number, files: NamedText[]) => budget / Math.max(1, files.length);
  const context = contextFiles.map(({ path, text, leftOut }) =>
    leftOut === undefined ? keep(path, text, share(BUDGET.context, contextFiles)) : `(${path} omitted: ${leftOut})`,
  );
  const files = taskFiles.map(({ path, text, leftOut }) => {
    const shown = keep(path, text, share(BUDGET.files, taskFiles));
    return `### ${path}\n${leftOut === undefined ? shown : `(omitted: ${leftOut})`}`;
  });
  const parts = [
    ...part("## Overview", keep("Overview", overview, BUDGET.overview)),
    ...part("## Memory", keep("Memory", memory, BUDGET.memory)),
    ...part("## Agent Memory", memoryIndex),
    ...(guide === undefined ? [] : part(`## Repository instructions (${guide.path})`, guideText(guide, keep))),
    ...part("## Skills", skills?.text ?? ""),
    ...part("## Relevant Context", context.join("\n\n---\n\n")),
    ...part("## Task Files", files.join("\n\n")),
    ...knowledgePart(input),
    ...part("## Worktree", worktreeText(input)),
  ];
  return parts.length === 0 ? [] : ["# Project Context", ...parts];
}

function worktreeText({ worktree }: PromptInput): string {
  if (worktree === undefined) return "";
  const done = worktree.setup === undefined ? "" : `It was set up with: ${worktree.setup.join("; ")}. `;
  return `${done}Commands find GUILDHALL_PORT, the first of ten ports that no other worktree uses, and GUILDHALL_DATA, a folder for data of this worktree alone.`;
}

function guideText({ path, text, leftOut }: NamedText, keep: Keep): string {
  return leftOut === undefined ? keep(path, text, BUDGET.guide) : `(omitted: ${leftOut})`;
}

/** Statements are one line each: none can open another section. */
function knowledgePart({ knowledge, project }: PromptInput): string[] {
  if (knowledge === undefined || knowledge.of === 0) return [];
  const { lines, of, unconfirmed, isSearchable } = knowledge;
  const found = isSearchable ? " (use knowledge_search)" : "";
  const rest = `; more in knowledge/ and projects/${project.id}/knowledge/ of the workspace${found}`;
  const count = `${lines.length} of ${of} statements, most relevant first${lines.length === of ? "" : rest}.`;
  const notes = unconfirmed === 0 ? [] : ["Not confirmed: an agent's conclusion; check it before you rely on it."];
  return part("## Knowledge", [count, ...notes, ...lines].join("\n"));
}

/** Without feedback, what an earlier run left is continued because of the answer. */
function answersText({ answers, feedback }: PromptInput, keep: Keep): string {
  if (answers === undefined) return "";
  const work = feedback === undefined ? "" : " Its work is in your working folder.";
  return `An earlier run of this task asked this and is over.${work} Continue with the answer:\n\n${keep("Answers", answers, BUDGET.description)}`;
}

/** A model pays for every word: a section without content is left out. */
function part(heading: string, content: string): string[] {
  return content.trim() === "" ? [] : [`${heading}\n${content}`];
}

function taskPart({ title, type, priority, description, context }: Task): string {
  return [
    "# Your Task",
    `**Title:** ${title}\n**Type:** ${type}\n**Priority:** ${priority}`,
    description,
    references("Code", context.codeRefs),
    references("Related", context.dependencies),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function references(label: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `**${label}:**\n${names.map((name) => `- ${name}`).join("\n")}`;
}

function criteria(task: Task): string {
  return (
    task.acceptanceCriteria.map((criterion) => `- [${criterion.done ? "x" : " "}] ${criterion.text}`).join("\n") ||
    "- Complete the task as described."
  );
}

/** Each with the id by which it is answered. */
function commentLines(comments: readonly ReviewComment[]): string {
  if (comments.length === 0) return "";
  const lines = comments.map(
    ({ id, file, line, text }) => `- ${id} \`${file}:${line}\`: ${text.replaceAll("\n", "\n  ")}`,
  );
  return `\n\nComments on lines. Answer each by its id in \`answers\` of your report:\n\n${lines.join("\n")}`;
}

function reviewPart(feedback: string, { comments = [], conflict, onto }: PromptInput): string {
  const merged = onto === undefined ? "" : `\n\nThe latest changes of '${onto}' were merged into your branch.`;
  const blocked = conflict === undefined ? "" : ` These files conflict: ${conflict}. ${bothSides("yours")}`;
  return `${CHANGES_REQUESTED}\n\n${feedback}${commentLines(comments)}${merged}${blocked}`;
}

function endOf(input: PromptInput): string {
  const { workdir, submitted, team } = input;
  if (team?.handIn !== undefined) return handInFooter(workdir, team.handIn);
  return submitted === undefined ? footer(input) : reviewFooter(workdir, submitted);
}

function footer({ workdir, task, leftOut = [] }: PromptInput): string {
  return `---
Work in: ${workdir}
${leftOut.map((text) => `${text}\n`).join("")}When done, call "report" once with a summary${task.acceptanceCriteria.length === 0 ? "" : ", each acceptance criterion by its number,"} and outcome, then end your turn. Guildhall then updates TASKS/in-progress/${task.id}.md; don't edit files under TASKS.`;
}

/** What the request says of a variable counts more than what is known by itself. */
function variablesOf(
  of: Pick<PromptInput, "role" | "project" | "task" | "workdir" | "variables">,
): Map<string, string> {
  const { role, project, task, workdir, variables } = of;
  return new Map(
    Object.entries({
      roleName: role.name,
      roleDescription: role.description,
      specialty: role.specialty.join(", "),
      projectName: project.name,
      projectDescription: project.description,
      projectPath: project.paths.root,
      workDir: workdir,
      task: task.description === "" ? task.title : `${task.title}\n\n${task.description}`,
      taskTitle: task.title,
      taskDescription: task.description,
      taskType: task.type,
      techStack: project.config.techStack.languages.join(", "),
      ...variables,
      [BRACES]: "{{",
    }),
  );
}

interface SystemPrompt {
  system: string;
  /** Variables that its template has. */
  used: string[];
  /** Those of them that have no value, and stay as they are. */
  unknown: string[];
  /** Variables of the role without a value, or with an empty one. */
  empty: string[];
}

/** The part of the prompt that the role alone decides. */
export function systemPrompt(
  input: Pick<PromptInput, "role" | "project" | "task" | "workdir" | "variables">,
): SystemPrompt {
  const values = variablesOf(input);
  const { systemPromptTemplate: template, variables } = input.role;
  const used = [...new Set(Array.from(template.matchAll(VARIABLE), ([, name = ""]) => name))];
  return {
    system: substitute(template, values),
    used,
    unknown: used.filter((name) => !values.has(name)),
    empty: variables.filter((name) => (values.get(name) ?? "") === ""),
  };
}

function assertComplete(role: Role, missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new HallError("invalid", `Role '${role.id}' needs a value for ${missing.join(", ")}.`, {
    hint: "Set them with --var NAME=VALUE ('variables' in the API), or fill in the project and task fields they come from.",
  });
}

/** One pass, literally: a value that looks like a placeholder or a replacement pattern stays what it is. */
export function substitute(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}
