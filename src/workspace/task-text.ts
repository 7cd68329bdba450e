import { Criterion, type TaskContext } from "../contract/task.ts";

const LABELS = { files: "Files", codeRefs: "Code", dependencies: "Related" } as const satisfies Record<keyof TaskContext, string>;

/** The Context section: `- Files: `a`, `b``. A value that does not fit between backticks is written as a JSON string. */
export function renderContext(context: TaskContext): string {
  return (Object.keys(LABELS) as (keyof TaskContext)[])
    .filter((key) => context[key].length > 0)
    .map((key) => `- ${LABELS[key]}: ${context[key].map(key === "dependencies" ? renderRelated : renderReference).join(", ")}`)
    .join("\n");
}

function renderReference(value: string): string {
  return /[`\n\r\\"]|^\s|\s$/.test(value) ? JSON.stringify(value) : `\`${value}\``;
}

function renderRelated(value: string): string {
  return /^[\w-]+$/.test(value) ? value : renderReference(value);
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
  return criteria.map((criterion) => `- [${criterion.done ? "x" : " "}] ${criterion.text}`).join("\n");
}

const CHECKBOX = /^\s{0,8}[-*+] \[([ xX])\] (.*)$/;

export function parseCriteria(section: string): Criterion[] {
  const criteria: Criterion[] = [];
  for (const line of section.split("\n")) {
    const box = CHECKBOX.exec(line);
    const parsed = box === null ? undefined : Criterion.safeParse({ text: box[2], done: box[1] !== " " });
    if (parsed?.success) criteria.push(parsed.data);
  }
  return criteria;
}
