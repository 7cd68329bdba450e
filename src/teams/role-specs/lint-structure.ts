import type { RoleSpecFault } from "../../contract/documents/teams/role-spec.ts";
import type { RoleSpecRule } from "../../contract/words/teams/role-spec-words.ts";
import { type Section, sectionsIn } from "../checks/sections.ts";

export type Add = (rule: RoleSpecRule, line: number, message: string, severity?: RoleSpecFault["severity"]) => void;

const TITLE = /^\S.* [—–-] Phases? 2\s*[-–]\s*4$/;
const PHASE = /^Phase\s+([234])\b(?![.\w])\s*:?\s*(.*)$/i;
const OTHER_PHASE = /^\W*(?:Phase\s+(?:\d|zero\b|one\b|five\b|six\b)|Task Discovery\b|Fast[- ]Advance\b)/i;
const KINDS = ["2", "3", "4", "errors"] as const;
/** `### Phase 3.1: …`, below a phase. */
const PART = /^Phase\s+[234](?:\.\d+|[a-z])\b/i;
const LOOP_PHASE = /^\W*Phase\s+5\s?[-‐‑–—]?\s?[LF]\b/i;
const ERRORS = /^Error Handling$/;
const COLUMNS = /^\s*\|\s*Scenario\s*\|\s*Resolution\s*\|\s*$/;
const ROW = /^\s*\|(?!\s*:?-)\s*[^|\s][^|]*\|/;

/** A heading, three phases in order and the table of errors, each once. `first`: the lines above the body. */
export function checkStructure(body: readonly string[], first: number, add: Add): void {
  const { sections, open } = sectionsIn(body.join("\n"));
  const at = ({ line }: Pick<Section, "line">) => first + line;
  const fault = (line: number, message: string) => add("structure", line, message);
  if (open !== undefined) fault(first + open, "the code block or comment is not closed, so that it hides what follows");
  const titles = sections.filter(({ level }) => level === 1);
  const title = titles[0];
  if (title === undefined) fault(first + 1, "has no heading '# <Role Name> — Phase 2-4'");
  else if (!TITLE.test(title.title)) fault(at(title), "the heading must be '# <Role Name> — Phase 2-4'");
  for (const other of titles.slice(1)) fault(at(other), "has more than one heading of level 1");
  const start = title === undefined ? first + 1 : at(title);
  const found = [...phasesIn(sections), ...sections.filter(({ title: name }) => ERRORS.test(name))];
  const kinds = found.map((section) => ({ section, kind: PHASE.exec(section.title)?.[1] ?? "errors" }));
  const inOrder: Section[] = [];
  for (const kind of KINDS) {
    const [one, ...more] = kinds.filter((each) => each.kind === kind).map(({ section }) => section);
    const heading = kind === "errors" ? "## Error Handling" : `## Phase ${kind}: <name>`;
    if (one === undefined) fault(start, `has no section '${heading}'`);
    else {
      inOrder.push(one);
      checkSection(one, heading, (message) => fault(at(one), message));
    }
    for (const section of more) fault(at(section), `has more than one section '${heading}'`);
  }
  const misplaced = inOrder.find(({ line }, place) => line < (inOrder[place - 1]?.line ?? 0));
  if (misplaced !== undefined) fault(at(misplaced), "the sections are not in order: phases 2, 3 and 4, Error Handling");
  checkOthers(sections, first, add);
}

function phasesIn(sections: readonly Section[]): Section[] {
  return sections.filter(({ title, level }) => PHASE.test(title) && level !== 1);
}

function checkSection(section: Section, heading: string, fault: (message: string) => void): void {
  const [, number, name] = PHASE.exec(section.title) ?? [];
  if (section.level !== 2 || (number !== undefined && name === "")) fault(`the heading must be '${heading}'`);
  if (number === undefined) checkTable(section, fault);
  else if (section.isEmpty) fault("the section is empty");
}

function checkTable({ text }: Section, fault: (message: string) => void): void {
  const header = text.findIndex((line) => COLUMNS.test(line));
  if (header === -1) fault("needs a table with the columns Scenario and Resolution");
  else if (!text.slice(header + 1).some((line) => ROW.test(line))) fault("the table has no rows");
}

function checkOthers(sections: readonly Section[], first: number, add: Add): void {
  for (const { line, level, title } of sections) {
    if (LOOP_PHASE.test(title) || PHASE.test(title) || (level > 2 && PART.test(title))) continue;
    if (OTHER_PHASE.test(title))
      add(
        "phases-2-to-4",
        first + line,
        "only phases 2, 3 and 4 belong here; Guildhall finds the task and takes the report",
      );
  }
}
