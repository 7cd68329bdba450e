import { createHash } from "node:crypto";
import {
  type Criterion,
  type TaskContext,
  type TaskFolder,
  TaskFrontmatter,
  TaskResult,
  type TaskStatus,
} from "../contract/task.ts";
import { decodeText, editFrontmatter, parseFrontmatter, renderFrontmatter } from "../store/frontmatter.ts";
import { readBody, writeSection, writeTitle } from "../store/sections.ts";
import type { TaskRecord } from "../store/task-table.ts";
import { describeIssue } from "./issues.ts";
import { settleStatus } from "./task-rules.ts";
import { editContext, editCriteria, parseContext, parseCriteria, renderContext, renderCriteria } from "./task-text.ts";

const SECTIONS = ["Description", "Context", "Acceptance Criteria", "Notes", "Completion Notes", "Result"] as const;

export type TaskReading =
  | {
      ok: true;
      record: TaskRecord;
      text: string;
      /** What the frontmatter itself says, before folder and memory had their say. */
      status: TaskStatus | undefined;
      /** The Idempotency-Key of the request that made the file. */
      request: string | undefined;
    }
  | { ok: false; id: string | undefined; line: number; reason: string };

export interface TaskPlace {
  projectId: string;
  folder: TaskFolder;
  path: string;
  /** TASK-001.md */
  name: string;
  /** When the file last changed, for a person who wrote no dates. */
  changedAt: string;
  /** The status the hall last knew. */
  known: TaskStatus | undefined;
}

export function etagOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

/** Reads a task file. Whatever it holds, the answer is a whole task or the place and reason of the first fault. */
export function readTask(bytes: Buffer, place: TaskPlace): TaskReading {
  const id = /^(TASK-\d{3,12})\.md$/.exec(place.name)?.[1];
  const invalid = (line: number, reason: string): TaskReading => ({ ok: false, id, line, reason });
  const text = decodeText(bytes);
  if (text === undefined) return invalid(1, "the file is not UTF-8 text");
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) return invalid(outcome.line, outcome.reason);
  const { data, body, lineOf } = outcome.parsed;
  const parsed = TaskFrontmatter.safeParse(data);
  if (!parsed.success) {
    const issue = describeIssue(parsed.error, data);
    return invalid(lineOf(issue.key), issue.reason);
  }
  if (parsed.data.id !== id)
    return invalid(lineOf("id"), `id: '${parsed.data.id}' does not fit the file's name '${place.name}'`);
  if (parsed.data.project !== undefined && parsed.data.project !== place.projectId) {
    return invalid(
      lineOf("project"),
      `project: '${parsed.data.project}' is not the project this file lies in, '${place.projectId}'`,
    );
  }
  const sections = readBody(body, SECTIONS);
  const result = readResult(sections.sections.get("Result"));
  if (result === "invalid")
    return invalid(1, "Result: must be a JSON block with summary, filesChanged and artifactsCreated");
  return {
    ok: true,
    text,
    status: parsed.data.status,
    request: typeof parsed.data.request === "string" ? parsed.data.request : undefined,
    record: toRecord({ front: parsed.data, sections, result, place, etag: etagOf(bytes) }),
  };
}

interface Pieces {
  front: TaskFrontmatter;
  sections: ReturnType<typeof readBody>;
  result: TaskResult | undefined;
  place: TaskPlace;
  etag: string;
}

