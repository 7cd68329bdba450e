import { createHash } from "node:crypto";

/** `daily/<day>.md` holds what the hall writes between markers. Everything else in it is the person's, and is kept byte for byte. */
type Section = "briefing" | "notes";

export type DailyEdit = { ok: true; text: string } | { ok: false; reason: string };

/** Larger ones are left alone. */
const MOST_CHARACTERS = 5_000_000;

/** Replaces the briefing. One that a person edited is theirs now. `text`: undefined where there is no file. */
export function withBriefing(text: string | undefined, day: string, content: string): DailyEdit {
  const found = placed(text ?? `# ${day}\n`, "briefing");
  if (!found.ok) return found;
  const { before, inside, mark, after } = found;
  if (inside !== undefined && mark !== hashOf(inside))
    return refused("the briefing in it was edited, so it isn't replaced");
  const body = `${content.trim()}\n`;
  return kept(`${before}<!-- guildhall:briefing ${hashOf(body)} -->\n${body}<!-- /guildhall:briefing -->${after}`);
}

/** Adds lines at the end of the notes. What is there stays. */
export function withNotes(text: string | undefined, day: string, lines: readonly string[]): DailyEdit {
  const found = placed(text ?? `# ${day}\n`, "notes");
  if (!found.ok) return found;
  const { before, inside = "## Notes\n\n", after } = found;
  const own = inside.endsWith("\n") || inside === "" ? inside : `${inside}\n`;
  return kept(`${before}<!-- guildhall:notes -->\n${own}${lines.join("\n")}\n<!-- /guildhall:notes -->${after}`);
}

/** Whether the file has a briefing, whoever wrote it. */
export function hasBriefing(text: string): boolean {
  return /^<!-- guildhall:briefing\b/m.test(text);
}

type Placed =
  | { ok: true; before: string; inside?: string; mark?: string | undefined; after: string }
  | { ok: false; reason: string };

/** Where a section is: between one start and one end, in this order; where there is neither, at the end of the file. */
function placed(text: string, section: Section): Placed {
  const marks = [...text.matchAll(new RegExp(`^<!-- (/?)guildhall:${section}(?: ([0-9a-f]{8}))? -->\\r?$`, "gm"))];
  if (marks.length === 0) return { ok: true, before: `${text.trimEnd()}\n\n`, after: "\n" };
  const [start, end] = marks;
  const isWhole = marks.length === 2 && start?.[1] === "" && end?.[1] === "/";
  if (!isWhole || start === undefined || end === undefined)
    return refused(`the lines that mark the ${section} are damaged`);
  const from = text.indexOf("\n", start.index) + 1;
  return {
    ok: true,
    before: text.slice(0, start.index),
    inside: text.slice(from, end.index),
    mark: start[2],
    after: text.slice(end.index + end[0].length),
  };
}

function kept(text: string): DailyEdit {
  return text.length > MOST_CHARACTERS ? refused("it is too large") : { ok: true, text };
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex").slice(0, 8);
}
