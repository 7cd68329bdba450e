import { TaskFrontmatter } from "../../contract/documents/task.ts";
import type { TaskFolder, TaskStatus } from "../../contract/documents/task-status.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import {
  bodyOf,
  decodeText,
  editFrontmatter,
  parseFrontmatter,
  renderFrontmatter,
} from "../../store/markup/frontmatter.ts";
import { describeIssue } from "../hall/issues.ts";
import { idOfTaskFile } from "../layout.ts";
import {
  BODY_FIELDS,
  type BodyField,
  editBodyText,
  readTaskBody,
  type SectionName,
  type TaskBody,
} from "./task-body.ts";
import { settleStatus } from "./task-rules.ts";
import { parseContext, parseCriteria, renderContext, renderCriteria } from "./task-text.ts";

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
  return contentHash(bytes);
}

/** Reads a task file. Whatever it holds, the answer is a whole task or the place and reason of the first fault. */
export function readTask(bytes: Buffer, place: TaskPlace): TaskReading {
  const id = idOfTaskFile(place.name);
  const invalid = (line: number, reason: string): TaskReading => ({ ok: false, id, line, reason });
  const text = decodeText(bytes);
  if (text === undefined) return invalid(1, "the file is not UTF-8 text");
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) return invalid(outcome.line, outcome.reason);
  const { data, body, lineOf } = outcome.parsed;
  const parsed = TaskFrontmatter.safeParse(data, { error: plainWords });
  if (!parsed.success) {
    const issue = describeIssue(parsed.error, data);
    return invalid(lineOf(issue.key), issue.reason);
  }
  if (parsed.data.id !== id)
    return invalid(lineOf("id"), `id: '${parsed.data.id}' does not match the file name '${place.name}'`);
  if (parsed.data.project !== undefined && parsed.data.project !== place.projectId) {
    return invalid(
      lineOf("project"),
      `project: '${parsed.data.project}' does not match the project of this file, '${place.projectId}'`,
    );
  }
  const content = readTaskBody(body);
  if (!content.ok) {
    const linesBefore = text.slice(0, text.length - body.length).split("\n").length - 1;
    return invalid(linesBefore + content.line, content.reason);
  }
  return {
    ok: true,
    text,
    status: parsed.data.status,
    request: typeof parsed.data.request === "string" ? parsed.data.request : undefined,
    record: toRecord({ front: parsed.data, content, place, etag: etagOf(bytes) }),
  };
}

interface Pieces {
  front: TaskFrontmatter;
  content: TaskBody & { ok: true };
  place: TaskPlace;
  etag: string;
}

function toRecord({ front, content, place, etag }: Pieces): TaskRecord {
  const { title, preamble, sections } = content.body;
  const created = front.created ?? place.changedAt;
  const completionNotes = sections.get("Completion Notes");
  return dropUndefined({
    id: front.id,
    projectId: place.projectId,
    title: title ?? front.title ?? front.id,
    description: sections.get("Description") ?? preamble,
    type: front.type,
    priority: front.priority,
    status: settleStatus({ status: front.status, folder: place.folder }, place.known),
    assignedRoleId: front.role ?? front.assigned ?? undefined,
    assignedSubAgentId: front.agent ?? undefined,
    context: parseContext(sections.get("Context") ?? ""),
    acceptanceCriteria: parseCriteria(sections.get("Acceptance Criteria") ?? ""),
    labels: front.labels,
    plan: front.plan ?? undefined,
    domain: front.domain ?? undefined,
    responsibilityType: front.responsibilityType ?? undefined,
    blocks: front.blocks,
    blockedBy: front.blockedBy,
    escalations: (front.escalations ?? []).length === 0 ? undefined : front.escalations,
    notes: sections.get("Notes") ?? "",
    completionNotes: completionNotes === "" ? undefined : completionNotes,
    outcome: front.outcome ?? undefined,
    result: content.result,
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
  const sections = [
    `# ${task.title}`,
    section("Description", task.description),
    section("Context", renderContext(task.context)),
    section("Acceptance Criteria", renderCriteria(task.acceptanceCriteria)),
    section("Notes", ""),
  ];
  let body = `\n${sections.join("\n\n")}\n`;
  // Free text goes in through the same door as later edits, so that its headings are told from ours.
  for (const name of ["description", "notes", "completionNotes", "result"] as const) {
    if (task[name]) body = editBodyText(body, name, task[name]);
  }
  return renderFrontmatter({ ...frontmatterOf(task), request }) + body;
}

function section(name: SectionName, content: string): string {
  return name === "Description" || content === "" ? `## ${name}` : `## ${name}\n${content}`;
}

/** Writes the changed fields of a task into its file and leaves every other byte as it is. */
export function editTask(text: string, before: TaskRecord, after: TaskRecord): string {
  const changed = frontmatterChanges(frontmatterOf(before), frontmatterOf(after));
  // A file without a date of its own would be as young as its last change; from the first one on it has a date.
  let next = editFrontmatter(text, changed, { created: after.createdAt });
  for (const name of BODY_FIELDS) {
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
    escalations: task.escalations,
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

function editBody(text: string, field: BodyField, value: TaskRecord[BodyField]): string {
  const body = bodyOf(text);
  if (body === undefined) return text;
  const head = text.slice(0, text.length - body.length);
  return head + editBodyText(body, field, value);
}

export function dropUndefined<Value extends object>(value: Value): Value {
  const kept: Partial<Value> = {};
  for (const key of Object.keys(value) as (keyof Value)[]) if (value[key] !== undefined) kept[key] = value[key];
  return kept as Value;
}
