import { type Project, ProjectFrontmatter, ProjectJson } from "../../contract/documents/project.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import { decodeText, editFrontmatter, parseFrontmatter } from "../../store/markup/frontmatter.ts";
import { parseJsonText } from "../../store/markup/json-text.ts";
import { readBody } from "../../store/markup/sections.ts";
import { describeIssue } from "../hall/issues.ts";
import { projectPaths, projectRoot } from "../layout.ts";
import { dropUndefined, etagOf } from "../tasks/task-file.ts";

/** The fields that both files carry; PROJECT.md speaks first where nothing is known. */
const SHARED = ["status", "model", "workdir"] as const;
export type Shared = Partial<Record<(typeof SHARED)[number], string | undefined>>;

export interface ProjectFiles {
  markdown: Buffer | undefined;
  json: Buffer | undefined;
}

export type ProjectReading =
  | {
      ok: true;
      project: Project & { etag: string };
      front: ProjectFrontmatter;
      json: ProjectJson;
      markdown: string;
      /** PROJECT.json as it stands, with every key in its place. */
      kept: Record<string, unknown>;
    }
  | { ok: false; file: string; line: number; reason: string };

/** Reads a project from its two files. A missing half is made up from the other one; both halves broken or gone is a fault. */
export function readProject(id: string, files: ProjectFiles, known: Shared | undefined): ProjectReading {
  const root = projectRoot(id);
  const json = files.json === undefined ? undefined : readJson(id, files.json);
  if (json !== undefined && !json.ok) return { ...json, file: `${root}/PROJECT.json` };
  const markdown = files.markdown === undefined ? undefined : readMarkdown(id, files.markdown);
  if (markdown !== undefined && !markdown.ok) return { ...markdown, file: `${root}/PROJECT.md` };
  const front = markdown?.front ?? (json === undefined ? undefined : frontFrom(json.value));
  if (front === undefined) return { ok: false, file: `${root}/PROJECT.md`, line: 1, reason: "the file is missing" };
  const value = json?.value ?? jsonFrom(front, markdown?.title);
  const settled = settle(front, value, known);
  const project = toProject(id, {
    front,
    json: value,
    settled,
    etag: etagOf(Buffer.concat([files.markdown ?? Buffer.alloc(0), files.json ?? Buffer.alloc(0)])),
  });
  return { ok: true, project, front, json: value, markdown: markdown?.text ?? "", kept: json?.kept ?? {} };
}

function settle(front: ProjectFrontmatter, json: ProjectJson, known: Shared | undefined): Shared {
  const choose = (key: (typeof SHARED)[number]) => {
    const [spoken, written, remembered] = [front[key] ?? undefined, json[key] ?? undefined, known?.[key]];
    return known !== undefined && spoken === remembered ? written : spoken;
  };
  return Object.fromEntries(SHARED.map((key) => [key, choose(key)]));
}

function toProject(
  id: string,
  from: { front: ProjectFrontmatter; json: ProjectJson; settled: Shared; etag: string },
): Project & { etag: string } {
  const { front, json, settled, etag } = from;
  return dropUndefined({
    id,
    name: json.name,
    description: json.description,
    status: settled.status,
    config: json.config,
    model: settled.model,
    workdir: settled.workdir,
    paths: projectPaths(id),
    team: json.team.map(({ id: assignmentId, roleId, modelConfig, skills, ask, status, mode, assignedAt }) =>
      dropUndefined({ id: assignmentId, roleId, projectId: id, modelConfig, skills, ask, status, mode, assignedAt }),
    ),
    createdAt: json.createdAt,
    updatedAt: json.updatedAt,
    suspendedAt: front.suspended ?? undefined,
    completedAt: front.completed ?? undefined,
    etag,
  }) as Project & { etag: string };
}

type Half<Value> = ({ ok: true } & Value) | { ok: false; line: number; reason: string };

