import { Criterion, type TaskContext } from "../contract/task.ts";

const LABELS = { files: "Files", codeRefs: "Code", dependencies: "Related" } as const satisfies Record<
  keyof TaskContext,
  string
>;

/** The Context section: `- Files: `a`, `b``. A value that does not fit between backticks is written as a JSON string. */
export function renderContext(context: TaskContext): string {
  return (Object.keys(LABELS) as (keyof TaskContext)[])
    .filter((key) => context[key].length > 0)
    .map(
      (key) =>
        `- ${LABELS[key]}: ${context[key].map(key === "dependencies" ? renderRelated : renderReference).join(", ")}`,
    )
    .join("\n");
}

function renderReference(value: string): string {
  return /[`\n\r\\"]|^\s|\s$/.test(value) ? JSON.stringify(value) : `\`${value}\``;
}

function renderRelated(value: string): string {
  return /^[\w-]+$/.test(value) ? value : renderReference(value);
}

/** Puts the lines of a new context where the old ones stand and keeps whatever else a person wrote in the section. */
export function editContext(section: string, context: TaskContext): string {
  const kept = section
    .split("\n")
    .filter((line) => !Object.values(LABELS).some((label) => line.startsWith(`- ${label}:`)));
  return [renderContext(context), kept.join("\n")].filter((part) => part.trim() !== "").join("\n");
}

/** Reads what renderContext writes and what people write by hand: backticks are optional, other lines are left alone. */
export function parseContext(section: string): TaskContext {
  const context: TaskContext = { files: [], codeRefs: [], dependencies: [] };
  for (const line of section.split("\n")) {
    const key = (Object.keys(LABELS) as (keyof TaskContext)[]).find((name) => line.startsWith(`- ${LABELS[name]}:`));
    if (key !== undefined) context[key].push(...parseReferences(line.slice(line.indexOf(":") + 1)));
  }
  return context;
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
  return criteria.map((criterion) => `- ${boxOf(criterion)}`).join("\n");
}

/**
 * Ticks and renames boxes in place; boxes beyond the old ones follow the last, surplus ones go. Lines that are no boxes
 * stay where they are.
 */
export function editCriteria(section: string, criteria: readonly Criterion[]): string {
  const lines = section === "" ? [] : section.split("\n");
  const boxes = lines.flatMap((line, at) => (criterionOf(line) === undefined ? [] : [at]));
  const next = lines.map((line, at): string | undefined => {
    const place = boxes.indexOf(at);
    if (place === -1) return line;
    const criterion = criteria[place];
    return criterion === undefined
      ? undefined
      : line.replace(CHECKBOX, (_all, indent: string) => `${indent}${boxOf(criterion)}`);
  });
  const added = criteria.slice(boxes.length).map((criterion) => `- ${boxOf(criterion)}`);
  next.splice((boxes.at(-1) ?? lines.length - 1) + 1, 0, ...added);
  return next.filter((line) => line !== undefined).join("\n");
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
