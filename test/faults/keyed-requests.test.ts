import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { type EndpointName, endpoints } from "../../src/contract/routes/endpoints.ts";
import type { CheckpointList } from "../../src/contract/runs/checkpoint.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";
import type { BodyOf } from "../harness/answer.ts";
import { type Answer, eventually, type Hall, temporaryFolder } from "../harness/daemon.ts";
import { listRuns, SLOW, spawnRun, untilDoing, untilOver, writePlaybook } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall, EVENTS } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

type PostEndpoint = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends `POST ${string}` ? Name : never;
}[EndpointName];

type Made = BodyOf<"createArtifact"> &
  BodyOf<"createInitiative"> &
  BodyOf<"createTask"> &
  BodyOf<"createRole"> &
  BodyOf<"createProject"> &
  BodyOf<"addKnowledge"> &
  BodyOf<"createAnswerRule"> &
  BodyOf<"rollback"> &
  BodyOf<"stopRun">;

interface Keyed {
  /** Where it goes, or what has to be there first and where it goes then. */
  path: string | ((crashing: CrashingHall, id: string) => Promise<string>);
  body: (id: string) => object;
  /** The file that holds the change, to die around its appearance. */
  file: string;
  /** The event that tells of it, where others come before. */
  event?: string;
  /** What the request made, as its answer tells. */
  made: (body: Made) => unknown;
  /** How many of them there are by now. */
  count: (hall: Hall) => Promise<number>;
  /** What it is answered with when it is done, unless something was created. */
  status?: 200;
}

const CHANGE = `
turns:
  - calls:
      - {tool: write, input: {path: one.txt, content: after}}
      - {tool: write, input: {path: two.txt, content: after}}
      - {tool: write, input: {path: three.txt, content: after}}
  - text: Done.
`;

const inShop = "/api/projects/shop";
const listed = (path: string, name: string) => async (hall: Hall) =>
  ((await hall.call("GET", path)).body as object as Record<string, unknown[]>)[name]?.length ?? 0;
const task: Pick<Keyed, "file" | "made" | "count"> = {
  file: "/TASKS/todo/TASK-\\d+\\.md$",
  made: (body) => body.task.id,
  count: listed(`${inShop}/tasks?limit=1000`, "tasks"),
};

const told = async (hall: Hall, type: string) =>
  ((await hall.call("GET", `/api/events/log?tail=1000&type=${type}`)).body.events as unknown[]).length;

/** A project of its own with a working folder, in which a run has changed some files. */
async function changedFolder(crashing: CrashingHall, id: string): Promise<string> {
  const { hall } = crashing;
  const workdir = join(dirname(crashing.workspace), `work-${id}`);
  mkdirSync(workdir);
  for (const name of ["one", "two", "three"]) writeFileSync(join(workdir, `${name}.txt`), "before");
  writePlaybook(hall.workspace, "change", CHANGE);
  await hall.call("POST", "/api/roles", { id: "worker", name: "Worker", skills: ["write"] });
  const made = await hall.call("POST", "/api/projects", { id: `in-${id}`, name: "In a folder", workdir });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await untilOver(hall, await spawnRun(hall, "change", "Change them", { projectId: `in-${id}` }));
  const { checkpoints } = (await hall.call("GET", `/api/projects/in-${id}/checkpoints`)).body as CheckpointList;
  const start = checkpoints.find(({ reason }) => reason === "run-start");
  return `/api/projects/in-${id}/checkpoints/${start?.id}/rollback`;
}

/** A run that thinks until it is stopped. */
async function thinkingRun({ hall }: CrashingHall): Promise<string> {
  writePlaybook(hall.workspace, "slow", SLOW);
  await hall.call("POST", "/api/roles", { id: "worker", name: "Worker", skills: ["write"] });
  const runId = await spawnRun(hall, "slow", "Think");
  await untilDoing(hall, runId, { kind: "thinking" });
  return `/api/runs/${runId}/stop`;
}

