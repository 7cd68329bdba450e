import type { Assignment, Project } from "../../contract/documents/project.ts";
import { parseFrontmatter, renderFrontmatter } from "../../store/markup/frontmatter.ts";
import { readBody, writeSection, writeTitle } from "../../store/markup/sections.ts";
import { plainMarkdown } from "../knowledge/plain-markdown.ts";

const SECTIONS = ["Overview", "Goals", "Background", "Constraints", "Tech Stack", "Scope", "Team Assignments"] as const;
export type Section = (typeof SECTIONS)[number];

export type RoleName = (roleId: string) => string;

/** What a new project is told in words, beside its settings. */
export interface ProjectWords {
  background?: string | undefined;
  constraints?: string | undefined;
}

/** PROJECT.md as it is made for a new project. */
export function renderProjectMarkdown(project: Project, words: ProjectWords, roleName: RoleName): string {
  const front = renderFrontmatter({
    name: project.id,
    status: project.status,
    model: project.model ?? null,
    workdir: project.workdir ?? null,
    created: project.createdAt,
    suspended: null,
    completed: null,
  });
  const headings = SECTIONS.map((name) => `## ${name}\n`).join("\n");
  let body = `# ${project.name}\n\n${headings}`;
  const own: Partial<Record<Section, string>> = {
    Background: words.background || "Why the project exists.",
    Constraints: constraintsWith(words.constraints ?? "", project),
  };
  for (const name of SECTIONS) body = putSection(body, name, own[name] ?? contentOf(name, project, roleName));
  return `${front}\n${body.trimEnd()}\n`;
}

/** Rewrites the sections whose facts changed. What a person wrote elsewhere in the file stays. */
export function editProjectMarkdown(text: string, before: Project, after: Project, roleName: RoleName): string {
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) return text;
  const head = text.slice(0, text.length - outcome.parsed.body.length);
  let { body } = outcome.parsed;
  if (before.name !== after.name) body = writeTitle(body, after.name);
  for (const name of SECTIONS) {
    if (name === "Background" || factsOf(name, before) === factsOf(name, after)) continue;
    body = putSection(body, name, changedContent(name, { section: sectionOf(body, name), before, after, roleName }));
  }
  return head + body;
}

/** What stands in a section besides the lines that follow from settings is kept. */
function changedContent(
  name: Section,
  { section, before, after, roleName }: { section: string; before: Project; after: Project; roleName: RoleName },
): string {
  if (name === "Constraints") return constraintsWith(ownConstraints(section, before), after);
  const content = contentOf(name, after, roleName);
  return name === "Team Assignments" ? mergeTable(section, content) : content;
}

/**
 * Every heading of the file bounds a section here, so that a person's own sections are never taken for part of ours.
 * Headings inside a text that we put in are written so that they bound nothing: it can be taken out again whole.
 */
