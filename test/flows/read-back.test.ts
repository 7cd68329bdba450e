import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routes } from "../../src/contract/routes/routes.ts";
import { accepted } from "../generated/from-schema.ts";
import { boardOf } from "../harness/board.ts";
import { type Hall, startHall } from "../harness/daemon.ts";

const settings = {
  seed: Number(process.env.GUILDHALL_SEED ?? 20_261_115),
  numRuns: Number(process.env.GUILDHALL_RUNS ?? 12),
};
// biome-ignore lint/suspicious/noExplicitAny: documents are compared field by field whatever they hold
type Document = any;

describe("whatever text a document is made of", () => {
  it("a role reads back as it was accepted, from the index and from its file", async () => {
    const hall = await startHall();
    let count = 0;
    const bodies = fc.tuple(
      accepted(routes.createRole.body, { id: undefined, template: undefined, name: "Role" }),
      accepted(routes.updateRole.body),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async ([made, changed]) => {
        const id = `role-${++count}`;
        const { role } = await ask(hall, "POST", "/api/roles", { ...(made.sent as object), id });
        const { modelConfig, ...meant } = made.meant;
        expectFields(role, meant);
        expectFields(role.modelConfig, modelConfig ?? {});
        await expectStored(hall, `/api/roles/${id}`, "role", role);
        const after = await ask(hall, "PUT", `/api/roles/${id}`, changed.sent);
        const { modelConfig: override, ...fields } = changed.meant;
        expectFields(after.role, fields);
        expectFields(after.role.modelConfig, { ...role.modelConfig, ...override });
        await expectStored(hall, `/api/roles/${id}`, "role", after.role);
      }),
      settings,
    );
  });

  it("a project reads back as it was accepted, from the index and from its files", async () => {
    const hall = await startHall();
    let count = 0;
    const bodies = fc.tuple(
      accepted(routes.createProject.body, { template: undefined, repoUrl: undefined }),
      accepted(routes.updateProject.body, { status: undefined }),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async ([made, changed]) => {
        const id = `project-${++count}`;
        const { project } = await ask(hall, "POST", "/api/projects", { ...(made.sent as object), id });
        const { background, constraints, techStack, goals, config, ...meant } = made.meant;
        expectFields(project, { ...meant, id });
        expectFields(project.config, { ...configMeant(meant.workdir, config), ...defined({ techStack, goals }) });
        await expectStored(hall, `/api/projects/${id}`, "project", project);
        const after = await ask(hall, "PUT", `/api/projects/${id}`, changed.sent);
        const { name, description, model, workdir } = changed.meant;
        expectFields(after.project, defined({ name, description, model, workdir }));
        await expectStored(hall, `/api/projects/${id}`, "project", after.project);
      }),
      settings,
    );
  });

  it("a task reads back as it was accepted, from the index and from its file", async () => {
    const hall = await startHall();
    const board = await furnishedBoard(hall);
    const edges = { blocks: undefined, blockedBy: ["TASK-001"], assignedRoleId: "coder" };
    const bodies = fc.tuple(
      accepted(routes.createTask.body, edges),
      accepted(routes.updateTask.body, {
        blocks: undefined,
        blockedBy: undefined,
        assignedRoleId: null,
        status: undefined,
      }),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async ([made, changed]) => {
        const task = await board.add(made.sent as object);
        expectTask(task, made.meant);
        await expectStored(hall, `/api/projects/alpha/tasks/${task.id}`, "task", task);
        const after = await board.update(task.id, changed.sent as object);
        expectTask(after, changed.meant);
        await expectStored(hall, `/api/projects/alpha/tasks/${task.id}`, "task", after);
      }),
      settings,
    );
  });

  it("an initiative, an artifact and a context file read back as they were accepted", async () => {
    const hall = await startHall();
    await furnishedBoard(hall);
    let count = 0;
    const bodies = fc.tuple(
      accepted(routes.createInitiative.body),
      accepted(routes.createArtifact.body),
      accepted(routes.writeContext.body),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async ([plan, artifact, context]) => {
        const slug = `plan-${++count}`;
        const { initiative } = await ask(hall, "POST", "/api/projects/alpha/initiatives", {
          ...(plan.sent as object),
          slug,
        });
        expect(initiative.title).toBe(plan.meant.title);
        const made = await hall.call("POST", "/api/projects/alpha/artifacts", artifact.sent);
        if (made.status === 201) await expectFile(hall, made.body.artifact.path, artifact.meant.content);
        else expect(made.body.error.code).toBe("path_refused");
        const written = await hall.call("PUT", "/api/projects/alpha/context", context.sent);
        if (written.status === 200) await expectFile(hall, written.body.file.path, context.meant.content);
        else expect(written.body.error.code).toBe("path_refused");
        const lists = await listed(hall);
        expect(lists.initiatives).toContainEqual(initiative);
        if (made.status === 201) expect(lists.artifacts).toContainEqual(made.body.artifact);
        if (written.status === 200) expect(lists.files).toContainEqual(written.body.file);
        await ask(hall, "POST", "/api/index/rebuild");
        expect(await listed(hall)).toEqual(lists);
      }),
      settings,
    );
  });
});

async function ask(hall: Hall, method: string, path: string, body?: unknown): Promise<Document> {
  const answer = await hall.call(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

async function furnishedBoard(hall: Hall) {
  await ask(hall, "POST", "/api/roles", { id: "coder", name: "Coder" });
  await ask(hall, "POST", "/api/projects", { id: "alpha", name: "Alpha" });
  const board = boardOf(hall);
  await board.add("The first");
  return board;
}

async function listed(hall: Hall): Promise<Document> {
  const [plans, artifacts, context] = await Promise.all(
    ["initiatives", "artifacts?limit=1000", "context"].map((path) => ask(hall, "GET", `/api/projects/alpha/${path}`)),
  );
  return { ...plans, ...artifacts, ...context };
}

async function expectFile(hall: Hall, path: string, content: string): Promise<void> {
  const { file } = await ask(hall, "GET", `/api/projects/alpha/file?path=${encodeURIComponent(path)}`);
  expect(file.content).toBe(content);
}

/** The harness has projects with a folder merge automatically where the review setting is not named. */
function configMeant(workdir: unknown, config: Document = {}): Document {
  if (workdir === undefined) return config;
  return { ...config, constraints: { requireReview: false, ...config.constraints } };
}

/** A second request reads it from the index; after a rebuild the index has it from the file. */
async function expectStored(hall: Hall, path: string, kind: string, document: Document): Promise<void> {
  expectFields((await ask(hall, "GET", path))[kind], document);
  await ask(hall, "POST", "/api/index/rebuild");
  expectFields((await ask(hall, "GET", path))[kind], document);
}

const FINISHED = ["done", "failed", "cancelled"];

/** What the hall sets by itself is left out: an outcome is kept only with a finished task, empty notes are none. */
function expectTask(task: Document, meant: Document): void {
  const { subject, title, context, outcome, completionNotes, ...fields } = meant;
  expectFields(task, defined({ ...fields, title: title ?? subject }));
  expectFields(task.context, defined(context ?? {}));
  if (FINISHED.includes(task.status) && outcome !== undefined) expectFields(task, { outcome });
  if (completionNotes !== undefined) expectFields(task, { completionNotes: completionNotes || null });
}

/** null in a change takes the field away. */
function expectFields(document: Document, fields: object): void {
  const wanted = Object.entries(fields).filter(([, value]) => value !== undefined);
  const found = Object.fromEntries(wanted.map(([key]) => [key, document[key] ?? null]));
  expect(found).toEqual(Object.fromEntries(wanted));
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