/** How many runs have ended, once none is under way. */
async function endedRuns(hall: Hall): Promise<number> {
  await eventually(
    () => listRuns(hall),
    (runs) => runs.every(isOver),
  );
  return told(hall, "run.ended");
}

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
  createAnswerRule: {
    path: "/api/answer-rules",
    body: (id) => ({ question: `Which ${id}?`, resolution: "The first.", scope: "hall" }),
    file: "/policies/answers\\.yml$",
    made: (body) => body.rule.id,
    count: listed("/api/answer-rules", "rules"),
  },
  rollback: {
    path: changedFolder,
    body: () => ({}),
    file: "/work-[^/]+/two\\.txt$",
    made: ({ checkpointId, restored, left }) => ({ checkpointId, restored, left }),
    event: "checkpoint.rolledback",
    count: (hall) => told(hall, "checkpoint.rolledback"),
    status: 200,
  },
  stopRun: {
    path: thinkingRun,
    body: () => ({}),
    file: BOOK,
    made: ({ run }) => run.id,
    event: "run.ended",
    count: endedRuns,
    status: 200,
  },
  createAssignment: { elsewhere: "kill.test.ts" },
  moveTask: { elsewhere: "kill.test.ts" },
  moveProject: { elsewhere: "kill.test.ts" },
  importFolder: { repeatable: "what was imported is there, and is not imported again" },
  importRole: { elsewhere: "createRole: the same write" },
  beginProject: { elsewhere: "createProject: the same write, and a team that is completed" },
  spawn: { elsewhere: "runs-spawn.test.ts" },
  spawnInProject: { elsewhere: "runs-spawn.test.ts" },
  retryRun: { elsewhere: "runs-spawn.test.ts" },
  messageRun: { elsewhere: "runs-messages.test.ts" },
  approveRun: { elsewhere: "runs-worktrees.test.ts" },
  revertRun: { elsewhere: "runs-worktrees.test.ts" },
  discardRun: { elsewhere: "runs-review.test.ts" },
  undoDiscard: { elsewhere: "runs-review.test.ts" },
  requestChanges: { elsewhere: "runs-review.test.ts" },
  sendChat: { elsewhere: "talk-kill.test.ts" },
  messageProject: { elsewhere: "talk-kill.test.ts" },
  createEscalation: { elsewhere: "test/faults/escalations.test.ts" },
  resolveEscalation: { elsewhere: "test/faults/escalations.test.ts" },
  promoteEscalation: { repeatable: "what is pending stays pending" },
  dismissEscalation: { elsewhere: "test/faults/escalations.test.ts" },
  undoEscalation: { elsewhere: "test/faults/escalations.test.ts" },
  snoozeEscalation: { repeatable: "a time that is set again is the same time" },
  handEscalation: { repeatable: "what an agent has already is not given to it again" },
  promoteKnowledge: { repeatable: "a statement that is there is merged into itself" },
  supersedeKnowledge: { repeatable: "what is superseded stays superseded" },
  acceptKnowledge: { repeatable: "what is accepted stays accepted" },
  acceptSkill: { repeatable: "what is accepted stays accepted" },
  acceptHook: { repeatable: "what is accepted stays accepted" },
  testHook: { repeatable: "it changes nothing" },
  createGate: { elsewhere: "test/faults/gates.test.ts" },
  cancelGate: { repeatable: "what is over stays over" },
  waiveFinding: { repeatable: "what is waived stays waived" },
  createIntegrationCheck: { elsewhere: "test/faults/gates.test.ts" },
  waiveIntegrationFinding: { repeatable: "what is waived stays waived" },
  startLead: { elsewhere: "test/faults/leads.test.ts" },
  stopLead: { elsewhere: "test/faults/leads.test.ts" },
  createTrigger: { elsewhere: "test/flows/triggers.test.ts" },
  pauseTrigger: { repeatable: "what is paused stays paused" },
  resumeTrigger: { repeatable: "what works goes on working" },
  runTrigger: { elsewhere: "test/flows/triggers.test.ts" },
  pauseOrchestrator: { repeatable: "what is paused stays paused" },
  resumeOrchestrator: { repeatable: "what works goes on working" },
  runCycle: { elsewhere: "test/flows/orchestrator.test.ts" },
  testTrigger: { repeatable: "it changes nothing" },
  createTeam: { elsewhere: "test/faults/teams.test.ts" },
  importTeam: { elsewhere: "createTeam: the same write" },
  approvePlan: { elsewhere: "test/faults/teams.test.ts" },
  rejectPlan: { elsewhere: "test/faults/teams.test.ts" },
  sendTeamMessage: { elsewhere: "test/faults/team-messages.test.ts" },
  sendMemberMessage: { elsewhere: "test/faults/team-messages.test.ts" },
  pauseTeam: { repeatable: "what is paused stays paused" },
  resumeTeam: { repeatable: "what works goes on working" },
  stopTeam: { repeatable: "what is stopped stays stopped" },
  cleanUpTeam: { repeatable: "what is archived stays archived" },
  setTeamAutonomy: { repeatable: "what is set stays set" },
  swapMemberModel: { repeatable: "the same model is set again" },
  stopMember: { repeatable: "what is stopped stays stopped" },
  stopDaemon: { repeatable: "what is stopped stays stopped" },
  restartDaemon: { repeatable: "a daemon that stops to be started again is started once" },
  stopRuns: { repeatable: "what is stopped stays stopped" },
  stopChat: { repeatable: "what is stopped stays stopped" },
  stopProjectAnswer: { repeatable: "what is stopped stays stopped" },
  createPairLink: { repeatable: "a link that was not seen pairs no device" },
  createBrowserLink: { repeatable: "a link that was not seen signs nobody in" },
  openBrowserSession: { repeatable: "it takes no key" },
  previewRole: { repeatable: "it changes nothing" },
  testModel: { repeatable: "it changes nothing but the ledger" },
  testProvider: { repeatable: "it changes nothing but the ledger" },
  acceptInstructions: { repeatable: "the same content is accepted, by its hash" },
  startClone: { repeatable: "a folder that is taken is refused, and a clone that was cut off left nothing there" },
  createFirstCommit: { repeatable: "a repository that has a commit is refused" },
  confirmWorkdir: { repeatable: "the same folder is confirmed, by its fingerprint" },
  rebuildIndex: { repeatable: "an index that was rebuilt is rebuilt again" },
};

