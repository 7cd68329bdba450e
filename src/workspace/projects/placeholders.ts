/** Lines that stand in a new project's files until a person fills them in, and those that older versions wrote. */
const PLACEHOLDERS = new Set([
  "Describe the project.",
  "Why the project exists.",
  "None yet.",
  "None.",
  "- Not set.",
  "- **Languages:** not set",
  "- **Frameworks:** not set",
  "- **Tools:** not set",
  "One line per decision: decision - date - rationale.",
  "What everyone working here should know.",
  "What worked, and what to avoid.",
  "Open work and open questions.",
  "What this project is about.",
  "What led to this project.",
  "- Not said.",
  "- **Languages:** not said",
  "- **Frameworks:** not said",
  "- **Tools:** not said",
  "Decision - date - rationale, one line each.",
  "What everyone who works here should know.",
  "What worked well, and what to avoid.",
  "Work and worries that are still open.",
]);
const FOOTER = /^\*(?:Created|Updated|Last updated): .*\*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const TABLE_HEAD = "| Role | Status | Assigned |";

/**
 * PROJECT.md or MEMORY.md as a model should read it: without placeholders, without the footer that says when it was changed,
 * and without headings that have nothing below them. A file with nothing but these is empty. Code blocks stay as they are.
 */
export function withoutPlaceholders(markdown: string): string {
  const lines = markdown.split("\n");
  const trimmed = lines.map((line) => line.trim());
  const isCode = codeLines(lines);
  const said = lines.map((line, at) => (isCode[at] || !isFiller(trimmed, at) ? line : undefined));
  let isFollowed = false;
  let below = 0;
  for (let at = said.length - 1; at >= 0; at--) {
    const line = said[at] === undefined ? "" : (trimmed[at] ?? "");
    const level = isCode[at] || !line.startsWith("#") ? 0 : (/^(#{1,6}) /.exec(line)?.[1]?.length ?? 0);
    if (level === 0) isFollowed ||= line !== "";
    else if (isFollowed || below > level) [isFollowed, below] = [false, level];
    else said[at] = undefined;
  }
  if (said.every((line) => line !== undefined)) return markdown;
  return said
    .filter((line) => line !== undefined)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Of lines without blanks at their ends. */
function isFiller(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (PLACEHOLDERS.has(line) || isFooter(line)) return true;
  if (line === "---") return isFooter(lines[at + 1] ?? "");
  if (line === TABLE_HEAD) return !isRow(lines[at + 2]);
  return lines[at - 1] === TABLE_HEAD && !isRow(lines[at + 1]);
}

function isFooter(line: string): boolean {
  return line.startsWith("*") && FOOTER.test(line);
}

function isRow(line: string | undefined): boolean {
  return line?.startsWith("|") ?? false;
}

/** Which lines are in a fenced block of code, its fences included. */
function codeLines(lines: readonly string[]): boolean[] {
  let fence: string | undefined;
  return lines.map((line) => {
    const mark = line.includes("```") || line.includes("~~~") ? FENCE.exec(line)?.[1] : undefined;
    if (fence === undefined) {
      fence = mark;
      return mark !== undefined;
    }
    if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    return true;
  });
}
