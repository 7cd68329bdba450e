import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Task } from "../../src/contract/documents/task.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import type { Problem } from "../../src/contract/problem.ts";
import type { AnswerTo } from "./answer.ts";
import { type Answer, eventually, type Hall, startHall } from "./daemon.ts";
import { filesBelow } from "./look-below.ts";

type Ask = <const Method extends string, const Path extends string>(
  method: Method,
  path: Path,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<AnswerTo<Method, `/api/projects/${string}${Path}`>>;

/** The board of one project in a hall: over HTTP as clients see it, and as files as people see it. */
export interface Board {
  hall: Hall;
  projectId: string;
  /** Calls below the project: `ask("GET", "/tasks")`. */
  ask: Ask;
  /** Creates a task and answers it; the title may be given alone. */
  add(body: string | object): Promise<Task>;
  get(taskId: string): Promise<Task>;
  update(taskId: string, body: object): Promise<Task>;
  move(taskId: string, status: string): Promise<Task>;
  list(query?: string): Promise<{ tasks: Task[]; invalid: Problem[]; nextCursor?: string | undefined }>;
  /** Absolute path of a file of the project. */
  at(path: string): string;
  read(path: string): string;
  /** Writes a file of the project by hand, making its folder if need be. */
  write(path: string, content: string | Uint8Array): void;
  /** Files of the board, as `todo/TASK-001.md`, sorted. */
  files(): string[];
}

export async function startBoard(hall?: Hall, projectId = "alpha"): Promise<Board> {
  const open = hall ?? (await startHall());
  const made = await open.call("POST", "/api/projects", { id: projectId, name: projectId });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return boardOf(open, projectId);
}

export function boardOf(hall: Hall, projectId = "alpha"): Board {
  const ask: Ask = (method, path, body, headers) =>
    hall.call(method, `/api/projects/${projectId}${path}`, body, headers);
  const wanted = async <Body>(status: number, answer: Promise<Answer<Body>>) => {
    const { status: found, body } = await answer;
    expect(found, JSON.stringify(body)).toBe(status);
    return body;
  };
  const at = (path: string) => join(hall.workspace, "projects", projectId, path);
  return {
    hall,
    projectId,
    ask,
    add: async (body) =>
      (await wanted(201, ask("POST", "/tasks", typeof body === "string" ? { title: body } : body))).task,
    get: async (taskId) => (await wanted(200, ask("GET", `/tasks/${taskId}`))).task,
    update: async (taskId, body) => (await wanted(200, ask("PUT", `/tasks/${taskId}`, body))).task,
    move: async (taskId, status) => (await wanted(200, ask("POST", `/tasks/${taskId}/move`, { status }))).task,
    list: (query = "") => wanted(200, ask("GET", `/tasks${query}`)),
    at,
    read: (path) => readFileSync(at(path), "utf8"),
    write: (path, content) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    },
    files: () =>
      readdirSync(at("TASKS"), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap((entry) => readdirSync(at(`TASKS/${entry.name}`)).map((name) => `${entry.name}/${name}`))
        .sort(),
  };
}

/** A board with one of everything that the index keeps: a role, an assignment with overrides, a task with all its parts. */
export async function furnishedBoard(): Promise<Board> {
  const board = await startBoard();
  const { call } = board.hall;
  await call("POST", "/api/roles", { template: "coder", id: "coder" });
  await call("PUT", "/api/projects/alpha", { goals: ["Ship"], techStack: { languages: ["TypeScript"] } });
  await board.ask("POST", "/team", { roleId: "coder", modelConfig: { model: "sonnet" }, skills: ["read"] });
  await board.add({
    title: "Write the login page",
    description: "With a form.",
    type: "feature",
    priority: "high",
    status: "in-progress",
    assignedRoleId: "coder",
    assignedSubAgentId: "run-1",
    context: { files: ["src/login.ts"] },
    result: { summary: "Half done" },
  });
  return board;
}

/** The events of the log, oldest first; `query` as the endpoint takes it. */
export async function eventsOf(hall: Hall, query = "limit=1000"): Promise<HallEvent[]> {
  return (await hall.call("GET", `/api/events/log?${query}`)).body.events;
}

/** Waits until the log tells of something. */
export async function eventTold(hall: Hall, isWanted: (event: HallEvent) => boolean): Promise<HallEvent> {
  const events = await eventually(
    () => eventsOf(hall),
    (found) => found.some(isWanted),
  );
  return events.find(isWanted) as HallEvent;
}

/** A task file as a person would write it. */
export function handMade(id: string, front: Record<string, string> = {}, body = `# ${id} by hand\n`): string {
  const lines = Object.entries({ id, ...front }).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n${lines.join("")}---\n${body}`;
}

/** Pages that follow a little later, and what git commands of the daemon leave for a moment. */
const PASSING = /(?:^|\/)(?:README|TEAM)\.md$|^\.guildhall\/git\//;

/** All files below a folder with their content, to see that nothing changed; without those that come and go. */
export function contentsOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = filesBelow(folder).filter(({ path }) => !PASSING.test(path));
  return Object.fromEntries(files.map(({ path, bytes }) => [path, bytes.toString()]));
}
