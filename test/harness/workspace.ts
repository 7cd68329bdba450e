import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { ErrorBody } from "../../src/contract/error-body.ts";
import { type ErrorCode, errorTable } from "../../src/contract/errors.ts";
import type { BodyOf } from "./answer.ts";
import { type Answer, eventually, type Hall, startHall } from "./daemon.ts";

// biome-ignore lint/suspicious/noExplicitAny: files are looked into freely by tests; people may have written anything
export type Seen = any;

/** A hall with its files: over HTTP as clients see it, and on disk as people see it. */
export interface Workspace {
  hall: Hall;
  call: Hall["call"];
  addRole(body: object): Promise<BodyOf<"createRole">["role"]>;
  addProject(body: string | object): Promise<BodyOf<"createProject">["project"]>;
  assign(projectId: string, body: string | object): Promise<BodyOf<"createAssignment">["assignment"]>;
  project(id: string): Promise<BodyOf<"getProject">["project"]>;
  role(id: string): Promise<BodyOf<"getRole">["role"]>;
  /** Absolute path of a file of the workspace. */
  at(path: string): string;
  exists(path: string): boolean;
  names(folder: string): string[];
  text(path: string): string;
  json(path: string): Seen;
  /** Waits until a page that is generated holds these words, and answers its text. */
  page(path: string, ...words: string[]): Promise<string>;
  /** Writes a file by hand, making its folder if need be. */
  write(path: string, content: string | Uint8Array): void;
  /** Changes a file by hand; what is to be replaced must be there. */
  edit(path: string, from: string | RegExp, to: string): void;
  /** Stops the daemon, lets `meanwhile` work on the files, and starts another one. */
  restart(meanwhile?: () => void): Promise<Workspace>;
}

export async function startWorkspace(folder?: string): Promise<Workspace> {
  const hall = await startHall(folder);
  return { hall, call: hall.call, ...documentsOf(hall), ...filesOf(hall.workspace), restart: restartOf(hall) };
}

export async function wanted<Body>(status: number, asked: Promise<Answer<Body>>): Promise<Body> {
  const answer = await asked;
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
}

/** The error of an answer that must be this refusal. */
export async function refused(code: ErrorCode, asked: Promise<Answer>): Promise<ErrorBody["error"]> {
  const answer = await asked;
  expect(answer.body, `status ${answer.status}`).toMatchObject({ error: { code } });
  expect(answer.status).toBe(errorTable[code].status);
  return (answer.body as ErrorBody).error;
}

function documentsOf({ call }: Hall) {
  const named = (body: string | object, name: string) => (typeof body === "string" ? { [name]: body } : body);
  return {
    addRole: async (body: object) => (await wanted(201, call("POST", "/api/roles", body))).role,
    addProject: async (body: string | object) =>
      (await wanted(201, call("POST", "/api/projects", named(body, "name")))).project,
    assign: async (projectId: string, body: string | object) =>
      (await wanted(201, call("POST", `/api/projects/${projectId}/team`, named(body, "roleId")))).assignment,
    project: async (id: string) => (await wanted(200, call("GET", `/api/projects/${id}`))).project,
    role: async (id: string) => (await wanted(200, call("GET", `/api/roles/${id}`))).role,
  };
}

function filesOf(folder: string) {
  const at = (path: string) => join(folder, path);
  const text = (path: string) => readFileSync(at(path), "utf8");
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  return {
    at,
    text,
    write,
    exists: (path: string) => existsSync(at(path)),
    names: (path: string) => readdirSync(at(path)).sort(),
    json: (path: string): Seen => JSON.parse(text(path)),
    page: (path: string, ...words: string[]) =>
      eventually(
        () => (existsSync(at(path)) ? text(path) : ""),
        (shown) => words.every((word) => shown.includes(word)),
      ),
    edit: (path: string, from: string | RegExp, to: string) => {
      const before = text(path);
      const after = before.replace(from, to);
      expect(after, `nothing to replace in ${path}`).not.toBe(before);
      write(path, after);
    },
  };
}

function restartOf(hall: Hall) {
  return async (meanwhile: () => void = () => undefined) => {
    await hall.stop();
    meanwhile();
    return startWorkspace(hall.workspace);
  };
}
