import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrorBody } from "../../src/contract/error-body.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import { type Answer, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { furnish, PROJECT, spawnBody } from "../harness/spawned-runs.ts";
import { type FailingIndex, type Fault, failingIndex } from "./failing-index.ts";
import { dump } from "./whole-workspace.ts";

const DEPTH = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 0);
const ROUNDS = Math.max(5, Math.floor(DEPTH / 10));
const KINDS = ["EIO", "ENOSPC", "corrupt"] as const;
/** About as many as the creation of a project takes. */
const STATEMENTS = 30;
const PLAYBOOK = `
turns:
  - calls: [{tool: write, input: {path: a.md, content: a}}]
  - text: Done.
`;

interface Stage {
  hall: Hall;
  index: FailingIndex;
}

async function stage(): Promise<Stage> {
  const workspace = join(temporaryFolder(), "workspace");
  const index = failingIndex(workspace);
  const hall = await furnish(await startHall(workspace), { play: PLAYBOOK });
  return { hall, index };
}

/** One of everything that is acknowledged, each looked up right after, and a run that is waited for. */
async function work(hall: Hall, round: number, refusals: "none" | "retryable" = "none"): Promise<void> {
  const retried = async <Body extends ErrorBody>(ask: () => Promise<Answer<Body>>): Promise<Answer<Body>> => {
    for (;;) {
      const answer = await ask();
      if (refusals === "none" || answer.body.error?.retryable !== true) return answer;
    }
  };
  const post = <const Path extends string>(path: Path, body: object) => {
    const key = { "idempotency-key": `${round}${path}` };
    return retried(() => hall.call("POST", path, body, key));
  };
  const project = `p${round}`;
  const made: [path: string, body: object, read: string][] = [
    ["/api/projects", { id: project, name: "P" }, `/api/projects/${project}`],
    ["/api/roles", { id: `r${round}`, name: "R" }, `/api/roles/r${round}`],
    [`/api/projects/${project}/tasks`, { title: "One" }, `/api/projects/${project}/tasks/TASK-001`],
    [`/api/projects/${project}/artifacts`, { name: "a.md", content: "# A\n" }, `/api/projects/${project}/artifacts`],
    [`/api/projects/${project}/tasks/TASK-001/move`, { status: "in-progress" }, `/api/projects/${project}/tasks`],
  ];
  for (const [path, body, read] of made) {
    const answer = await post(path, body);
    expect([path, answer.status, answer.body.error?.message]).toEqual([path, expect.toSatisfy(isDone), undefined]);
    const again = await retried(() => hall.call("GET", read));
    expect([read, again.status, again.body.error?.message]).toEqual([read, 200, undefined]);
  }
  const waiting = { options: { waitForCompletion: true } };
  const spawned = await post("/api/team/spawn", spawnBody("play", `Run ${round}`, waiting));
  expect([spawned.status, spawned.body.status], JSON.stringify(spawned.body)).toEqual([200, "completed"]);
}

function isDone(status: number): boolean {
  return status === 200 || status === 201;
}

/** Half of what a round takes at least: the more often a round asks whether its run is over, the more statements it takes. */
async function fewestStatements(hall: Hall, index: FailingIndex): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (const round of [-1, 0]) {
    index.arm({ kind: "EIO", at: Number.POSITIVE_INFINITY });
    await work(hall, round);
    fewest = Math.min(fewest, index.seen());
  }
  return Math.ceil(fewest / 2);
}

async function handEdits(hall: Hall): Promise<HallEvent[]> {
  const { events } = (await hall.call("GET", "/api/events/log?tail=1000")).body as { events: HallEvent[] };
  return events.filter(({ actor }) => actor.via === "file");
}

async function assertLikeRebuilt(hall: Hall): Promise<void> {
  expect(await handEdits(hall)).toEqual([]);
  // Which also ends the report of the failure.
  const before = await dump(hall);
  expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
  const after = await dump(hall);
  for (const key of ["tasks", "roles", "projects", "perProject", "found"]) expect(after[key]).toEqual(before[key]);
  expect((await hall.call("GET", "/api/problems")).body.problems).toEqual([]);
}