function readJson(id: string, bytes: Buffer): Half<{ value: ProjectJson; kept: Record<string, unknown> }> {
  const text = decodeText(bytes);
  if (text === undefined) return { ok: false, line: 1, reason: "the file is not UTF-8 text" };
  const outcome = parseJsonText(text);
  if (!outcome.ok) return outcome;
  const parsed = ProjectJson.safeParse(outcome.value, { error: plainWords });
  if (!parsed.success) {
    const { path, reason } = describeIssue(parsed.error, outcome.value);
    return { ok: false, line: outcome.lineOf(path.join("/")), reason };
  }
  if (parsed.data.id !== id)
    return {
      ok: false,
      line: outcome.lineOf("id"),
      reason: `id: '${parsed.data.id}' does not match the folder '${id}'`,
    };
  const again = firstRepeated(parsed.data.team.map((assignment) => assignment.id));
  if (again !== -1)
    return { ok: false, line: outcome.lineOf(`team/${again}/id`), reason: `team.${again}.id: is duplicated` };
  return { ok: true, value: parsed.data, kept: outcome.value as Record<string, unknown> };
}

function firstRepeated(values: readonly string[]): number {
  const seen = new Set<string>();
  return values.findIndex((value) => seen.size === seen.add(value).size);
}

function readMarkdown(
  id: string,
  bytes: Buffer,
): Half<{ front: ProjectFrontmatter; text: string; title: string | undefined }> {
  const text = decodeText(bytes);
  if (text === undefined) return { ok: false, line: 1, reason: "the file is not UTF-8 text" };
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) return outcome;
  const parsed = ProjectFrontmatter.safeParse(outcome.parsed.data, { error: plainWords });
  if (!parsed.success) {
    const issue = describeIssue(parsed.error, outcome.parsed.data);
    return { ok: false, line: outcome.parsed.lineOf(issue.key), reason: issue.reason };
  }
  if (parsed.data.name !== id) {
    return {
      ok: false,
      line: outcome.parsed.lineOf("name"),
      reason: `name: '${parsed.data.name}' does not match the folder '${id}'`,
    };
  }
  return { ok: true, front: parsed.data, text, title: readBody(outcome.parsed.body, []).title };
}

function frontFrom(json: ProjectJson): ProjectFrontmatter {
  return { name: json.id, status: json.status, model: json.model, workdir: json.workdir, created: json.createdAt };
}

function jsonFrom(front: ProjectFrontmatter, title: string | undefined): ProjectJson {
  const dates = { createdAt: front.created, updatedAt: front.created };
  return ProjectJson.parse({
    id: front.name,
    name: ProjectJson.shape.name.safeParse(title).data ?? front.name,
    status: front.status,
    model: front.model,
    workdir: front.workdir,
    ...dates,
  });
}

/** PROJECT.json for a project, with the keys we do not know kept from the file that was there. */
export function renderProjectJson(project: Project, kept: Record<string, unknown> = {}): string {
  const { id, name, description, status, model, workdir, config, paths, team, createdAt, updatedAt } = project;
  const assignments = team.map((assignment) => ({ ...keptAssignment(kept, assignment.id), ...assignment }));
  const known = {
    id,
    name,
    description,
    status,
    model: model ?? null,
    workdir: workdir ?? null,
    config,
    paths,
    team: assignments,
    createdAt,
    updatedAt,
  };
  return `${JSON.stringify({ ...kept, ...known }, null, 2)}\n`;
}

function keptAssignment(kept: Record<string, unknown>, id: string): object {
  const team = Array.isArray(kept.team) ? (kept.team as { id?: unknown }[]) : [];
  const { modelConfig, skills, ask, ...rest } = (team.find((entry) => entry?.id === id) ?? {}) as Record<
    string,
    unknown
  >;
  return rest;
}

/** Brings the frontmatter of PROJECT.md in line with the project; nothing else in the file changes. */
export function editProjectFrontmatter(markdown: string, project: Project): string {
  return editFrontmatter(markdown, {
    status: project.status,
    model: project.model ?? null,
    workdir: project.workdir ?? null,
    suspended: project.suspendedAt ?? null,
    completed: project.completedAt ?? null,
  });
}
