import { describe, expect, it, onTestFinished } from "vitest";
import { type EndpointName, endpoints } from "../../src/contract/endpoints.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import { type Answer, type Hall, temporaryFolder } from "../harness/daemon.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CrashingHall, EVENTS } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

type PostEndpoint = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends `POST ${string}` ? Name : never;
}[EndpointName];

interface Keyed {
  path: string;
  body: (id: string) => object;
  /** The file that holds the change, to die around its appearance. */
  file: string;
  /** What the request made, as its answer tells. */
  made: (body: Answer["body"]) => unknown;
  /** How many of them there are by now. */
  count: (hall: Hall) => Promise<number>;
}

const inShop = "/api/projects/shop";
const listed = (path: string, name: string) => async (hall: Hall) =>
  ((await hall.call("GET", path)).body[name] as unknown[]).length;
const task: Pick<Keyed, "file" | "made" | "count"> = {
  file: "/TASKS/todo/TASK-\\d+\\.md$",
  made: (body) => body.task.id,
  count: listed(`${inShop}/tasks?limit=1000`, "tasks"),
};

/** What each POST does when it is cut off and sent again under its key; a route without a line here does not compile. */
const cases: Record<PostEndpoint, Keyed | { elsewhere: string } | { repeatable: string }> = {
  createArtifact: {
    path: `${inShop}/artifacts`,
    body: () => ({ name: "note.md", content: "# Note\n" }),
    file: "/ARTIFACTS/[^/]+/note[^/]*\\.md$",
    made: (body) => body.artifact.path,
    count: listed(`${inShop}/artifacts?limit=1000`, "artifacts"),
  },
  createInitiative: {
    path: `${inShop}/initiatives`,
    body: (id) => ({ title: `Launch ${id}` }),
    file: "/plans/[^/]+/plan\\.md$",
    made: (body) => body.initiative.slug,
    count: listed(`${inShop}/initiatives`, "initiatives"),
  },
  createTask: { path: `${inShop}/tasks`, body: () => ({ title: "One" }), ...task },
  createTaskAnywhere: { path: "/api/tasks", body: () => ({ title: "One", projectId: "shop" }), ...task },
  createRole: {
    path: "/api/roles",
    body: (id) => ({ id: `role-${id}`, name: "Role" }),
    file: "/ROLES\\.json$",
    made: (body) => body.role.id,
    count: listed("/api/roles?limit=1000", "roles"),
  },
  createProject: {
    path: "/api/projects",
    body: (id) => ({ id: `project-${id}`, name: "Project" }),
    file: "/projects/project-[^/]+$",
    made: (body) => body.project.id,
    count: listed("/api/projects?limit=1000", "projects"),
  },
  addKnowledge: {
    path: "/api/knowledge",
    body: (id) => ({ project: "shop", text: `It is known ${id}.` }),
    file: "/knowledge/[^/]+\\.md$",
    made: (body) => body.statement.text,
    count: listed("/api/knowledge?project=shop&limit=1000", "statements"),
  },
  createAssignment: { elsewhere: "kill.test.ts" },
  moveTask: { elsewhere: "kill.test.ts" },
  moveProject: { elsewhere: "kill.test.ts" },
  importRole: { elsewhere: "createRole: the same write" },
  beginProject: { elsewhere: "createProject: the same write, and a team that is completed" },
  spawn: { elsewhere: "runs-spawn.test.ts" },
  spawnInProject: { elsewhere: "runs-spawn.test.ts" },
  retryRun: { elsewhere: "runs-spawn.test.ts" },
  messageRun: { elsewhere: "runs-messages.test.ts" },
  approveRun: { elsewhere: "runs-worktrees.test.ts" },
  revertRun: { elsewhere: "runs-worktrees.test.ts" },
  rejectRun: { elsewhere: "runs-review.test.ts" },
  rollback: { elsewhere: "checkpoints.test.ts" },
  sendChat: { elsewhere: "talk-kill.test.ts" },
  messageProject: { elsewhere: "talk-kill.test.ts" },
  cancelRun: { elsewhere: "runs-cancel.test.ts" },
  promoteKnowledge: { repeatable: "a statement that is there is merged into itself" },
  acceptSkill: { repeatable: "what is accepted stays accepted" },
  stopDaemon: { repeatable: "what is stopped stays stopped" },
  stopRuns: { repeatable: "what is stopped stays stopped" },
  stopChat: { repeatable: "what is stopped stays stopped" },
  stopProjectAnswer: { repeatable: "what is stopped stays stopped" },
  createBrowserLink: { repeatable: "a link that was not seen signs nobody in" },
  openBrowserSession: { repeatable: "it takes no key" },
  previewRole: { repeatable: "it changes nothing" },
  testModel: { repeatable: "it changes nothing but the ledger" },
  acceptInstructions: { repeatable: "the same content is accepted, by its hash" },
  confirmWorkdir: { repeatable: "the same folder is confirmed, by its fingerprint" },
  rebuildIndex: { repeatable: "an index that was rebuilt is rebuilt again" },
};

const keyed = Object.entries(cases).flatMap(([name, one]) => ("path" in one ? [[name, one] as const] : []));
const steps = keyed.flatMap(([name, one]): [name: string, one: Keyed, point: CrashPoint][] => {
  const victim = "daemon" as const;
  return [
    [`${name} before its event`, one, { victim, file: EVENTS, when: "before" }],
    [`${name} before its file`, one, { victim, file: one.file, when: "before" }],
    [`${name} after its file`, one, { victim, file: one.file, when: "after" }],
    [`${name} after its event`, one, { victim, file: EVENTS, when: "after" }],
  ];
});

describe("a keyed request that is cut off by a crash", { timeout: 600_000 }, () => {
  it("does once what it asks for, and is answered with it when it is sent again", async () => {
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    const hall = await crashing.start();
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    for (const [at, [name, one, point]] of sampled([...steps.entries()], { every: 4 })) {
      const id = `n${at}`;
      const ask = () => crashing.hall.call("POST", one.path, one.body(id), { "idempotency-key": `key-${id}` });
      const before = await one.count(crashing.hall);
      crashing.arm(point);
      await expect(ask(), name).rejects.toThrow();
      await crashing.struck(point);
      const again = await ask();
      expect(again.status, `${name}: ${JSON.stringify(again.body)}`).toBe(201);
      expect(one.made((await ask()).body), name).toEqual(one.made(again.body));
      expect(await one.count(crashing.hall), name).toBe(before + 1);
    }
    const { events } = (await crashing.hall.call("GET", "/api/events/log?tail=1000")).body as { events: HallEvent[] };
    const plain = events.filter(({ file = "" }) => /\/(?:ARTIFACTS|plans)\//.test(file));
    expect(plain.length).toBeGreaterThan(1);
    expect(plain.filter(({ actor }) => actor.via === "file")).toEqual([]);
    expect((await crashing.hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  });

  it("is known for every route that takes a key", () => {
    const posts = Object.entries(endpoints).filter(([, address]) => address.startsWith("POST "));
    expect(posts.map(([name]) => name).sort()).toEqual(Object.keys(cases).sort());
  });
});