describe("an index whose file fails while the daemon runs", () => {
  it("loses no change and no run when a single statement fails", { timeout: 600_000 }, async () => {
    const { hall, index } = await stage();
    const most = await fewestStatements(hall, index);
    let hits = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      index.arm({ kind: KINDS[round % 3] ?? "EIO", at: 1 + ((round * 7919) % most) });
      await work(hall, round);
      hits += index.disarm();
    }
    expect(hits).toBeGreaterThan(ROUNDS / 2);
    await assertLikeRebuilt(hall);
  });

  it("loses no change and no run when it has to be rebuilt in the middle of something", {
    timeout: 600_000,
  }, async () => {
    const { hall, index } = await stage();
    const most = await fewestStatements(hall, index);
    let hits = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      index.arm({ kind: KINDS[round % 3] ?? "EIO", at: 1 + ((round * 6007) % most), times: 2 });
      await work(hall, round, "retryable");
      hits += index.disarm();
      await assertLikeRebuilt(hall);
    }
    expect(hits).toBeGreaterThan(ROUNDS);
  });

  it("answers a change with what it made, whichever of its statements fails", { timeout: 120_000 }, async () => {
    const { hall, index } = await stage();
    const answers: [at: number, status: number, changed: string | undefined][] = [];
    for (let at = 1; at <= STATEMENTS; at++) {
      index.arm({ kind: KINDS[at % 3] ?? "EIO", at, times: 2 });
      const { status, body } = await hall.call("POST", "/api/projects", { id: `p${at}`, name: "P" });
      index.disarm();
      answers.push([at, status, body.error?.changed]);
    }
    // Of what was saved and could not be shown, the answer says that it may have been saved.
    const isTrue = ([, status, changed]: (typeof answers)[number]) => status === 201 || changed === "unknown";
    expect(answers.filter((answer) => !isTrue(answer))).toEqual([]);
  });

  it.each<[name: string, fault: Fault]>([
    ["nothing can be committed for a while", { kind: "ENOSPC", at: (sql) => sql === "COMMIT", times: 4 }],
    ["a statement fails twice, so that it has to be rebuilt", { kind: "EIO", at: 50, times: 2 }],
    ["its new file fails as well", { kind: "EIO", at: 50, times: 8 }],
    ["a page of it is damaged", { kind: "corrupt", at: (sql) => sql.includes("spawn_sessions"), times: 2 }],
  ])("answers, ends its runs and says so when %s", async (_name, fault) => {
    const { hall, index } = await stage();
    index.arm(fault);
    await work(hall, 1, "retryable");
    expect(index.disarm()).toBeGreaterThan(0);
    await work(hall, 2);
    await assertLikeRebuilt(hall);
  });

  it("reports the failure in problems and in the doctor until it was looked after", async () => {
    const { hall, index } = await stage();
    index.arm({ kind: "EIO", at: 1, times: 2 });
    expect((await hall.call("GET", `/api/projects/${PROJECT}`)).status).toBe(200);
    expect(index.disarm()).toBe(2);
    const { problems } = (await hall.call("GET", "/api/problems")).body;
    expect(problems).toMatchObject([{ kind: "index", severity: "warning" }]);
    expect(problems[0]?.reason).toContain("injected EIO");
    const { checks } = (await hall.call("GET", "/api/doctor")).body;
    expect(checks).toContainEqual(expect.objectContaining({ id: "index", state: "warning" }));
    await assertLikeRebuilt(hall);
  });

  it.each<[name: string, harm: (path: string) => void]>([
    ["overwritten with garbage", (path) => writeFileSync(path, Buffer.alloc(60_000, 7))],
    ["cut short", (path) => truncateSync(path, 5_000)],
    [
      "given another title",
      (path) => writeFileSync(path, readFileSync(path, "latin1").replaceAll("Shop", "Sham"), "latin1"),
    ],
  ])("is rebuilt when its file is %s by another program", async (_name, harm) => {
    const { hall } = await stage();
    harm(join(hall.workspace, ".guildhall/index.db"));
    expect((await hall.call("GET", `/api/projects/${PROJECT}`)).body.project.name).toBe("Shop");
    // A question notices it, before anything is written.
    const { problems } = (await hall.call("GET", "/api/problems")).body;
    expect(problems).toMatchObject([{ kind: "index", reason: expect.stringContaining("another program changed it") }]);
    await work(hall, 1);
    await assertLikeRebuilt(hall);
  });

  it("answers every question that comes while it is rebuilt", async () => {
    const { hall, index } = await stage();
    index.arm({ kind: "EIO", at: 1, times: 2 });
    const ask = () => hall.call("GET", `/api/projects/${PROJECT}`);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(index.disarm()).toBe(2);
  });

  it("refuses reads and writes truthfully while no rebuild succeeds, and answers when one does", async () => {
    const { hall, index } = await stage();
    index.arm({ kind: "EIO", at: 1, times: Number.POSITIVE_INFINITY, inMemory: true });
    const path = `/api/projects/${PROJECT}/tasks`;
    const [read, list, write] = await Promise.all([
      hall.call("GET", `/api/projects/${PROJECT}`),
      hall.call("GET", path),
      hall.call("POST", path, { title: "Refused" }),
    ]);
    for (const { status, body } of [read, list, write]) {
      expect(status).toBe(503);
      expect(body.error).toMatchObject({ code: "storage_failed", changed: "no", retryable: true });
    }
    // What needs no index is answered, and says what is the matter.
    expect((await hall.call("GET", "/api/health")).status).toBe(200);
    const { checks } = (await hall.call("GET", "/api/doctor")).body;
    expect(checks).toContainEqual(
      expect.objectContaining({ id: "index", state: "warning", detail: expect.stringContaining("is being rebuilt") }),
    );
    expect(index.disarm()).toBeGreaterThan(2);
    expect((await hall.call("GET", path)).body.tasks).toEqual([]);
    await work(hall, 1);
    await assertLikeRebuilt(hall);
  });
});
