import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { PROJECT_STATUSES } from "../../src/contract/documents/project.ts";
import { TASK_FOLDERS, TASK_PRIORITIES } from "../../src/contract/documents/task-status.ts";
import type { Hall } from "../harness/daemon.ts";
import {
  folderOf,
  isOpen,
  type Model,
  mayBecome,
  mayMove,
  type ProjectModel,
  statuses,
  statusIn,
  type TaskModel,
  taskId,
  waitsFor,
} from "./model.ts";

/** A hall with the model of it. Steps change both; the hall may be replaced by a later life of it. */
export interface Pair {
  hall: Hall;
  model: Model;
  restart(between?: () => void): Promise<void>;
}

/** Numbers that choose what a step is about, out of what is there by then. */
export interface Choice {
  a: number;
  b: number;
  c: number;
}

type Step = (pair: Pair, choice: Choice) => Promise<void> | void;

/** Steps after which the next may come before the hall has noticed: a request looks at the file that it is about. */
export const rushed = new Set(["retitleByHand", "restateByHand", "dragByHand"]);

/** What people, clients and the machine do to a hall. A step for which nothing is there does nothing. */
export const steps: Record<string, Step> = {
  addTask: async (pair, { a, b, c }) => {
    const at = pick(pair.model.projects, a);
    if (at === undefined) return;
    const [id, project] = at;
    const blocker = c % 3 === 0 ? pick(readableTasks(project), b)?.[0] : undefined;
    const status = statuses[c % statuses.length] ?? "pending";
    const body = {
      title: `Task ${a}`,
      priority: of(TASK_PRIORITIES, b),
      status,
      ...(blocker && { blockedBy: [blocker] }),
    };
    const answer = await pair.hall.call("POST", `/api/projects/${id}/tasks`, body);
    if (!expectDone(answer, 201, refusalOf(project))) return;
    const made = taskId(++project.highest);
    expect(answer.body.task.id).toBe(made);
    project.tasks.set(made, {
      title: body.title,
      priority: body.priority,
      status,
      blockedBy: new Set(blocker ? [blocker] : []),
    });
  },
  editTask: async (pair, choice) => {
    const at = pickTask(pair, choice);
    if (at === undefined) return;
    const body = { title: `Edited ${choice.c}`, priority: of(TASK_PRIORITIES, choice.c) };
    const answer = await pair.hall.call("PUT", `/api/projects/${at.projectId}/tasks/${at.id}`, body);
    if (expectDone(answer, 200, refusalOf(at.project) ?? brokenTask(at.task))) Object.assign(at.task, body);
  },
  moveTask: async (pair, choice) => {
    const at = pickTask(pair, choice);
    if (at === undefined) return;
    const status = of(statuses, choice.c);
    const illegal = mayMove(at.task.status, status) ? undefined : "illegal_move";
    const answer = await pair.hall.call("POST", `/api/projects/${at.projectId}/tasks/${at.id}/move`, { status });
    if (expectDone(answer, 200, refusalOf(at.project) ?? brokenTask(at.task) ?? illegal)) at.task.status = status;
  },
  waitFor: async (pair, choice) => {
    const at = pickTask(pair, choice);
    const blocker = at && pick(readableTasks(at.project), choice.c)?.[0];
    if (at === undefined || blocker === undefined) return;
    const isNew = !at.task.blockedBy.has(blocker);
    const circle = isNew && waitsFor(at.project, blocker, at.id) ? "dependency_cycle" : undefined;
    const body = { blockedBy: [blocker] };
    const answer = await pair.hall.call("PUT", `/api/projects/${at.projectId}/tasks/${at.id}`, body);
    if (expectDone(answer, 200, refusalOf(at.project) ?? brokenTask(at.task) ?? circle))
      at.task.blockedBy = new Set([blocker]);
  },
  addRole: async ({ hall, model }, { a }) => {
    const id = `role-${a % 5}`;
    const answer = await hall.call("POST", "/api/roles", { id, name: id });
    if (expectDone(answer, 201, model.roles.has(id) ? "already_exists" : undefined))
      model.roles.set(id, { name: id, version: 1 });
  },
  editRole: async ({ hall, model }, { a, b }) => {
    const [id, role] = pick(model.roles, a) ?? [];
    if (id === undefined || role === undefined) return;
    const name = `Role ${b}`;
    expectDone(await hall.call("PUT", `/api/roles/${id}`, { name }), 200);
    if (role.name !== name) Object.assign(role, { name, version: role.version + 1 });
  },
  deleteRole: async ({ hall, model }, { a }) => {
    const [id] = pick(model.roles, a) ?? [];
    if (id === undefined) return;
    const isAssigned = [...model.projects.values()].some((project) => project.team.has(id));
    if (expectDone(await hall.call("DELETE", `/api/roles/${id}`), 200, isAssigned ? "role_assigned" : undefined))
      model.roles.delete(id);
  },
  assignRole: async ({ hall, model }, { a, b }) => {
    const [id, project] = pick(model.projects, a) ?? [];
    const [roleId] = pick(model.roles, b) ?? [];
    if (id === undefined || project === undefined || roleId === undefined) return;
    const taken = project.team.has(roleId) ? "already_exists" : undefined;
    const answer = await hall.call("POST", `/api/projects/${id}/team`, { roleId });
    if (expectDone(answer, 201, refusalOf(project) ?? taken)) project.team.add(roleId);
  },
  unassignRole: async ({ hall, model }, { a, b }) => {
    const [id, project] = pick(model.projects, a) ?? [];
    const roleId = project && [...project.team][b % project.team.size];
    if (id === undefined || project === undefined || roleId === undefined || !isOpen(project)) return;
    const { assignments } = (await hall.call("GET", `/api/projects/${id}/team`)).body;
    const found = assignments.find((assignment: { roleId: string }) => assignment.roleId === roleId);
    expectDone(await hall.call("DELETE", `/api/projects/${id}/team/${found?.id}`), 200);
    project.team.delete(roleId);
  },
  addProject: async ({ hall, model }, { a }) => {
    const id = of(["alpha", "beta", "gamma"], a);
    const answer = await hall.call("POST", "/api/projects", { id, name: id });
    if (expectDone(answer, 201, model.projects.has(id) ? "already_exists" : undefined))
      model.projects.set(id, { status: "active", team: new Set(), tasks: new Map(), highest: 0 });
  },
  moveProject: async ({ hall, model }, { a, b }) => {
    const [id, project] = pick(model.projects, a) ?? [];
    const status = of(PROJECT_STATUSES, b);
    // An archived project is final; it would only make the rest of the sequence dull.
    if (id === undefined || project === undefined || (status === "archived" && b % 3 > 0)) return;
    const illegal = mayBecome(project.status, status) ? undefined : "illegal_move";
    const answer = await hall.call("POST", `/api/projects/${id}/move`, { status });
    if (expectDone(answer, 200, brokenProject(project) ?? illegal)) project.status = status;
  },
  purgeProject: async ({ hall, model }, { a, b }) => {
    const [id] = pick(model.projects, a) ?? [];
    if (id === undefined || b % 4 > 0) return;
    expectDone(await hall.call("DELETE", `/api/projects/${id}?purge=true`), 200);
    model.projects.delete(id);
  },
  retitleByHand: (pair, choice) => {
    const at = pickReadable(pair, choice);
    if (at === undefined) return;
    edit(at.file, (text) => text.replace(/^# .*$/m, `# By hand ${choice.c}`));
    at.task.title = `By hand ${choice.c}`;
  },
  restateByHand: (pair, choice) => {
    const at = pickReadable(pair, choice);
    if (at === undefined) return;
    at.task.status = of(statuses, choice.c);
    edit(at.file, (text) => text.replace(/^status: .*$/m, `status: ${at.task.status}`));
  },
  dragByHand: (pair, choice) => {
    const at = pickReadable(pair, choice);
    const folder = of(TASK_FOLDERS, choice.c);
    if (at === undefined || folder === folderOf(at.task.status)) return;
    renameSync(at.file, join(pair.hall.workspace, "projects", at.projectId, "TASKS", folder, `${at.id}.md`));
    at.task.status = statusIn(folder);
  },
  deleteByHand: (pair, choice) => {
    const at = pickTask(pair, choice);
    if (at === undefined) return;
    rmSync(at.file);
    at.project.tasks.delete(at.id);
  },
  addByHand: ({ hall, model }, { a, b, c }) => {
    const [projectId, project] = pick(model.projects, a) ?? [];
    if (projectId === undefined || project === undefined) return;
    project.highest += 1 + (b % 3);
    const id = taskId(project.highest);
    const folder = of(TASK_FOLDERS, c);
    write(
      join(hall.workspace, "projects", projectId, "TASKS", folder, `${id}.md`),
      `---\nid: ${id}\nstatus: ${statusIn(folder)}\n---\n# Made by hand\n`,
    );
    project.tasks.set(id, {
      title: "Made by hand",
      priority: "medium",
      status: statusIn(folder),
      blockedBy: new Set(),
    });
  },
  breakTask: (pair, choice) => {
    const at = pickReadable(pair, choice);
    if (at === undefined) return;
    at.task.whole = readFileSync(at.file, "utf8");
    write(
      at.file,
      of(
        ["", "---\nid: [\n---\n", at.task.whole.replace("---\n", ""), at.task.whole.replace(at.id, "TASK-999")],
        choice.c,
      ),
    );
  },
  mendTask: (pair, choice) => {
    const at = pickTask(pair, choice);
    if (at?.task.whole === undefined) return;
    write(at.file, at.task.whole);
    at.task.whole = undefined;
  },
  breakProject: ({ hall, model }, { a, c }) => {
    const [id, project] = pick(model.projects, a) ?? [];
    if (id === undefined || project === undefined || project.whole !== undefined) return;
    const file = join(hall.workspace, "projects", id, "PROJECT.md");
    project.whole = readFileSync(file, "utf8");
    write(file, of(["", "---\nname: 1\n---\n", project.whole.replace(/^status: .*$/m, "status: gone")], c));
  },
  mendProject: ({ hall, model }, { a }) => {
    const [id, project] = pick(model.projects, a) ?? [];
    if (id === undefined || project?.whole === undefined) return;
    write(join(hall.workspace, "projects", id, "PROJECT.md"), project.whole);
    project.whole = undefined;
  },
  restateProjectByHand: ({ hall, model }, { a, b }) => {
    const [id, project] = pick(model.projects, a) ?? [];
    if (id === undefined || project === undefined || project.whole !== undefined) return;
    project.status = of(["active", "suspended", "completed"] as const, b);
    const status = project.status;
    edit(join(hall.workspace, "projects", id, "PROJECT.md"), (text) =>
      text.replace(/^status: .*$/m, `status: ${status}`),
    );
  },
  removeProjectByHand: ({ hall, model }, { a, b }) => {
    const [id] = pick(model.projects, a) ?? [];
    if (id === undefined || b % 4 > 0) return;
    rmSync(join(hall.workspace, "projects", id), { recursive: true });
    model.projects.delete(id);
  },
  restart: (pair) => pair.restart(),
  restartWithoutIndex: (pair, choice) =>
    pair.restart(() => {
      void steps.restateByHand?.(pair, choice);
      rmSync(join(pair.hall.workspace, ".guildhall/index.db"));
    }),
  editWhileDown: (pair, choice) =>
    pair.restart(() => {
      for (const name of ["deleteByHand", "retitleByHand", "dragByHand", "addByHand"])
        void steps[name]?.(pair, { ...choice, a: choice.a + name.length, b: choice.b + name.length });
    }),
  rebuild: async ({ hall }) => {
    expectDone(await hall.call("POST", "/api/index/rebuild"), 200);
  },
};

function expectDone(
  answer: { status: number; body: { error?: { code: string } } },
  status: number,
  refusal?: string,
): boolean {
  const told = JSON.stringify(answer.body);
  if (refusal === undefined) expect(answer.status, told).toBe(status);
  else expect(answer.body.error?.code, `${answer.status} ${told}`).toBe(refusal);
  return refusal === undefined;
}

function refusalOf(project: ProjectModel): string | undefined {
  return brokenProject(project) ?? (isOpen(project) ? undefined : "project_closed");
}

function brokenProject(project: ProjectModel): string | undefined {
  return project.whole === undefined ? undefined : "file_invalid";
}

function brokenTask(task: TaskModel): string | undefined {
  return task.whole === undefined ? undefined : "file_invalid";
}

interface TaskPlace {
  projectId: string;
  project: ProjectModel;
  id: string;
  task: TaskModel;
  file: string;
}

function pickTask({ hall, model }: Pair, { a, b }: Choice): TaskPlace | undefined {
  const [projectId, project] = pick(model.projects, a) ?? [];
  const [id, task] = (project && pick(project.tasks, b)) ?? [];
  if (projectId === undefined || project === undefined || id === undefined || task === undefined) return undefined;
  const board = join(hall.workspace, "projects", projectId, "TASKS");
  const file = TASK_FOLDERS.map((folder) => join(board, folder, `${id}.md`)).find(existsSync);
  expect(file, `the file of ${id}`).toBeDefined();
  return { projectId, project, id, task, file: file ?? "" };
}

function pickReadable(pair: Pair, choice: Choice): TaskPlace | undefined {
  const at = pickTask(pair, choice);
  return at?.task.whole === undefined ? at : undefined;
}

function readableTasks(project: ProjectModel): Map<string, TaskModel> {
  return new Map([...project.tasks].filter(([, task]) => task.whole === undefined));
}

function pick<Value>(from: ReadonlyMap<string, Value>, choice: number): [string, Value] | undefined {
  return [...from][choice % from.size];
}

function of<Value>(values: readonly Value[], choice: number): Value {
  return values[choice % values.length] as Value;
}

function edit(file: string, change: (text: string) => string): void {
  write(file, change(readFileSync(file, "utf8")));
}

/** As most editors save: a new file in the place of the old one. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
}
