import { describe, expect, test } from "vitest";
import { type House, house } from "../../test/fakes/house.ts";
import { ErrorBody } from "../contract/error-body.ts";
import { HallError } from "../contract/errors.ts";
import { type EndpointName, endpoints } from "../contract/routes/endpoints.ts";
import type { Route } from "../contract/routes/route.ts";
import { routes } from "../contract/routes/routes.ts";
import { isStream } from "./addresses.ts";

const TASK = "/api/projects/alpha/tasks/TASK-001";

const bodies: { [Name in EndpointName]?: object } = {
  createRole: { name: "Developer" },
  updateRole: { description: "Writes code." },
  createProject: { name: "Alpha" },
  beginProject: { path: "/code/alpha" },
  updateProject: { description: "First." },
  importFolder: { folder: "/home/me/.superbot2" },
  describeProject: { section: "Goals", text: "Sell books" },
  moveProject: { status: "suspended" },
  confirmWorkdir: { fingerprint: "f1" },
  answerReviewOffer: { enable: true },
  createPairLink: {},
  startClone: { url: "https://example.org/shop.git" },
  rollback: { dryRun: true },
  createAssignment: { roleId: "developer" },
  updateAssignment: { status: "paused" },
  createTask: { title: "Do it" },
  updateTask: { title: "Do it well" },
  moveTask: { status: "in_progress" },
  createTaskAnywhere: { projectId: "alpha", title: "Do it" },
  createInitiative: { title: "Launch" },
  updateInitiative: { status: "paused" },
  createArtifact: { name: "a.md", content: "x" },
  writeContext: { path: "notes.md", content: "x" },
  addKnowledge: { text: "Use pnpm." },
  promoteKnowledge: { project: "alpha", id: "conventions-0123456789" },
  acceptKnowledge: {},
  supersedeKnowledge: {},
  updateKnowledge: { text: "Use npm." },
  sendChat: { text: "Hello" },
  stopChat: {},
  messageProject: { text: "Hello" },
  writeMemory: { path: "facts/door.md", content: "x" },
  writeMainMemory: { path: "facts/door.md", content: "x" },
  spawn: { roleId: "developer", task: { title: "Do it" } },
  spawnInProject: { roleId: "developer", taskId: "TASK-001" },
  messageRun: { text: "Look again" },
  updateBudget: { runUsd: 9 },
  setModelPrice: { model: "own/m", input: 1, output: 2 },
  approveRun: { hash: "0123" },
  acceptSkill: { hash: "0123" },
  acceptInstructions: { path: "AGENTS.md", hash: "0123" },
  importRole: { text: "---\nname: developer\n---\n" },
  previewRole: { role: { name: "Baker" } },
  discardRun: { task: "pending" },
  requestChanges: { feedback: "Do it better" },
  createTeam: { goal: "Add a cart" },
  createTrigger: { name: "nightly", on: { interval: "30m" }, do: { message: "Tidy up" } },
  updateTrigger: { on: { interval: "1h" } },
  importTeam: { files: {} },
  updateRoleSpec: { text: "# Developer" },
  updateTeamSpec: { text: "# Cart" },
  approvePlan: {},
  rejectPlan: { remarks: "Split the second task" },
  sendTeamMessage: { text: "Hello" },
  sendMemberMessage: { text: "Hello" },
  setTeamAutonomy: { mode: "smart" },
  updateTeamBudget: { budgetUsd: 10 },
  swapMemberModel: { model: "test/large" },
  createIntegrationCheck: { branch: "main" },
  waiveFinding: { findingId: "f1", reason: "Known" },
  waiveIntegrationFinding: { findingId: "f1", reason: "Known" },
  testModel: {},
  updateSettings: { set: { "limits.runs": 4 } },
  setProviderKey: { key: "test-key-0123" },
  testProvider: {},
  createEscalation: { type: "question", question: "Redis or Memcached?" },
  resolveEscalation: { answer: "Redis" },
  promoteEscalation: {},
  dismissEscalation: { reason: "Not needed" },
  undoEscalation: {},
  snoozeEscalation: { until: null },
  handEscalation: {},
  createAnswerRule: { question: "Redis or Memcached?", resolution: "Redis.", scope: "hall" },
  updateAnswerRule: { resolution: "Memcached." },
  updateHook: { enabled: false },
  testHook: {},
  acceptHook: { hash: "0123" },
};
const MEMORY = "?path=facts/door.md";
const queries: { [Name in EndpointName]?: string } = {
  readFile: "?path=CONTEXT/notes.md",
  readMemory: MEMORY,
  removeMemory: MEMORY,
  readMainMemory: MEMORY,
  removeMainMemory: MEMORY,
  search: "?q=x",
  previewClone: "?url=https://example.org/shop.git",
};

function askFor(name: EndpointName, { ask }: House): Promise<Response> {
  const [method = "", pattern = ""] = endpoints[name].split(" ");
  const id = pattern.startsWith("/api/roles") ? "developer" : "alpha";
  const path = pattern
    .replace(":id", id)
    .replace(":name", "lab")
    .replace(":taskId", "TASK-001")
    .replace(":assignmentId", "developer")
    .replace(/:(?:run|session)Id/, "run-1");
  const body = bodies[name];
  return ask(method, path + (queries[name] ?? ""), body ? { body } : {});
}

