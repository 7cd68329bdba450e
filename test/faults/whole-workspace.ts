import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { eventually, type Hall } from "../harness/daemon.ts";

const FOLDERS: Record<string, string> = { pending: "todo", assigned: "todo", blocked: "todo" };

/** No task file stands twice or in a folder that is not its own, and nothing half-written is left. */
export async function assertFilesAreWhole(workspace: string): Promise<void> {
  const leftovers = () => filesBelow(workspace).filter((path) => /(?:^|\/)\.(?:tmp|new)-/.test(path));
  // A daemon that is at work may be writing an overview at this very moment.
  const left = await eventually(leftovers, ({ length }) => length === 0).catch(leftovers);
  expect(left, "remains of interrupted writes").toEqual([]);
  const entries = filesBelow(workspace);
  const boards = entries.flatMap((path) => {
    const [, project, folder, id] = /^projects\/([^/]+)\/TASKS\/([^/]+)\/(TASK-\d+)\.md$/.exec(path) ?? [];
    return id === undefined ? [] : [{ path, task: `${project} ${id}`, folder }];
  });
  const seen = new Map<string, string>();
  for (const { path, task, folder } of boards) {
    expect(seen.get(task), `${path} stands twice`).toBeUndefined();
    seen.set(task, path);
    const status = /^status: (\S+)$/m.exec(readFileSync(join(workspace, path), "utf8"))?.[1] ?? "";
    expect(folder, `${path} says it is ${status}`).toBe(FOLDERS[status] ?? status);
  }
}

/** A folder that the daemon removes meanwhile has no files. */
function filesBelow(workspace: string, folder = ""): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(workspace, folder), { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...filesBelow(workspace, path)] : [path];
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests; their shape is checked elsewhere
type Body = any;

/** Everything the API answers about a workspace, in an order that does not depend on how the index was filled. */
export async function dump(hall: Hall): Promise<Record<string, unknown>> {
  const get = async (path: string): Promise<Body> => {
    const answer = await hall.call("GET", path);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const { projects } = await get("/api/projects?limit=1000");
  const perProject = await Promise.all(
    projects.map(async ({ id }: { id: string }) => ({
      project: withoutGenerated((await hall.call("GET", `/api/projects/${id}`)).body),
      artifacts: await pages(get, `/api/projects/${id}/artifacts`, "artifacts"),
      context: await get(`/api/projects/${id}/context`),
      initiatives: await get(`/api/projects/${id}/initiatives`),
    })),
  );
  const { counts } = await get("/api/status");
  const words = ["task", "note", "edit", "artifact", "context", "role"];
  const hits = await Promise.all(words.map((word) => get(`/api/search?q=${word}&limit=100`)));
  return {
    projects,
    perProject,
    tasks: await pages(get, "/api/tasks", "tasks"),
    roles: await pages(get, "/api/roles", "roles"),
    problems: (await get("/api/problems")).problems,
    counts: { ...counts, events: 0 },
    found: hits.map((answer) => (answer.hits.length < 100 ? inAnyOrder(answer.hits) : answer.hits.length)),
  };
}

/** Generated pages follow changes after a while, so that one may come between two looks. A refusal is the same twice. */
function withoutGenerated(body: Body): unknown {
  if (body.error !== undefined) return { ...body.error, requestId: "" };
  const files = body.project?.files?.filter(({ path }: { path: string }) => path !== "TEAM.md");
  return { ...body, project: { ...body.project, files } };
}

/** Which hits a search finds does not depend on the age of the index; what is newest to it does. */
function inAnyOrder(hits: object[]): string[] {
  return hits.map((hit) => JSON.stringify(hit)).sort();
}

async function pages(get: (path: string) => Promise<Body>, path: string, list: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let cursor = ""; ; ) {
    const page = await get(`${path}?limit=1000${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`);
    found.push(...page[list]);
    if (page.nextCursor === undefined) return found;
    cursor = page.nextCursor;
  }
}

/** What the index answers is what a new one, built from the files, answers. */
export async function assertIndexEqualsRebuild(hall: Hall): Promise<void> {
  const before = await dump(hall);
  expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
  const after = await dump(hall);
  // Looking for differences takes a second where there are none to find.
  if (JSON.stringify(after) !== JSON.stringify(before)) expect(after).toEqual(before);
}

const INCIDENTAL_TABLES = /^(?:sqlite_|meta$|requests$|.*_fts)/;
const INCIDENTAL_COLUMNS = ["key"];

/** Every row of every table of an index that no daemon has open. Keys given in order of arrival are left out. */
export function indexRows(workspace: string): Record<string, string[]> {
  const db = new DatabaseSync(join(workspace, ".guildhall/index.db"));
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const names = tables.map((row) => String(row.name)).filter((name) => !INCIDENTAL_TABLES.test(name));
    // Fails when the words to search by are not those of the documents.
    for (const name of ["tasks_fts", "documents_fts"])
      db.exec(`INSERT INTO ${name}(${name}, rank) VALUES ('integrity-check', 1)`);
    return Object.fromEntries(names.map((name) => [name, rowsOf(db, name)]));
  } finally {
    db.close();
  }
}

function rowsOf(db: DatabaseSync, table: string): string[] {
  const rows = db
    .prepare(`SELECT * FROM "${table}"`)
    .all()
    .filter((row) => row.count !== 0);
  const kept = rows.map((row) => Object.entries(row).filter(([column]) => !INCIDENTAL_COLUMNS.includes(column)));
  return kept.map((columns) => JSON.stringify(columns)).sort();
}
