import { type Criterion, type TaskContext, TaskFrontmatter, TaskResult } from "../../contract/documents/task.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import { type Body, readBody, writeSection, writeTitle } from "../../store/markup/sections.ts";
import { editContext, editCriteria } from "./task-text.ts";

const SECTIONS = ["Description", "Context", "Acceptance Criteria", "Notes", "Completion Notes", "Result"] as const;
export type SectionName = (typeof SECTIONS)[number];

export const BODY_FIELDS = [
  "title",
  "description",
  "context",
  "acceptanceCriteria",
  "notes",
  "completionNotes",
  "result",
] as const;
export type BodyField = (typeof BODY_FIELDS)[number];

export type TaskBody =
  | { ok: true; body: Body; result: TaskResult | undefined }
  | { ok: false; line: number; reason: string };

/** Reads the body of a task file; a fault comes with its line, counted from the start of the body. */
export function readTaskBody(text: string): TaskBody {
  const body = readBody(text, SECTIONS);
  const lineOf = (isIt: (line: string) => boolean) => text.split("\n").findIndex(isIt) + 1;
  const title = TaskFrontmatter.shape.title.safeParse(body.title, { error: plainWords });
  if (!title.success) {
    const line = lineOf((found) => found.startsWith("# ") && found.slice(2).trim() === body.title);
    return { ok: false, line, reason: `title: ${title.error.issues[0]?.message}` };
  }
  const result = readResult(body.sections.get("Result"));
  if (result !== "invalid") return { ok: true, body, result };
  const line = lineOf((found) => /^## result\s*$/i.test(found));
  return { ok: false, line, reason: "Result: must be a JSON block with summary, filesChanged and artifactsCreated" };
}

/** Puts one field of a task into the body of its file and leaves every other byte as it is. */
export function editBodyText(body: string, field: BodyField, value: TaskRecord[BodyField]): string {
  const put = (name: SectionName, content: string) => writeSection(body, { name, content, known: SECTIONS });
  const old = (name: SectionName) => readBody(body, SECTIONS).sections.get(name) ?? "";
  switch (field) {
    case "title":
      return writeTitle(body, value as string);
    case "description":
      return value === "" ? clearDescription(body) : put("Description", value as string);
    case "context":
      return put("Context", editContext(old("Context"), value as TaskContext));
    case "acceptanceCriteria":
      return put("Acceptance Criteria", editCriteria(old("Acceptance Criteria"), value as Criterion[]));
    case "notes":
      return put("Notes", value as string);
    case "completionNotes":
      return put("Completion Notes", (value as string | undefined) ?? "");
    case "result":
      return put("Result", value === undefined ? "" : renderResult(value as TaskResult));
  }
}

/** Where the preamble stands for the description, only a section that is empty says that there is none. */
function clearDescription(body: string): string {
  const section = { name: "Description", known: SECTIONS };
  const { preamble, sections } = readBody(body, SECTIONS);
  const begun = sections.has("Description") ? body : writeSection(body, { ...section, content: preamble });
  return writeSection(begun, { ...section, content: "" });
}

function renderResult(result: TaskResult): string {
  return `\`\`\`json\n${JSON.stringify(result, null, 2)}\n\`\`\``;
}

function readResult(content: string | undefined): TaskResult | undefined | "invalid" {
  if (content === undefined || content === "") return undefined;
  try {
    return TaskResult.parse(JSON.parse(content.replace(/^```json\n/, "").replace(/\n```$/, "")));
  } catch {
    return "invalid";
  }
}
