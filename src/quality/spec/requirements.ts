export interface Requirement {
  id: string;
  title: string;
  priority: "critical" | "high" | "medium" | "low";
  criteria: string[];
  /** Where the spec defines it. */
  line: number;
}

/** REQ-001, also with an area: REQ-CART-001. As POSIX extended and as JavaScript expression. */
export const REQUIREMENT_ID = "REQ-([A-Z][A-Z0-9]*-)*[0-9]+";

/** The ids that a text names, each once. */
export function requirementsIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(new RegExp(`\\b${REQUIREMENT_ID}\\b`, "g")), ([id]) => id))];
}

/** A heading, a list item or the first cell of a table that begins with an id defines it; elsewhere it is only mentioned. */
const DEFINITION = new RegExp(
  `^(\\s*)(#{1,6}\\s+|[-*+]\\s+(?:\\[[ xX]\\]\\s+)?|\\d+[.)]\\s+|\\|\\s*)?(?:[*_\`]{1,3}|\\[)?(${REQUIREMENT_ID})\\b(?:[*_\`]{1,3}|\\])?(.*)$`,
);
const PRIORITY = /\b(critical|urgent|high|medium|low|must|should|could)\b/i;
const PRIORITIES: Readonly<Record<string, Requirement["priority"]>> = {
  critical: "critical",
  urgent: "critical",
  must: "high",
  high: "high",
  should: "medium",
  medium: "medium",
  could: "low",
  low: "low",
};

/** The requirements of a spec in Markdown. The first definition of an id counts. */
export function parseRequirements(spec: string): Requirement[] {
  const found = new Map<string, Requirement>();
  let open: { requirement: Requirement; isHeading: boolean; indent: number } | undefined;
  let isFenced = false;
  for (const [at, line] of spec.split(/\r?\n/).entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced) continue;
    const defined = DEFINITION.exec(line);
    const [, space = "", mark = "", id = "", , rest = ""] = defined ?? [];
    if (defined !== null && mark !== "") {
      const requirement = { id, ...titleOf(rest, mark.startsWith("|")), criteria: [], line: at + 1 };
      open = { requirement, isHeading: mark.startsWith("#"), indent: space.length };
      if (!found.has(id)) found.set(id, requirement);
    } else if (open !== undefined && closes(line, open)) open = undefined;
    else if (open !== undefined) addTo(open.requirement, line);
  }
  return [...found.values()];
}

function titleOf(rest: string, isRow: boolean): Pick<Requirement, "title" | "priority"> {
  const cells = isRow ? rest.split("|").map((cell) => cell.trim()) : [];
  const marked = isRow ? cells.slice(1).find((cell) => isPriority(cell)) : /[([]([^)\]]*)[)\]]/.exec(rest)?.[1];
  const priority = marked !== undefined && isPriority(marked) ? priorityOf(marked) : "medium";
  const title = isRow ? (cells.find((cell) => cell !== "" && !isPriority(cell)) ?? "") : rest;
  const bare = priority === "medium" && !isPriority(marked ?? "") ? title : title.replace(/[([][^)\]]*[)\]]/, "");
  return {
    title: bare
      .replaceAll(/\*\*|__|`/g, "")
      .replace(/^[\s:—–.-]+/, "")
      .trim(),
    priority,
  };
}

const isPriority = (text: string) =>
  /^(?:priority:?\s*)?(?:critical|urgent|high|medium|low|must|should|could)$/i.test(text.trim());
const priorityOf = (text: string) => PRIORITIES[PRIORITY.exec(text)?.[1]?.toLowerCase() ?? ""] ?? "medium";

/** A heading ends a requirement, but for one below it such as "Acceptance criteria". */
function closes(line: string, { isHeading, indent }: { isHeading: boolean; indent: number }): boolean {
  if (/^#{1,6}\s/.test(line)) return !isHeading || !/acceptance|criteria/i.test(line);
  if (isHeading || line.trim() === "") return false;
  return line.length - line.trimStart().length <= indent;
}

function addTo(requirement: Requirement, line: string): void {
  const priority = /^\s*(?:[-*+]\s+)?\**priority\**\s*:\**\s*(\w+)/i.exec(line)?.[1];
  if (priority !== undefined) requirement.priority = priorityOf(priority);
  else {
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/.exec(line)?.[1]?.trim();
    if (item !== undefined && !/^\**acceptance criteria\**:?\**$/i.test(item)) requirement.criteria.push(item);
  }
}
