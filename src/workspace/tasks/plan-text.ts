import type { InitiativeUpdate, PlanParts } from "../../contract/routes/autonomy/initiative-routes.ts";
import { INITIATIVE_STATUSES, type InitiativeStatus } from "../../contract/words/autonomy/lead-words.ts";
import { editFrontmatter, parseFrontmatter, renderFrontmatter } from "../../store/markup/frontmatter.ts";
import { readBody, writeSection, writeTitle } from "../../store/markup/sections.ts";

const SECTIONS = ["Goals", "State", "Next"] as const;
const NO_GOALS = "- Describe the goal.";
const NOT_STARTED = "Not started.";
const FIRST_STEP = "- Break the goals into tasks.";
const BULLET = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;

export function newPlan(title: string, goals: readonly string[]): string {
  const listed = goals.map((goal) => `- ${goal}`).join("\n") || NO_GOALS;
  return `# ${title}\n\n## Goals\n\n${listed}\n\n## State\n\n${NOT_STARTED}\n\n## Next\n\n${FIRST_STEP}\n`;
}

/** What a plan says of itself. A person may write it as they like: what is missing is empty, and no status is `active`. */
export function readPlan(text: string): PlanParts {
  const outcome = parseFrontmatter(text);
  const { data, body } = outcome.ok ? outcome.parsed : { data: {}, body: text };
  const { title, preamble, sections } = readBody(body, SECTIONS);
  const written = sections.get("Goals") ?? preamble;
  const goals = written === NO_GOALS ? [] : goalsIn(written);
  return {
    title: title ?? "",
    status: statusIn(data),
    goals,
    state: sections.get("State") ?? "",
    next: next(sections),
  };
}

/** Every byte that the change is not about stays as it is. Throws `file_invalid` where the frontmatter can't be read. */
export function editPlan(text: string, { status, title, goals, state, next }: InitiativeUpdate): string {
  const { body, head } = parts(status === undefined ? text : withStatus(text, status));
  const edits = [
    ["Goals", goals?.map((goal) => `- ${goal}`).join("\n")],
    ["State", state],
    ["Next", next],
  ] as const;
  let edited = title === undefined ? body : writeTitle(body, title);
  for (const [name, content] of edits)
    if (content !== undefined) edited = writeSection(edited, { name, content, known: SECTIONS });
  return head + edited;
}

function withStatus(text: string, status: InitiativeStatus): string {
  if (hasFrontmatter(text)) return editFrontmatter(text, { status: status === "active" ? undefined : status });
  return status === "active" ? text : `${renderFrontmatter({ status })}\n${text}`;
}

/** A plan needs none. One that can't be read is left to the person. */
function hasFrontmatter(text: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n/.test(text);
}

function parts(text: string): { head: string; body: string } {
  const outcome = parseFrontmatter(text);
  const body = outcome.ok ? outcome.parsed.body : text;
  return { body, head: text.slice(0, text.length - body.length) };
}

function statusIn({ status }: Record<string, unknown>): InitiativeStatus {
  return INITIATIVE_STATUSES.find((one) => one === status) ?? "active";
}

function next(sections: ReadonlyMap<string, string>): string {
  const text = sections.get("Next") ?? "";
  return text === FIRST_STEP ? "" : text;
}

/** One for each bullet, with the lines that continue it; else one for each paragraph. */
function goalsIn(text: string): string[] {
  const lines = text.split("\n");
  if (!lines.some((line) => BULLET.test(line))) return paragraphs(text);
  const goals: string[] = [];
  for (const line of lines) {
    if (BULLET.test(line)) goals.push(line.replace(BULLET, "").trim());
    else if (line.trim() !== "" && goals.length > 0) goals.push(`${goals.pop()} ${line.trim()}`);
  }
  return goals.filter((goal) => goal !== "");
}

function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/\s+/g, " ").trim())
    .filter((part) => part !== "");
}
