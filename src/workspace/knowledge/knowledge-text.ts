import {
  isStatementMark,
  LONGEST_STATEMENT,
  type StatementStatus,
  withoutUnseen,
} from "../../contract/documents/knowledge.ts";
import { cutText } from "../../contract/words/cut-text.ts";

/** A statement as it stands on a page: `- Use pnpm, not npm. (2026-11-15, TASK-012)`. */
export interface Written {
  text: string;
  date?: string | undefined;
  origins: readonly string[];
  promoted: boolean;
  /** Shown on its line unless it is accepted, as most are. */
  status: StatementStatus;
  /** Of a superseded one: the statement or escalation that replaced it. */
  replacedBy?: string | undefined;
}

/** The same words on several lines are one statement. */
export interface Found extends Written {
  key: string;
  /** Numbers of its lines, from 0. */
  lines: number[];
  /** As the lines are, to tell whether they changed. */
  raw: string;
}

const ITEM = /^( {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+)(\S.*)$/s;
const ABOUT = /^(.*\S) \((\d{4}-\d{2}-\d{2})((?:, [^,()]+)*)\)$/s;
const FENCE = /^ {0,3}(```|~~~)/;
const PROMOTED = "promoted";
const PENDING = "pending";
const SUPERSEDED = /^superseded(?: by (\S+))?$/;
/** Where the same words are on two lines: what a person confirmed wins, and what was replaced is not revived by an agent. */
const STRONGEST: readonly StatementStatus[] = ["accepted", "superseded", "pending"];
/** A statement that many tasks came to is told with the last of them. */
const MOST_ORIGINS = 10;
// As a person may have pasted it; on a screen it is nothing, in a prompt it could be a new line.
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/** Words as they are compared: without case, marks and punctuation, but C, C# and C++ are three. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/[\p{M}\p{Cf}'’]/gu, "");
  return plain.toLowerCase().match(/[\p{L}\p{N}]+[+#]*/gu) ?? [];
}

/** What makes two statements the same. */
export function keyOf(text: string): string {
  return wordsOf(text).join(" ") || text;
}

/** Every item of a list is a statement. Headings, prose, code blocks and comments are the person's own. */
export function statementsIn(page: string): Found[] {
  const found = new Map<string, Found>();
  const isOutside = outsideBlocks();
  for (const [at, raw] of page.split("\n").entries()) {
    const item = isOutside(raw) ? ITEM.exec(raw.trimEnd()) : null;
    const written = item === null ? undefined : read(item[2] as string);
    if (written === undefined) continue;
    const key = keyOf(written.text);
    const known = found.get(key);
    if (known === undefined) found.set(key, { ...written, key, lines: [at], raw });
    else found.set(key, { ...merged(known, written), key, lines: [...known.lines, at], raw: `${known.raw}\n${raw}` });
  }
  return [...found.values()];
}

/** The newest date and all origins; the words stay those that were there. */
export function merged(known: Written, more: Written): Written {
  const date = [known.date, more.date]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
  const origins = [...new Set([...known.origins, ...more.origins])].slice(-MOST_ORIGINS);
  const { status, replacedBy } = STRONGEST.indexOf(more.status) < STRONGEST.indexOf(known.status) ? more : known;
  return { text: known.text, date, origins, promoted: known.promoted || more.promoted, status, replacedBy };
}

/** The page with a statement on it: where its words stood, else after the last one. */
export function withStatement(page: string, statement: Written, { key }: { key: string }): string {
  const statements = statementsIn(page);
  const standing = statements.find((found) => found.key === key);
  const lines = page.split("\n");
  const end = page.includes("\r\n") ? "\r" : "";
  if (standing !== undefined) {
    const [first = 0, ...others] = standing.lines;
    const bullet = ITEM.exec(lines[first] as string)?.[1] ?? "- ";
    lines[first] = `${bullet}${render(statement)}${(lines[first] as string).endsWith("\r") ? "\r" : ""}`;
    return without(lines, others).join("\n");
  }
  const last = Math.max(-1, ...statements.flatMap((found) => found.lines));
  if (last !== -1) {
    const isLastLine = last === lines.length - 1;
    lines.splice(last + 1, 0, `- ${render(statement)}${end}`, ...(isLastLine ? [""] : []));
    if (isLastLine && end !== "") lines[last] += end;
    return lines.join("\n");
  }
  const body = page.trimEnd();
  return `${body}${body === "" ? "" : `${end}\n${end}\n`}- ${render(statement)}${end}\n`;
}

export function withoutStatement(page: string, key: string): string {
  const standing = statementsIn(page).find((found) => found.key === key);
  return without(page.split("\n"), standing?.lines ?? []).join("\n");
}

/** As it is written on its line, without the bullet. */
export function render({ text, date, origins, promoted, ...life }: Written): string {
  if (date === undefined) return text;
  return `${text} (${[date, ...origins, ...(promoted ? [PROMOTED] : []), ...statusMark(life)].join(", ")})`;
}

function statusMark({ status, replacedBy }: Pick<Written, "status" | "replacedBy">): string[] {
  if (status === "accepted") return [];
  if (status === "pending") return [PENDING];
  return [replacedBy === undefined ? status : `${status} by ${replacedBy}`];
}

function without(lines: string[], gone: readonly number[]): string[] {
  return lines.filter((_, at) => !gone.includes(at));
}

function read(line: string): Written | undefined {
  const clean = withoutUnseen(line.replace(BREAKS, " ")).trim();
  const about = ABOUT.exec(clean);
  const isDated = about !== null && !Number.isNaN(Date.parse(about[2] as string));
  const text = shortened(isDated ? (about[1] as string) : clean);
  if (text === "") return undefined;
  const notes = isDated ? (about[3] as string).split(", ").slice(1) : [];
  return {
    text,
    date: isDated ? about[2] : undefined,
    origins: notes.filter((note) => !isStatementMark(note)).slice(-MOST_ORIGINS),
    promoted: notes.includes(PROMOTED),
    ...statusIn(notes),
  };
}

function statusIn(notes: readonly string[]): Pick<Written, "status" | "replacedBy"> {
  const superseded = notes.map((note) => SUPERSEDED.exec(note)).find((match) => match !== null);
  if (superseded !== undefined) return { status: "superseded", replacedBy: superseded[1] };
  return { status: notes.includes(PENDING) ? "pending" : "accepted" };
}

function shortened(text: string): string {
  return cutText(text, LONGEST_STATEMENT - 1);
}

function outsideBlocks(): (line: string) => boolean {
  let fence: string | undefined;
  let isComment = false;
  return (line) => {
    const mark = FENCE.exec(line)?.[1];
    if (isComment) {
      isComment = !line.includes("-->");
      return false;
    }
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark === fence) fence = undefined;
      return false;
    }
    isComment = /^ {0,3}<!--/.test(line) && !line.includes("-->");
    return !isComment;
  };
}