const keyed = Object.entries(cases).flatMap(([name, one]) => ("path" in one ? [[name, one] as const] : []));
const steps = keyed.flatMap(([name, one]): [name: string, one: Keyed, point: CrashPoint][] => {
  const victim = "daemon" as const;
  const event = { file: EVENTS, ...(one.event && { text: `"${one.event}"` }) };
  return [
    [`${name} before its event`, one, { victim, ...event, when: "before" }],
    [`${name} before its file`, one, { victim, file: one.file, when: "before" }],
    [`${name} after its file`, one, { victim, file: one.file, when: "after" }],
    [`${name} after its event`, one, { victim, ...event, when: "after" }],
  ];
});

describe("a keyed request that is cut off by a crash", { timeout: 600_000 }, () => {
  it("does once what it asks for, and is answered with it when it is sent again", async () => {
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    const hall = await crashing.start();
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    const asked: { name: string; one: Keyed; ask: () => Promise<Answer<Made>>; made: unknown }[] = [];
    for (const [at, [name, one, point]] of sampled([...steps.entries()], { every: 8 })) {
      const id = `n${at}`;
      const before = await one.count(crashing.hall);
      const path = typeof one.path === "string" ? one.path : await one.path(crashing, id);
      const headers = { "idempotency-key": `key-${id}` };
      const ask = async () => (await crashing.hall.call("POST", path, one.body(id), headers)) as Answer<Made>;
      crashing.arm(point);
      await expect(ask(), name).rejects.toThrow();
      await crashing.struck(point);
      const again = await ask();
      expect(again.status, `${name}: ${JSON.stringify(again.body)}`).toBe(one.status ?? 201);
      expect(one.made((await ask()).body), name).toEqual(one.made(again.body));
      expect(await one.count(crashing.hall), name).toBe(before + 1);
      asked.push({ name, one, ask, made: one.made(again.body) });
    }
    await crashing.killAndStart();
    const counts = await Promise.all(asked.map(({ one }) => one.count(crashing.hall)));
    for (const { name, ask, one, made } of asked)
      expect(one.made((await ask()).body), `${name}, after the next kill`).toEqual(made);
    expect(await Promise.all(asked.map(({ one }) => one.count(crashing.hall)))).toEqual(counts);
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