function headingsOf(body: string): string[] {
  const found = body.split("\n").flatMap((line) => /^## +(\S.*?)\s*$/.exec(line)?.[1] ?? []);
  return [...new Set([...SECTIONS, ...found])];
}

export function sectionOf(body: string, name: Section): string {
  return readBody(body, headingsOf(body)).sections.get(name) ?? "";
}

export function putSection(body: string, name: Section, content: string): string {
  return writeSection(body, { name, content, known: headingsOf(`${body}\n${content}`) });
}

/** What a section tells of; unchanged facts leave the section to the person. */
function factsOf(name: Section, project: Project): string {
  const { techStack, goals, scope, constraints } = project.config;
  const { description, team, updatedAt, model } = project;
  const facts: Record<Section, unknown> = {
    Overview: description,
    Goals: goals,
    Background: "",
    Constraints: constraints,
    "Tech Stack": techStack,
    Scope: scope,
    "Team Assignments": [team, updatedAt, model],
  };
  return JSON.stringify(facts[name]);
}

function contentOf(name: Section, project: Project, roleName: RoleName): string {
  const { techStack, goals, scope } = project.config;
  switch (name) {
    case "Overview":
      return project.description || "Describe the project.";
    case "Goals":
      return goals.map((goal, position) => `${position + 1}. ${goal}`).join("\n") || "None yet.";
    case "Background":
      return "";
    case "Constraints":
      return constraintsWith("", project);
    case "Tech Stack":
      return [
        `- **Languages:** ${words(techStack.languages)}`,
        `- **Frameworks:** ${words(techStack.frameworks)}`,
        `- **Tools:** ${words(techStack.tools)}`,
      ].join("\n");
    case "Scope":
      return `### In Scope\n\n${bullets(scope.in)}\n\n### Out of Scope\n\n${bullets(scope.out)}`;
    case "Team Assignments":
      return `${teamTable(project.team, roleName)}\n\n---\n*Created: ${project.createdAt}*\n*Updated: ${project.updatedAt}*`;
  }
}

function constraintLines(project: Project): string[] {
  const { maxTokensPerTask, maxToolCallsPerRun, defaultTimeout, requireReview, allowedEnvironments } =
    project.config.constraints;
  return [
    maxTokensPerTask === undefined ? "" : `- At most ${maxTokensPerTask} tokens per task`,
    maxToolCallsPerRun === undefined ? "" : `- At most ${maxToolCallsPerRun} tool calls per run`,
    defaultTimeout === undefined ? "" : `- ${defaultTimeout} seconds per run by default`,
    requireReview === undefined
      ? ""
      : `- Results ${requireReview ? "need approval by a person" : "are merged without approval"}`,
    allowedEnvironments === undefined ? "" : `- Environments: ${words(allowedEnvironments)}`,
  ].filter((line) => line !== "");
}

const NO_CONSTRAINTS = "None.";

export function constraintsWith(text: string, project: Project): string {
  const lines = constraintLines(project).join("\n");
  return [lines, text].filter((part) => part.trim() !== "").join("\n\n") || NO_CONSTRAINTS;
}

/** The section without the lines that follow from settings. */
export function ownConstraints(section: string, project: Project): string {
  const ours = new Set([...constraintLines(project), NO_CONSTRAINTS]);
  const own = section.split("\n").filter((line) => !ours.has(line.trimEnd()));
  return own.join("\n").trim();
}

export function teamTable(team: readonly Assignment[], roleName: RoleName): string {
  const rows = team.map(
    (assignment) =>
      `| ${plainMarkdown(roleName(assignment.roleId))} | ${title(assignment.status)} | ${assignment.mode === "auto" ? "Auto" : "On-Demand"} |`,
  );
  return ["| Role | Status | Assigned |", "|------|--------|----------|", ...rows].join("\n");
}

/** Puts a new table and footer where the old ones stand and keeps every other line of the section. */
function mergeTable(section: string, content: string): string {
  const lines = section.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|"));
  if (start === -1) return section === "" ? content : `${content}\n\n${section}`;
  let end = start;
  while (lines[end]?.startsWith("|")) end++;
  const table = content.split("\n").filter((line) => line.startsWith("|"));
  const updated = content.split("\n").at(-1) ?? "";
  const merged = [...lines.slice(0, start), ...table, ...lines.slice(end)];
  return merged.map((line) => (/^\*Updated: .*\*$/.test(line) ? updated : line)).join("\n");
}

function words(values: readonly string[]): string {
  return values.join(", ") || "not set";
}

function bullets(values: readonly string[]): string {
  return values.map((value) => `- ${value}`).join("\n") || "- Not set.";
}

function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** MEMORY.md as it is made for a new project; from then on people and agents write it. */
export function renderProjectMemory(at: string): string {
  return `# Project Memory

## Key Decisions

One line per decision: decision - date - rationale.

## Important Context

What everyone working here should know.

## Lessons Learned

What worked, and what to avoid.

## Active Threads

Open work and open questions.

---
*Last updated: ${at}*
`;
}