async function errorOf(answer: Response) {
  return ErrorBody.parse(await answer.json()).error;
}

describe("every endpoint", () => {
  // One needs a code in place of the token: browser-door.test.ts.
  const names = (Object.keys(endpoints) as EndpointName[]).filter(
    (name) => !isStream(name) && name !== "openBrowserSession",
  );

  test.each(names)("%s answers as the contract says", async (name) => {
    const answer = await askFor(name, house());
    const route: Route = routes[name];
    expect(answer.status).toBe(route.status ?? 200);
    route.response.parse(await answer.json());
  });

  test.each(names.filter((name) => name !== "getHealth"))("%s needs the token", async (name) => {
    const guarded = house({ token: "another" });
    expect((await askFor(name, guarded)).status).toBe(401);
    expect(guarded.changes).toEqual([]);
  });
});

test("an answer is stopped also without a body, in the channel that is meant then", async () => {
  for (const sent of [{}, { body: {} }, { body: { channel: "other" } }])
    expect((await house().ask("POST", "/api/chat/stop", sent)).status).toBe(200);
  expect((await house().ask("POST", "/api/chat/stop", { body: { chanel: "x" } })).status).toBe(422);
  expect((await house().ask("POST", "/api/chat", {})).status).toBe(415);
});

describe("finding the endpoint", () => {
  test("fixed paths come before parameters [S0-API-06]", async () => {
    expect(await (await house().ask("GET", "/api/roles/templates")).json()).toHaveProperty("templates");
    expect(await (await house().ask("GET", "/api/roles/suggestions")).json()).toHaveProperty("suggestions");
  });

  test("nothing there is 404, also for odd spellings of a path", async () => {
    for (const path of [
      "/api/nothing",
      "/nothing",
      "/api/roles/",
      "//api/roles",
      "/%61pi/roles",
      "/api%2Froles",
      "/API/roles",
    ]) {
      const answer = await house().ask("GET", path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect((await errorOf(answer)).code).toBe("route_not_found");
    }
  });

  test.each([
    ["PUT", "/api/projects", "GET, HEAD, POST"],
    ["PATCH", TASK, "GET, HEAD, PUT"],
    ["OPTIONS", "/api/projects/alpha", "DELETE, GET, HEAD, PUT"],
    ["POST", "/", "GET, HEAD"],
    ["DELETE", "/api/docs", "GET, HEAD"],
  ])("%s %s is 405 and says what is allowed", async (method, path, allow) => {
    const answer = await house().ask(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
  });

  test("HEAD answers like GET without a body", async () => {
    const answer = await house().ask("HEAD", TASK);
    expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([200, '"TASK-001-v1"', ""]);
  });

  test("a parameter is decoded once", async () => {
    const asked: string[] = [];
    const { hall, ask } = house();
    hall.projects.get = (id) => {
      asked.push(id);
      throw new HallError("project_not_found", "no");
    };
    await ask("GET", "/api/projects/a%252fb");
    await ask("GET", "/api/projects/__proto__");
    expect(asked).toEqual(["a%2fb", "__proto__"]);
  });
});

describe("every answer", () => {
  test.each([
    ["GET", TASK, 200],
    ["GET", "/", 200],
    ["GET", "/api/docs", 200],
    ["GET", "/nothing", 404],
    ["PUT", "/api/projects", 405],
    ["GET", "/api/projects/%", 400],
  ])("%s %s carries the security headers and its id", async (method, path, status) => {
    const answer = await house().ask(method, path);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-request-id": "request-1",
    });
  });

  test("a refusal without token says how to come in", async () => {
    const answer = await house().ask("GET", TASK, { headers: { authorization: "" } });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="guildhall"');
  });
});

describe("failures", () => {
  const failing = (error: unknown) => {
    const home = house();
    home.hall.tasks.get = () => Promise.reject(error);
    return home;
  };

  test("a refused request is told why, where and what to do", async () => {
    const place = { file: "projects/alpha/TASKS/todo/TASK-001.md", line: 4 };
    const { ask, logged } = failing(new HallError("file_invalid", "status: is not known", place));
    const answer = await ask("GET", TASK);
    expect(answer.status).toBe(409);
    expect(await errorOf(answer)).toEqual({
      code: "file_invalid",
      message: "status: is not known",
      ...place,
      hint: "Fix the file; it reloads on save.",
      requestId: "request-1",
    });
    expect(logged).toEqual([]);
  });

  test("a defect shows nothing of itself outside and everything in the log", async () => {
    const { ask, logged } = failing(new Error("secret /home/someone"));
    const answer = await ask("GET", TASK);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain("secret");
    expect(logged).toMatchObject([
      { level: "error", requestId: "request-1", stack: expect.stringContaining("secret") },
    ]);
  });

  test.each(["ENOSPC", "EROFS", "EDQUOT", "EMFILE", "EIO"])("%s is a failure of the storage", async (code) => {
    const { ask } = failing(Object.assign(new Error("write /home/someone/x"), { code }));
    const answer = await ask("GET", TASK);
    expect(answer.status).toBe(503);
    expect(await errorOf(answer)).toMatchObject({ code: "storage_failed", message: expect.stringContaining(code) });
  });

  test("a full disk under the index is a failure of the storage too", async () => {
    const cause = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
    expect((await failing(new Error("index", { cause })).ask("GET", TASK)).status).toBe(503);
  });
});