function toRecord({ front, sections, result, place, etag }: Pieces): TaskRecord {
  const created = front.created ?? place.changedAt;
  const completionNotes = sections.sections.get("Completion Notes");
  return dropUndefined({
    id: front.id,
    projectId: place.projectId,
    title: sections.title ?? front.title ?? front.id,
    description: sections.sections.get("Description") ?? sections.preamble,
    type: front.type,
    priority: front.priority,
    status: settleStatus({ status: front.status, folder: place.folder }, place.known),
    assignedRoleId: front.role ?? front.assigned ?? undefined,
    assignedSubAgentId: front.agent ?? undefined,
    context: parseContext(sections.sections.get("Context") ?? ""),
    acceptanceCriteria: parseCriteria(sections.sections.get("Acceptance Criteria") ?? ""),
    labels: front.labels,
    plan: front.plan ?? undefined,
    domain: front.domain ?? undefined,
    responsibilityType: front.responsibilityType ?? undefined,
    blocks: front.blocks,
    blockedBy: front.blockedBy,
    notes: sections.sections.get("Notes") ?? "",
    completionNotes: completionNotes === "" ? undefined : completionNotes,
    outcome: front.outcome ?? undefined,
    result,
    history: front.history,
    createdAt: created,
    updatedAt: front.updated ?? created,
    startedAt: front.started ?? undefined,
    completedAt: front.completed ?? undefined,
    path: place.path,
    etag,
  }) as TaskRecord;
}

/** A new task file in the form people edit. */
export function renderTask(task: TaskRecord, request?: string): string {
  const body = [
    `# ${task.title}`,
    section("Description", task.description),
    section("Context", renderContext(task.context)),
    section("Acceptance Criteria", renderCriteria(task.acceptanceCriteria)),
    section("Notes", ""),
  ].join("\n\n");
  let text = `${renderFrontmatter({ ...frontmatterOf(task), request })}\n${body}\n`;
  // Free text goes in through the same door as later edits, so that its headings are told from ours.
  for (const name of ["description", "notes", "completionNotes", "result"] as const)
    text = editBody(text, name, task[name]);
  return text;
}

function section(name: (typeof SECTIONS)[number], content: string): string {
  return name === "Description" || content === "" ? `## ${name}` : `## ${name}\n${content}`;
}

/** Writes the changed fields of a task into its file and leaves every other byte as it is. */
export function editTask(text: string, before: TaskRecord, after: TaskRecord): string {
  const changed = frontmatterChanges(frontmatterOf(before), frontmatterOf(after));
  let next = Object.keys(changed).length === 0 ? text : editFrontmatter(text, changed);
  for (const name of [
    "title",
    "description",
    "context",
    "acceptanceCriteria",
    "notes",
    "completionNotes",
    "result",
  ] as const) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) next = editBody(next, name, after[name]);
  }
  return next;
}

/** Keys that the file has, in our order. `assigned` stands beside `role` because both are read by other systems. */
function frontmatterOf(task: TaskRecord): Record<string, unknown> {
  const listed = (values: readonly unknown[]) => (values.length === 0 ? undefined : values);
  return {
    id: task.id,
    status: task.status,
    type: task.type,
    priority: task.priority,
    assigned: task.assignedRoleId ?? null,
    role: task.assignedRoleId ?? null,
    agent: task.assignedSubAgentId,
    project: task.projectId,
    labels: listed(task.labels),
    plan: task.plan,
    domain: task.domain,
    responsibilityType: task.responsibilityType,
    blocks: listed(task.blocks),
    blockedBy: listed(task.blockedBy),
    outcome: task.outcome,
    created: task.createdAt,
    updated: task.updatedAt,
    started: task.startedAt,
    completed: task.completedAt,
    history: listed(task.history.map((change) => dropUndefined(change))),
  };
}

function frontmatterChanges(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return Object.fromEntries(keys.map((key) => [key, after[key]]));
}

type BodyField = "title" | "description" | "context" | "acceptanceCriteria" | "notes" | "completionNotes" | "result";

function editBody(text: string, field: BodyField, value: TaskRecord[BodyField]): string {
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) return text;
  const { body } = outcome.parsed;
  const head = text.slice(0, text.length - body.length);
  return head + editBodyText(body, field, value);
}

function editBodyText(body: string, field: BodyField, value: TaskRecord[BodyField]): string {
  const put = (name: (typeof SECTIONS)[number], content: string) =>
    writeSection(body, { name, content, known: SECTIONS });
  const old = (name: (typeof SECTIONS)[number]) => readBody(body, SECTIONS).sections.get(name) ?? "";
  switch (field) {
    case "title":
      return writeTitle(body, value as string);
    case "description":
      return put("Description", value as string);
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

export function dropUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Value;
}
