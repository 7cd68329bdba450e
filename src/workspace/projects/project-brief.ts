import { formatPatch, structuredPatch } from "diff";
import { type BriefEdit, type Project, ProjectUpdate } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { parseFrontmatter } from "../../store/markup/frontmatter.ts";
import { applyProjectUpdate } from "./project-rules.ts";
import { constraintsWith, ownConstraints, putSection, sectionOf } from "./project-text.ts";

/** How a section changes: the project, where its settings tell of it, and the text of PROJECT.md. */
export interface BriefChange {
  after: Project;
  markdown: (text: string) => string;
  /** Line by line, for the event; undefined: nothing changes. */
  diff: string | undefined;
}

/** What a text in a section of PROJECT.md changes. Overview and Goals are settings, too; the other sections are text alone. */
export function briefChange(markdown: string, project: Project, { section, text }: BriefEdit): BriefChange {
  const old = sectionIn(markdown, section);
  const told = section === "Constraints" ? ownConstraints(old, project) : old;
  const diff = told === text.trim() ? undefined : linesChanged(section, told, text.trim());
  switch (section) {
    case "Overview":
      return { after: updated(project, { description: text }), markdown: (page) => page, diff };
    case "Goals":
      return { after: updated(project, { goals: goalsIn(text) }), markdown: (page) => page, diff };
    case "Background":
      return { after: project, markdown: (page) => withSection(page, section, text), diff };
    case "Constraints":
      return { after: project, markdown: (page) => withSection(page, section, constraintsWith(text, project)), diff };
  }
}

function updated(project: Project, change: object): Project {
  const body = ProjectUpdate.safeParse(change);
  if (body.success) return applyProjectUpdate(project, body.data);
  throw new HallError(
    "invalid",
    body.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
  );
}

function sectionIn(markdown: string, section: BriefEdit["section"]): string {
  const outcome = parseFrontmatter(markdown);
  return outcome.ok ? sectionOf(outcome.parsed.body, section) : "";
}

function withSection(markdown: string, section: BriefEdit["section"], content: string): string {
  const outcome = parseFrontmatter(markdown);
  if (!outcome.ok) return markdown;
  const { body } = outcome.parsed;
  return markdown.slice(0, markdown.length - body.length) + putSection(body, section, content);
}

/** One goal per line, numbered or not. */
function goalsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const goal = line.replace(/^\s*(?:\d+[.)]|[-*+])\s+/, "").trim();
    return goal === "" ? [] : [goal];
  });
}

function linesChanged(section: string, before: string, after: string): string {
  const of = (text: string) => (text === "" ? "" : `${text}\n`);
  return formatPatch(structuredPatch(section, section, of(before), of(after), "", "", { context: 2 }));
}
