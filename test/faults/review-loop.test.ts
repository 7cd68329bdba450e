import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GateReport } from "../../src/contract/documents/quality/gate.ts";
import type { GateReview } from "../../src/contract/documents/quality/review.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import type { Ruling } from "../fakes/fake-engine.ts";
import { eventually, type Hall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { listRuns, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CHANGES, CrashingHall } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

const playbooks = { play: writing({ "a.txt": "agent\n" }) };
const FAIL: Ruling = { verdict: "fail", findings: [{ file: "a.txt", line: 1, message: "Wrong." }] };
const PASS: Ruling = { verdict: "pass" };

/** Where the document of a review comes to be in a state. Its text is a string in a line of the log. */
const inState = (state: string, when: CrashPoint["when"] = "after"): CrashPoint => ({
  ...{ victim: "daemon", file: CHANGES, when },
  text: `gates/reviews[^}]*state[^a-z]+${state}`,
});
const written = (text: string, when: CrashPoint["when"] = "after"): CrashPoint => ({
  ...{ victim: "daemon", file: CHANGES, text, when },
});

// Where a file comes under its name is seen through /proc.
describe.skipIf(process.platform !== "linux")("a review, when the daemon is killed (needs Linux)", () => {
  const points: [name: string, point: CrashPoint][] = [
    ["when the result is taken in", inState("pending")],
    ["before the gate is known", inState("running", "before")],
    ["when the gate is known", inState("running")],
    ["before the verdict is on disk", inState("awaiting-rework", "before")],
    ["when it failed", inState("awaiting-rework")],
    ["when the findings are shown", written("gate-failed")],
    ["when the next run is on disk", written("run\\.created.*continues|continues.*run\\.created")],
    ["when the result was sent back", written("verdict[^a-z]+rejected")],
    ["when it passed", inState("passed")],
    [
      "when it is merged, before that is on disk",
      { victim: "daemon", file: "git", text: "update-ref.*refs/heads/main", when: "after" },
    ],
    [
      "when the merge is on disk, before the task is moved",
      written("type[^a-z]+judged[^}]*delivered|delivered[^}]*review\\."),
    ],
  ];
  it("passes what passed, once, and loses nothing, wherever the crash comes [S1-RL-01]", {
    timeout: 400_000,
  }, async () => {
    const { crashing, repo, rule } = await start();
    rule([FAIL, PASS]);
    for (const [name, point] of sampled(points, { every: 6 })) {
      const before = repo.git("rev-list", "--count", "--merges", "main");
      repo.write("a.txt", `${name}\n`);
      repo.git("commit", "--quiet", "-am", name);
      crashing.arm(point);
      const id = await spawnRun(crashing.hall, "play", name);
      await crashing.struck(point);
      const review = await untilEnded(crashing, id);
      expect(review, name).toMatchObject({ state: "passed", cycle: 2 });
      const { taskId } = review;
      expect(await statusOf(crashing.hall, taskId), name).toBe("done");
      expect(repo.committed("main", "a.txt"), name).toBe("agent");
      expect(Number(repo.git("rev-list", "--count", "--merges", "main")), name).toBe(Number(before) + 1);
      const runs = (await listRuns(crashing.hall)).filter((run) => run.taskId === taskId);
      expect(runs, name).toHaveLength(2);
      expect(repo.branches(), name).toEqual(["main"]);
      const told = (await eventsOf(crashing.hall)).filter(({ after }) => after?.taskId === taskId);
      const types = told.map(({ type }) => type);
      expect(types, name).toEqual(["review.started", "review.failed", "review.started", "review.passed"]);
      const judged = judgedIn(crashing).filter((report) => report.taskId === taskId);
      expect(
        judged.map(({ id: gate }) => gate),
        name,
      ).toEqual(review.cycles.map(({ gateId }) => gateId));
    }
  });

  it("merges nothing that was not judged when the target moved, wherever the crash comes", {
    timeout: 400_000,
  }, async () => {
    const { crashing, repo, rule, folder } = await start();
    rule([PASS]);
    const moving: [string, CrashPoint][] = [
      ["when it passed alone", inState("passed")],
      ["when the target is known to have moved", written("gates/reviews.*onto")],
      [
        "when it is merged, before that is on disk",
        { victim: "daemon", file: "git", text: "update-ref.*refs/heads/main", when: "after" },
      ],
    ];
    for (const [name, point] of sampled(moving, { every: 3 })) {
      repo.write("a.txt", `${name}\n`);
      repo.git("commit", "--quiet", "-am", name);
      const before = repo.git("rev-list", "--count", "--merges", "main");
      writeFileSync(join(folder, "hold"), "");
      const id = await spawnRun(crashing.hall, "play", name);
      await untilOver(crashing.hall, id);
      await eventually(
        () => reviewOf(crashing, id),
        (review) => review?.state === "running",
        30_000,
      );
      repo.write("b.txt", `${name}\n`);
      repo.git("add", "--all");
      repo.git("commit", "--quiet", "-m", `While it is judged: ${name}`);
      const onto = repo.git("rev-parse", "main");
      crashing.arm(point);
      rmSync(join(folder, "hold"));
      await crashing.struck(point);
      const review = await untilEnded(crashing, id);
      expect(review.cycles, name).toMatchObject([{ verdict: "pass" }, { verdict: "pass", onto }]);
      const judged = judgedIn(crashing).filter((report) => report.taskId === review.taskId);
      expect(judged, name).toHaveLength(2);
      expect(repo.committed("main", "a.txt"), name).toBe("agent");
      expect(Number(repo.git("rev-list", "--count", "--merges", "main")), name).toBe(Number(before) + 1);
      const told = (await eventsOf(crashing.hall)).filter(({ after }) => after?.taskId === review.taskId);
      const types = told.map(({ type }) => type);
      expect(types, name).toEqual(["review.started", "review.started", "review.passed"]);
    }
  });

  it("merges what the person approved once, and only when it was judged with the target that moved", {
    timeout: 400_000,
  }, async () => {
    const { crashing, repo, rule } = await start({ constraints: { requireReview: true } });
    rule([PASS]);
    const approving: [string, CrashPoint][] = [
      ["when the approval is on disk", written("review\\.approved")],
      ["when it passed again", written("do[^a-z]+merge")],
      [
        "when it is merged, before that is on disk",
        { victim: "daemon", file: "git", text: "update-ref.*refs/heads/main", when: "after" },
      ],
      ["when the merge is on disk", written("verdict[^a-z]+approved")],
    ];
    for (const [name, point] of sampled(approving, { every: 4 })) {
      repo.write("a.txt", `${name}\n`);
      repo.git("commit", "--quiet", "-am", name);
      const before = repo.git("rev-list", "--count", "--merges", "main");
      const id = await spawnRun(crashing.hall, "play", name);
      await untilOver(crashing.hall, id);
      await untilEnded(crashing, id);
      repo.write("b.txt", `${name}\n`);
      repo.git("add", "--all");
      repo.git("commit", "--quiet", "-m", `Before it is approved: ${name}`);
      const onto = repo.git("rev-parse", "main");
      const { hash } = (await crashing.hall.call("GET", `/api/runs/${id}/diff`)).body;
      crashing.arm(point);
      await crashing.hall.call("POST", `/api/runs/${id}/approve`, { hash }).catch(() => undefined);
      await crashing.struck(point);
      await eventually(
        () => reviewOf(crashing, id),
        (found) => found?.cycles.length === 2 && found.state === "passed" && found.todo.length === 0,
        60_000,
      );
      const review = reviewOf(crashing, id);
      expect(review?.cycles, name).toMatchObject([{ verdict: "pass" }, { verdict: "pass", onto }]);
      expect(repo.committed("main", "a.txt"), name).toBe("agent");
      expect(Number(repo.git("rev-list", "--count", "--merges", "main")), name).toBe(Number(before) + 1);
      await eventually(
        () => statusOf(crashing.hall, review?.taskId ?? ""),
        (status) => status === "done",
        30_000,
      );
    }
  });

  it("asks the person once, and does what they answered once", { timeout: 400_000 }, async () => {
    const { crashing, repo, rule } = await start();
    rule([FAIL, FAIL]);
    const asking: [string, CrashPoint][] = [
      ["when every try failed", inState("escalated")],
      ["when the question is on disk", written("escalation\\.created")],
      ["when the task is blocked", written("status[^a-z]+blocked")],
    ];
    const answering: [string, CrashPoint][] = [
      ["when the answer is on disk", written("escalation\\.resolved")],
      ["when the approval is to be carried out", written("approved by the person")],
      ["when the result was approved", written("verdict[^a-z]+approved")],
    ];
    for (const [at, [name, point]] of asking.entries()) {
      repo.write("a.txt", `${name}\n`);
      repo.git("commit", "--quiet", "-am", name);
      crashing.arm(point);
      const id = await spawnRun(crashing.hall, "play", name);
      await crashing.struck(point);
      const review = await eventually(
        () => reviewOf(crashing, id),
        (found) => found?.escalationId !== undefined && found.todo.length === 0,
        60_000,
      );
      const { taskId = "", escalationId = "" } = review ?? {};
      const asked = (await crashing.hall.call("GET", "/api/escalations?status=pending")).body.escalations;
      expect(
        asked.map((entry) => entry.id),
        name,
      ).toEqual([escalationId]);
      expect(await statusOf(crashing.hall, taskId), name).toBe("blocked");
      const [label, then] = answering[at] ?? [name, point];
      crashing.arm(then);
      await crashing.hall
        .call("POST", `/api/escalations/${escalationId}/resolve`, { answer: "Approve anyway" })
        .catch(() => undefined);
      await crashing.struck(then);
      await eventually(
        () => statusOf(crashing.hall, taskId),
        (status) => status === "done",
        60_000,
      );
      expect(repo.committed("main", "a.txt"), label).toBe("agent");
      // The task is done a moment before the log tells of it.
      const approvals = async () =>
        (await crashing.hall.call("GET", "/api/events/log?type=run.approved")).body.events.filter(
          ({ after }) => after?.taskId === taskId,
        );
      const approved = await eventually(approvals, ({ length }) => length > 0, 20_000);
      expect(approved, label).toMatchObject([{ actor: { kind: "person" } }]);
    }
  });
});

async function start(config = {}) {
  const folder = temporaryFolder();
  const crashing = new CrashingHall(folder, join(import.meta.dirname, "reviewing-daemon.ts"));
  onTestFinished(() => crashing.end());
  const repo = repository({ "a.txt": "a\n" });
  const rule = (rulings: Ruling[]) => writeFileSync(join(folder, "rulings.json"), JSON.stringify(rulings));
  await hallOver(await crashing.start(), { root: repo.root, config, playbooks });
  return { crashing, repo, rule, folder };
}

/** The review that a run is a part of. */
function reviewOf({ workspace }: CrashingHall, runId: string): GateReview | undefined {
  const folder = join(workspace, `projects/${PROJECT}/gates/reviews`);
  const names = readdirSync(folder).filter((name) => name.startsWith("review-"));
  const reviews: GateReview[] = names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return reviews.find((review) => review.runId === runId || review.cycles.some((cycle) => cycle.runId === runId));
}

async function untilEnded(crashing: CrashingHall, runId: string): Promise<GateReview> {
  const found = await eventually(
    () => reviewOf(crashing, runId),
    (review) => review?.state === "passed" && review.todo.length === 0,
    60_000,
  );
  return found as GateReview;
}

function judgedIn({ workspace }: CrashingHall): GateReport[] {
  const text = readFileSync(join(workspace, "../judged.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

async function eventsOf(hall: Hall): Promise<HallEvent[]> {
  return (await hall.call("GET", "/api/events/log?type=review&limit=1000")).body.events;
}

async function statusOf(hall: Hall, taskId: string): Promise<string> {
  return (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task.status;
}
