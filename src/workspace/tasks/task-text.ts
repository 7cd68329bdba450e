import { isDeepStrictEqual } from "node:util";
import { Criterion, type TaskContext } from "../../contract/documents/task.ts";

const LABELS = { files: "Files", codeRefs: "Code", dependencies: "Related" } as const satisfies Record<
  keyof TaskContext,
  string
>;

const KEYS = Object.keys(LABELS) as (keyof TaskContext)[];

/** The Context section: `- Files: `a`, `b``. A value that does not fit between backticks is written as a JSON string. */
export function renderContext(context: TaskContext): string {
  return KEYS.flatMap((key) => renderLabel(key, context[key])).join("\n");
}

/** No line for an empty list. */
function renderLabel(key: keyof TaskContext, values: readonly string[]): string[] {
  const shown = values.map(key === "dependencies" ? renderRelated : renderReference);
  return values.length === 0 ? [] : [`- ${LABELS[key]}: ${shown.join(", ")}`];
}

function renderReference(value: string): string {
  return /[`\n\r\\"]|^\s|\s$/.test(value) ? JSON.stringify(value) : `\`${value}\``;
}

function renderRelated(value: string): string {
  return /^[\w-]+$/.test(value) ? value : renderReference(value);
}

/** Changes the lines of lists that differ, where they stand, and keeps whatever else a person wrote in the section. */
export function editContext(section: string, context: TaskContext): string {
  const old = parseContext(section);
  const changed = KEYS.filter((key) => !isDeepStrictEqual(old[key], context[key]));
  const due = new Map(changed.map((key) => [key, renderLabel(key, context[key])]));
  const next: string[] = [];
  let behindLast = 0;
  for (const line of section === "" ? [] : section.split("\n")) {
    const key = labelOf(line);
    if (key === undefined || !changed.includes(key)) next.push(line);
    else next.push(...(due.get(key) ?? []));
    if (key === undefined) continue;
    due.delete(key);
    behindLast = next.length;
  }
  const added = [...due.values()].flat();
  const blank = behindLast === 0 && added.length > 0 && next.length > 0 ? [""] : [];
  next.splice(behindLast, 0, ...added, ...blank);
  return next.join("\n");
}

/** Reads what renderContext writes and what people write by hand: backticks are optional, other lines are left alone. */
export function parseContext(section: string): TaskContext {
  const context: TaskContext = { files: [], codeRefs: [], dependencies: [] };
  for (const line of section.split("\n")) {
    const key = labelOf(line);
    if (key !== undefined) context[key].push(...parseReferences(line.slice(line.indexOf(":") + 1)));
  }
  return context;
}

function labelOf(line: string): keyof TaskContext | undefined {
  return KEYS.find((key) => line.startsWith(`- ${LABELS[key]}:`));
}

const REFERENCE = /"(?:[^"\\]|\\.)*"|`[^`]*`|[^,`"\s][^,]*/g;

function parseReferences(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([found]) => unquote(found)).filter((value) => value !== "");
}

function unquote(found: string): string {
  if (found.startsWith("`")) return found.slice(1, -1);
  if (!found.startsWith('"')) return found.trim();
  try {
    return String(JSON.parse(found));
  } catch {
    return found;
  }
}

export function renderCriteria(criteria: readonly Criterion[]): string {
  return criteria.map(newBox).join("\n");
}

/**
 * Ticks and renames boxes where they stand and drops those no longer wanted; new ones follow the last. Lines that are no
 * boxes stay, and so does every box that tells the same as before.
 */
export function editCriteria(section: string, criteria: readonly Criterion[]): string {
  const lines = section === "" ? [] : section.split("\n");
  const texts = lines.map((line) => criterionOf(line)?.text);
  const next: string[] = [];
  let [wanted, behindLast] = [0, -1];
  for (const [at, line] of lines.entries()) {
    const text = texts[at];
    if (text === undefined) next.push(line);
    const found = text === undefined ? -1 : placeOfBox(text, criteria, { from: wanted, later: texts.slice(at + 1) });
    const criterion = criteria[found];
    if (criterion === undefined) continue;
    next.push(...criteria.slice(wanted, found).map(newBox), changedBox(line, criterion));
    [wanted, behindLast] = [found + 1, next.length];
  }
  const added = criteria.slice(wanted).map(newBox);
  if (behindLast !== -1) next.splice(behindLast, 0, ...added);
  else if (added.length > 0) next.push(...(next.length === 0 ? [] : [""]), ...added);
  return next.join("\n");
}

/** Which criterion an old box stands for: the one of its text, or the next one when no later box has that one's text. */
function placeOfBox(
  text: string,
  criteria: readonly Criterion[],
  { from, later }: { from: number; later: readonly (string | undefined)[] },
): number {
  const same = criteria.findIndex((criterion, at) => at >= from && criterion.text === text);
  return same === -1 && !later.includes(criteria[from]?.text) ? from : same;
}

function changedBox(line: string, criterion: Criterion): string {
  if (isDeepStrictEqual(criterionOf(line), criterion)) return line;
  return line.replace(CHECKBOX, (_all, bullet: string) => `${bullet}${boxOf(criterion)}`);
}

function newBox(criterion: Criterion): string {
  return `- ${boxOf(criterion)}`;
}

function boxOf(criterion: Criterion): string {
  return `[${criterion.done ? "x" : " "}] ${criterion.text}`;
}

const CHECKBOX = /^(\s{0,8}[-*+] )\[([ xX])\] (.*)$/;

export function parseCriteria(section: string): Criterion[] {
  return section.split("\n").flatMap((line) => criterionOf(line) ?? []);
}

function criterionOf(line: string): Criterion | undefined {
  const box = CHECKBOX.exec(line);
  return box === null ? undefined : Criterion.safeParse({ text: box[3], done: box[2] !== " " }).data;
}
