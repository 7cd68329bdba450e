import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GateReview } from "../../src/contract/documents/quality/review.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import { type FakeEngine, fakeEngine, type Ruling } from "../fakes/fake-engine.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import {
  entriesOf,
  furnish,
  journalOf,
  listRuns,
  PROJECT,
  runOf,
  spawnRun,
  untilOver,
  writePlaybook,
} from "../harness/spawned-runs.ts";

const FINDING = { file: "a.txt", line: 1, message: "The line is wrong.", fix: "Write it right." };
const FAIL: Ruling = { verdict: "fail", findings: [FINDING, { message: "No test." }] };
const PASS: Ruling = { verdict: "pass" };
const UNABLE: Ruling = { verdict: "unable", reason: "There is no compiler." };

const playbooks = {
  play: writing({ "a.txt": "agent\n" }),
  strong: writing({ "a.txt": "stronger\n" }),
  broken: JSON.stringify({ turns: [{ fail: { kind: "refused" } }] }),
};

async function open(engine: FakeEngine, { config = {}, playbook = "play" } = {}) {
  const repo = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(undefined, { engine }), { root: repo.root, config, playbooks });
  const id = await spawnRun(hall, playbook, "Do it");
  await untilOver(hall, id);
  return { repo, hall, id };
}

const taskOf = async (hall: Hall, run: Run) =>
  (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${run.taskId}`)).body.task;
const eventsOf = async (hall: Hall): Promise<HallEvent[]> =>
  (await hall.call("GET", "/api/events/log?type=review&limit=1000")).body.events;
const typesOf = async (hall: Hall) => (await eventsOf(hall)).map(({ type }) => type);
const reviewsIn = ({ workspace }: Hall): GateReview[] => {
  const folder = join(workspace, `projects/${PROJECT}/gates/reviews`);
  const names = readdirSync(folder).filter((name) => name.startsWith("review-"));
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
};
const untilReview = async (hall: Hall, state: GateReview["state"]): Promise<GateReview> => {
  const [review] = await eventually(
    () => reviewsIn(hall),
    ([found]) => found?.state === state && found.todo.length === 0,
    30_000,
  );
  return review as GateReview;
};
const questions = async (hall: Hall) =>
  (await hall.call("GET", "/api/escalations?status=pending")).body.escalations.filter(({ id }) =>
    id.startsWith("esc-"),
  );
const untilAsked = async (hall: Hall) =>
  (
    await eventually(
      () => questions(hall),
      ({ length }) => length > 0,
    )
  )[0];
const untilJudged = (engine: FakeEngine, times: number) =>
  eventually(
    () => engine.asked.length,
    (count) => count === times,
    30_000,
  );
/** As somebody who has the branch in another clone. */
const commitOn = async (hall: Hall, repo: PersonsRepository, runId: string): Promise<string> => {
  const { name } = (await runOf(hall, runId)).delivery as { name: string };
  const later = repo.git("commit-tree", `${name}^{tree}`, "-p", name, "-m", "Later");
  repo.git("update-ref", `refs/heads/${name}`, later);
  return later;
};
const moveTarget = (repo: PersonsRepository, file: string) => {
  repo.write(file, "b\n");
  repo.git("add", "--all");
  repo.git("commit", "--quiet", "-m", "Meanwhile");
};
const REVIEWED = { constraints: { requireReview: true } };
const approve = async (hall: Hall, id: string, { key }: { key?: string } = {}): Promise<Run> => {
  const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
  const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
  const { status, body } = await hall.call("POST", `/api/runs/${id}/approve`, { hash }, headers);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.run;
};
const answer = (hall: Hall, id: string, body: object) => hall.call("POST", `/api/escalations/${id}/resolve`, body);

describe("a result that goes through the gates", () => {
  it("is in review while they judge it, with its run over, and is merged when it passes [S1-RL-02] [S1-RL-05] [S1-RL-08] [S1-RL-09] [S1-ACT-06]", async () => {
    const { promise, resolve } = Promise.withResolvers<Ruling>();
    const engine = fakeEngine(() => promise);
    const { repo, hall, id } = await open(engine);
    const run = await runOf(hall, id);
    expect(run).toMatchObject({ status: "completed", delivery: { state: "review", reasonCode: "gate-running" } });
    expect((await taskOf(hall, run)).status).toBe("review");
    await eventually(
      () => engine.asked.length,
      (count) => count === 1,
    );
    expect(engine.asked[0]).toMatchObject({ cycle: 1, base: repo.git("rev-parse", "main"), run: { id } });
    const now = (await hall.call("GET", "/api/now")).body;
    expect(now).toMatchObject({
      review: [],
      checking: [{ id, delivery: { gate: { cycle: 1 } } }],
      counts: { review: 0 },
    });
    expect((await hall.call("GET", "/api/escalations?status=pending")).body.escalations).toEqual([]);
    expect(repo.text("a.txt")).toBe("a\n");
    resolve(PASS);
    await untilReview(hall, "passed");
    expect(await runOf(hall, id)).toMatchObject({
      delivery: { state: "delivered", gate: { verdict: "pass", score: 95 } },
    });
    expect((await taskOf(hall, run)).status).toBe("done");
    expect(repo.text("a.txt")).toBe("agent\n");
    expect(repo.branches()).toEqual(["main"]);
    const [started, passed] = await eventsOf(hall);
    const about = { taskId: run.taskId, runId: id, gateId: engine.asked[0]?.gateId, cycle: 1, maxCycles: 3 };
    expect(started).toMatchObject({ type: "review.started", actor: { kind: "daemon" }, after: about });
    expect(passed).toMatchObject({ type: "review.passed", after: { ...about, verdict: "pass", score: 95 } });
  });

  it("waits for the person after it passed where the project requires review, with the gate shown", async () => {
    const config = { constraints: { requireReview: true } };
    const { repo, hall, id } = await open(
      fakeEngine(() => PASS),
      { config },
    );
    await untilReview(hall, "passed");
    expect(await runOf(hall, id)).toMatchObject({
      delivery: { state: "review", reasonCode: "required", gate: { verdict: "pass", score: 95 } },
    });
    expect(repo.text("a.txt")).toBe("a\n");
    const entries = (await hall.call("GET", "/api/escalations?status=pending")).body.escalations;
    expect(entries.map((entry) => entry.id)).toEqual([`review-${id}`]);
  });

  it("goes back to the same worker on the same branch, finding by finding, and is merged when the rework passes [S1-RL-06] [S1-RL-10] [S1-ACT-07] [S1-ACT-08] [S1-ACT-09]", async () => {
    const engine = fakeEngine(({ cycle }) => (cycle === 1 ? FAIL : PASS));
    const { repo, hall, id } = await open(engine);
    const review = await untilReview(hall, "passed");
    expect(review).toMatchObject({ cycle: 2, cycles: [{ verdict: "fail", runId: id }, { verdict: "pass" }] });
    const [next] = (await listRuns(hall)).filter((run) => run.id !== id);
    const first = await runOf(hall, id);
    expect(first.delivery).toMatchObject({ state: "rejected", next: next?.id, gate: { verdict: "fail" } });
    expect(next).toMatchObject({ roleId: first.roleId, model: first.model, taskId: first.taskId });
    expect(next?.delivery).toMatchObject({ state: "delivered", name: (first.delivery as { name: string }).name });
    const [plan] = entriesOf(journalOf(hall.workspace, next?.id ?? ""), "plan");
    expect(plan?.plan.continues).toMatchObject({
      runId: id,
      comments: [
        { id: "F1", file: "a.txt", line: 1, text: expect.stringContaining("The line is wrong. Fix: Write it right.") },
      ],
    });
    expect(plan?.plan.continues?.feedback).toContain("No test.");
    expect(engine.asked.map(({ cycle, earlier }) => [cycle, earlier])).toEqual([
      [1, []],
      [2, [engine.asked[0]?.gateId]],
    ]);
    expect(await typesOf(hall)).toEqual(["review.started", "review.failed", "review.started", "review.passed"]);
    expect((await taskOf(hall, first)).status).toBe("done");
    expect(repo.text("a.txt")).toBe("agent\n");
    // Its files are free again.
    await eventually(
      async () => (await hall.call("GET", `/api/projects/${PROJECT}/owners`)).body.owners.length,
      (count) => count === 0,
    );
  });

  it("keeps the commits of its review until that is over, and the log has each step of it [S1-ACT-21] [S1-MOD-04] [S1-MOD-07]", async () => {
    const { promise, resolve } = Promise.withResolvers<Ruling>();
    const engine = fakeEngine(({ cycle }) => (cycle === 1 ? FAIL : promise));
    const { repo, hall, id } = await open(engine);
    await eventually(
      () => engine.asked.length,
      (count) => count === 2,
    );
    const refs = () =>
      repo.git("for-each-ref", "--format=%(refname:lstrip=4) %(objectname)", "refs/guildhall/reviews").split("\n");
    const [first, second] = engine.asked;
    expect(refs()).toEqual([`pre-review-1 ${first?.head}`, `pre-review-2 ${second?.head}`, `pre-work ${first?.base}`]);
    resolve(PASS);
    await untilReview(hall, "passed");
    await eventually(refs, (left) => left.join("") === "");
    const { events } = (await hall.call("GET", "/api/events/log?limit=1000")).body;
    const kept = events.filter(({ type, after }) => type === "checkpoint.created" && after?.reviewId !== undefined);
    expect(kept.map(({ after }) => after?.reason)).toEqual(["pre-work", "pre-review", "pre-review", "post-pass"]);
    const steps = events.filter(({ type }) => /^(?:review\.|run\.rejected|run\.created)/.test(type));
    expect(steps.map(({ type, actor }) => `${type} ${actor.kind}`)).toEqual([
      "run.created person",
      "review.started daemon",
      "review.failed daemon",
      "run.created daemon",
      "run.rejected daemon",
      "review.started daemon",
      "review.passed daemon",
    ]);
    expect(events.find(({ type }) => type === "run.rejected")).toMatchObject({
      subject: { id },
      after: { feedback: expect.stringContaining("The quality gate failed") },
    });
  });

  it("is escalated when every try failed: the escalation model has one, then the person decides [S1-RL-07] [S1-RL-11] [S1-MOD-03]", async () => {
    const settings = { appliesTo: "all", maxReviewCycles: 2, escalationModel: "offline/strong" };
    const { hall, repo } = await open(fakeEngine(() => FAIL, settings));
    const review = await untilReview(hall, "escalated");
    expect(review.cycles.map(({ by }) => by)).toEqual(["worker", "worker", "escalation"]);
    const last = await runOf(hall, review.runId);
    expect(last.model).toBe("offline/strong");
    expect(last.delivery).toMatchObject({
      state: "review",
      reasonCode: "gate-failed",
      findings: [{ file: "a.txt" }, {}],
    });
    expect(await taskOf(hall, last)).toMatchObject({
      status: "blocked",
      outcome: "escalated",
      escalations: [review.escalationId],
    });
    const [asked] = await questions(hall);
    expect(asked).toMatchObject({ id: review.escalationId, origin: "review", review: { kind: "exhausted", cycle: 3 } });
    expect(asked?.suggestedAnswers.map(({ label }) => label)).toEqual(["Request changes", "Approve anyway", "Give up"]);
    const all = (await hall.call("GET", "/api/escalations?status=pending")).body.escalations;
    expect(all.map(({ id }) => id)).toEqual([review.escalationId]);
    const escalated = (await eventsOf(hall)).filter(({ type }) => type === "review.escalated");
    expect(escalated.map(({ after }) => after?.to)).toEqual(["escalation", "person"]);
    expect(escalated[0]?.after?.model).toBe("offline/strong");
    await answer(hall, review.escalationId ?? "", { answer: "Approve anyway" });
    const run = await eventually(
      () => runOf(hall, review.runId),
      ({ delivery }) => delivery?.state === "delivered",
    );
    const task = await eventually(
      () => taskOf(hall, run),
      ({ outcome }) => outcome === "escalated",
    );
    expect(task.status).toBe("done");
    expect(repo.text("a.txt")).toBe("stronger\n");
  });

  it("is taken back to what an earlier gate judged, with an event, and that is what the answer is about then [S1-ACT-22] [S1-MOD-04]", async () => {
    const settings = { appliesTo: "all", maxReviewCycles: 1, escalationModel: "offline/strong" };
    const { promise, resolve } = Promise.withResolvers<Ruling>();
    const { hall, repo } = await open(fakeEngine(({ cycle }) => (cycle === 1 ? FAIL : promise), settings));
    const [review] = await eventually(
      () => reviewsIn(hall),
      ([found]) => found?.cycle === 2 && found.state === "running",
    );
    const { name } = (await runOf(hall, review?.runId ?? "")).delivery as { name: string };
    const list = async () => (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body.checkpoints;
    const ofBranch = await eventually(
      async () => (await list()).filter(({ branch }) => branch !== undefined),
      (found) => found.length === 3,
    );
    expect(ofBranch.map(({ reason }) => reason).sort()).toEqual(["pre-review", "pre-review", "pre-work"]);
    const first = ofBranch.find(({ branch }) => repo.committed(branch?.commit ?? "", "a.txt") === "agent");
    const path =
      `/api/projects/${PROJECT}/checkpoints/${first?.id}/rollback` as "/api/projects/x/checkpoints/y/rollback";
    const refused = await hall.call("POST", path, {});
    expect(refused).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining("checking") } } });
    resolve(FAIL);
    const asked = await untilAsked(hall);
    await untilReview(hall, "escalated");
    const would = (await hall.call("POST", path, { dryRun: true })).body;
    expect(would).toMatchObject({ dryRun: true, restored: [{ path: "a.txt", how: "changed" }] });
    expect(repo.committed(name, "a.txt")).toBe("stronger");
    repo.git("checkout", "--quiet", name);
    expect((await hall.call("POST", path, {})).status).toBe(409);
    repo.git("checkout", "--quiet", "main");
    const done = (await hall.call("POST", path, {})).body;
    expect(repo.committed(name, "a.txt")).toBe("agent");
    expect((await list()).map(({ id }) => id)).toContain(done.checkpointId);
    const [event] = (await hall.call("GET", "/api/events/log?type=checkpoint.rolledback")).body.events;
    expect(event).toMatchObject({ actor: { kind: "person" }, subject: { id: first?.id }, after: { branch: name } });
    await answer(hall, asked?.id ?? "", { answer: "Approve anyway" });
    const [again] = await eventually(
      () => questions(hall),
      ([question]) => question !== undefined && question.id !== asked?.id,
    );
    await answer(hall, again?.id ?? "", { answer: "Approve anyway" });
    await eventually(
      () => repo.text("a.txt"),
      (text) => text === "agent\n",
    );
  });

  it("continues with the person's words when they request changes, and ends as failed when they give up", async () => {
    const settings = { appliesTo: "all", maxReviewCycles: 1 };
    const { hall, repo } = await open(fakeEngine(() => FAIL, settings));
    const first = await untilAsked(hall);
    await answer(hall, first?.id ?? "", { resolution: "Use the other file." });
    const second = await eventually(
      () => questions(hall),
      ([question]) => question !== undefined && question.id !== first?.id,
    );
    const [review] = reviewsIn(hall);
    expect(review).toMatchObject({ cycle: 2, by: "person", asked: 2 });
    const [plan] = entriesOf(journalOf(hall.workspace, review?.runId ?? ""), "plan");
    expect(plan?.plan.continues?.feedback).toMatch(/^Use the other file\.\n.*No test\./);
    expect(plan?.plan.continues?.comments).toMatchObject([{ id: "F1", file: "a.txt", line: 1 }]);
    const undo = await hall.call("POST", `/api/escalations/${first?.id}/undo`, {});
    expect(undo.status).toBe(409);
    await answer(hall, second[0]?.id ?? "", { answer: "Give up" });
    await untilReview(hall, "failed");
    const run = await runOf(hall, review?.runId ?? "");
    expect(run.delivery).toMatchObject({ state: "kept", reason: "you gave up on it after its review" });
    expect((await taskOf(hall, run)).status).toBe("failed");
    expect(repo.text("a.txt")).toBe("a\n");
  });

  it("is not sent back when the gates could not judge it: the person has them try again", async () => {
    const rulings = [UNABLE, PASS];
    const engine = fakeEngine(() => rulings.shift() ?? PASS);
    const { hall, id } = await open(engine);
    const asked = await untilAsked(hall);
    expect(asked).toMatchObject({
      origin: "review",
      review: { kind: "unable" },
      context: expect.stringContaining("no compiler"),
    });
    const run = await runOf(hall, id);
    expect(run.delivery).toMatchObject({ state: "review", reasonCode: "gate-unable" });
    expect((await taskOf(hall, run)).status).toBe("review");
    expect(await listRuns(hall)).toHaveLength(1);
    // While the project is suspended no reviewer could be asked.
    await hall.call("POST", `/api/projects/${PROJECT}/move`, { status: "suspended" });
    await answer(hall, asked?.id ?? "", { answer: "Retry the gate" });
    await untilReview(hall, "pending");
    await hall.call("POST", `/api/projects/${PROJECT}/move`, { status: "active" });
    await untilReview(hall, "passed");
    expect(new Set(engine.asked.map(({ gateId }) => gateId)).size).toBe(2);
    expect((await taskOf(hall, run)).status).toBe("done");
  });

  it("is not merged by an answer about another commit than its branch has by then: the person is asked again", async () => {
    const { hall, id, repo } = await open(fakeEngine(() => UNABLE));
    const asked = await untilAsked(hall);
    const later = await commitOn(hall, repo, id);
    await answer(hall, asked?.id ?? "", { answer: "Approve anyway" });
    const [again] = await eventually(
      () => questions(hall),
      ([question]) => question !== undefined && question.id !== asked?.id,
    );
    expect(again).toMatchObject({ review: { kind: "moved" }, context: expect.stringContaining(later.slice(0, 12)) });
    expect((await runOf(hall, id)).delivery?.state).toBe("review");
    expect(repo.text("a.txt")).toBe("a\n");
    await answer(hall, again?.id ?? "", { answer: "Approve anyway" });
    await eventually(
      () => runOf(hall, id),
      ({ delivery }) => delivery?.state === "delivered",
    );
    expect(repo.git("log", "--format=%s", "main")).toContain("Later");
  });

  it("is judged again as it would be merged when its target moved meanwhile, and only then counts", async () => {
    const engine = fakeEngine(({ onto }) => (onto === undefined ? first.promise : second.promise));
    const [first, second] = [Promise.withResolvers<Ruling>(), Promise.withResolvers<Ruling>()];
    const { hall, id, repo } = await open(engine);
    await untilJudged(engine, 1);
    moveTarget(repo, "b.txt");
    const tip = repo.git("rev-parse", "main");
    first.resolve(PASS);
    await untilJudged(engine, 2);
    const [alone, merged] = engine.asked;
    expect(alone?.onto).toBeUndefined();
    expect(merged).toMatchObject({ head: alone?.head, onto: tip, passed: alone?.gateId, cycle: 1 });
    expect((await runOf(hall, id)).delivery).toMatchObject({ state: "review", reasonCode: "gate-running" });
    expect(await typesOf(hall)).toEqual(["review.started", "review.started"]);
    second.resolve(PASS);
    await untilReview(hall, "passed");
    expect((await runOf(hall, id)).delivery?.state).toBe("delivered");
    expect([repo.text("a.txt"), repo.text("b.txt")]).toEqual(["agent\n", "b\n"]);
    expect(await typesOf(hall)).toEqual(["review.started", "review.started", "review.passed"]);
  });

  it("goes back to the worker when it fails together with what came into its target", async () => {
    const engine = fakeEngine(({ cycle, onto }) => (cycle === 1 && onto !== undefined ? FAIL : PASS));
    const judge = engine.judge;
    engine.judge = async (order, signal) => {
      if (engine.asked.length === 0) moveTarget(repo, "b.txt");
      return judge(order, signal);
    };
    const repo = repository({ "a.txt": "a\n" });
    const hall = await hallOver(await startHall(undefined, { engine }), { root: repo.root, playbooks });
    const id = await spawnRun(hall, "play", "Do it");
    await untilOver(hall, id);
    const review = await untilReview(hall, "passed");
    // The worker got what the result did not work with, so what it left is what is merged.
    expect(review.cycles.map(({ cycle, verdict, onto }) => [cycle, verdict, onto !== undefined])).toEqual([
      [1, "pass", false],
      [1, "fail", true],
      [2, "pass", false],
    ]);
    expect(repo.git("show", `${review.head}:b.txt`)).toBe("b");
    expect(JSON.stringify(journalOf(hall.workspace, review.runId))).toContain(
      "The latest changes of 'main' were merged into your branch.",
    );
    // What was judged together with the target was not reviewed, and is not compared with.
    expect(engine.asked[2]?.earlier).toEqual([engine.asked[0]?.gateId]);
    expect((await runOf(hall, id)).delivery).toMatchObject({ state: "rejected", gate: { verdict: "fail" } });
  });

  it("is judged again when the person approves it after its target moved, and merged once it passes", async () => {
    const second = Promise.withResolvers<Ruling>();
    const engine = fakeEngine(({ onto }) => (onto === undefined ? PASS : second.promise));
    const { hall, id, repo } = await open(engine, { config: REVIEWED });
    await untilReview(hall, "passed");
    moveTarget(repo, "b.txt");
    const approved = await approve(hall, id, { key: "approve-1" });
    expect(approved.delivery).toMatchObject({ state: "review", reasonCode: "gate-running" });
    await untilJudged(engine, 2);
    expect(engine.asked[1]).toMatchObject({ onto: repo.git("rev-parse", "main"), passed: engine.asked[0]?.gateId });
    // The same request again is the same approval, not another one.
    expect((await approve(hall, id, { key: "approve-1" })).delivery?.state).toBe("review");
    expect(repo.text("a.txt")).toBe("a\n");
    second.resolve(PASS);
    await untilReview(hall, "passed");
    const { delivery, taskId } = await runOf(hall, id);
    expect([delivery?.state, repo.text("a.txt"), repo.text("b.txt")]).toEqual(["delivered", "agent\n", "b\n"]);
    expect((await taskOf(hall, { taskId } as Run)).status).toBe("done");
    const told = (await eventsOf(hall)).map(({ type, actor }) => `${type} ${actor.kind}`);
    expect(told.slice(2)).toEqual(["review.approved person", "review.started daemon", "review.passed daemon"]);
    const { events } = (await hall.call("GET", "/api/events/log?type=run.approved")).body;
    expect(events).toMatchObject([{ actor: { kind: "person" }, subject: { id } }]);
  });

  it("goes back to the worker, not into the target, when what the person approved fails together with the target", async () => {
    const engine = fakeEngine(({ cycle, onto }) => (cycle === 1 && onto !== undefined ? FAIL : PASS));
    const { hall, id, repo } = await open(engine, { config: REVIEWED });
    await untilReview(hall, "passed");
    moveTarget(repo, "b.txt");
    await approve(hall, id);
    const { head, cycle, runId } = await eventually(
      () => reviewsIn(hall)[0] as GateReview,
      (found) => found.cycle === 2 && found.state === "passed" && found.todo.length === 0,
      30_000,
    );
    expect([cycle, repo.git("show", `${head}:b.txt`)]).toEqual([2, "b"]);
    // Another diff than the one that was approved.
    expect((await runOf(hall, runId)).delivery).toMatchObject({ state: "review", reasonCode: "required" });
    expect(repo.text("a.txt")).toBe("a\n");
  });

  it("is merged at once when the person approves it again while it is judged", async () => {
    const engine = fakeEngine(({ onto }, signal) => {
      const { promise, resolve } = Promise.withResolvers<Ruling>();
      if (onto === undefined) return PASS;
      signal.addEventListener("abort", () => resolve(PASS));
      return promise;
    });
    const { hall, id, repo } = await open(engine, { config: REVIEWED });
    await untilReview(hall, "passed");
    moveTarget(repo, "b.txt");
    await approve(hall, id);
    await untilJudged(engine, 2);
    expect((await approve(hall, id)).delivery?.state).toBe("delivered");
    await untilReview(hall, "superseded");
    expect([repo.text("a.txt"), repo.text("b.txt")]).toEqual(["agent\n", "b\n"]);
  });

  it("is judged again when the person approves a branch that got other commits since it passed", async () => {
    const engine = fakeEngine(() => PASS);
    const { hall, id, repo } = await open(engine, { config: REVIEWED });
    await untilReview(hall, "passed");
    const later = await commitOn(hall, repo, id);
    expect((await approve(hall, id)).delivery?.reasonCode).toBe("gate-running");
    await eventually(
      () => runOf(hall, id),
      ({ delivery }) => delivery?.state === "delivered",
      30_000,
    );
    expect(engine.asked.map(({ head, onto }) => [head === later, onto])).toEqual([
      [false, undefined],
      [true, undefined],
    ]);
  });

  it("comes to the person when its target moves on and on, and is not merged unjudged", async () => {
    const engine = fakeEngine(({ gateId }) => {
      moveTarget(repo, `${gateId}.txt`);
      return PASS;
    });
    const repo = repository({ "a.txt": "a\n" });
    const hall = await hallOver(await startHall(undefined, { engine }), { root: repo.root, playbooks });
    const id = await spawnRun(hall, "play", "Do it");
    const asked = await eventually(
      () => questions(hall),
      ({ length }) => length > 0,
      30_000,
    );
    expect(asked).toMatchObject([{ review: { kind: "unable" }, context: expect.stringContaining("kept moving") }]);
    expect(engine.asked).toHaveLength(4);
    expect((await runOf(hall, id)).delivery).toMatchObject({ state: "review", reasonCode: "gate-unable" });
    expect(repo.text("a.txt")).toBe("a\n");
    expect(await typesOf(hall)).not.toContain("review.passed");
  });

  it("is judged again when somebody commits on its branch meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<Ruling>();
    const engine = fakeEngine(() => (engine.asked.length === 1 ? promise : PASS));
    const { hall, id, repo } = await open(engine);
    await untilJudged(engine, 1);
    const later = await commitOn(hall, repo, id);
    resolve(PASS);
    await untilReview(hall, "passed");
    expect(engine.asked.map(({ head }) => head)).toEqual([expect.not.stringMatching(later), later]);
    expect((await runOf(hall, id)).delivery?.state).toBe("delivered");
    expect(repo.git("log", "--format=%s", "main")).toContain("Later");
  });

  it("comes to the person when its branch was deleted meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<Ruling>();
    const engine = fakeEngine(() => promise);
    const { hall, id, repo } = await open(engine);
    await untilJudged(engine, 1);
    repo.git("update-ref", "-d", `refs/heads/${((await runOf(hall, id)).delivery as { name: string }).name}`);
    resolve(PASS);
    expect(await untilAsked(hall)).toMatchObject({
      review: { kind: "unable" },
      context: expect.stringContaining("deleted"),
    });
  });

  it.each([
    ["approve", "delivered"],
    ["discard", "discarded"],
    ["request-changes", "rejected"],
  ])("ends as superseded when the person decides while a gate runs (%s)", async (deed, state) => {
    const aborted = Promise.withResolvers<Ruling>();
    const engine = fakeEngine(({ cycle }, signal) => {
      if (cycle > 1) return PASS;
      signal.addEventListener("abort", () => aborted.resolve(PASS));
      return aborted.promise;
    });
    const { hall, id } = await open(engine);
    await eventually(
      () => engine.asked.length,
      (count) => count === 1,
    );
    const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
    const body = { approve: { hash }, discard: {}, "request-changes": { feedback: "Better." } }[deed];
    expect((await hall.call("POST", `/api/runs/${id}/${deed}`, body)).status).toBe(200);
    await eventually(
      () => reviewsIn(hall).find(({ runId }) => runId === id)?.state,
      (found) => found === "superseded",
    );
    await aborted.promise;
    expect((await runOf(hall, id)).delivery?.state).toBe(state);
    expect((await typesOf(hall)).filter((type) => type === "review.passed").length).toBeLessThanOrEqual(
      deed === "request-changes" ? 1 : 0,
    );
  });

  it("asks the person when the rework changed nothing", async () => {
    const engine = fakeEngine(() => FAIL, { appliesTo: "all", maxReviewCycles: 1, escalationModel: "offline/broken" });
    const { hall, id } = await open(engine);
    const asked = await untilAsked(hall);
    expect(asked).toMatchObject({ review: { kind: "not-reworked", runId: id } });
    expect((await runOf(hall, id)).delivery).toMatchObject({ state: "review", reasonCode: "not-continued" });
    expect(engine.asked).toHaveLength(1);
  });

  it("names the requirements that are missing [S1-RL-14] [S1-RL-15]", async () => {
    const missing = { code: "requirement-missing" as const, requirements: ["REQ-002", "REQ-001"] };
    const engine = fakeEngine(({ cycle }) => (cycle === 1 ? { verdict: "fail", findings: [missing] } : PASS));
    const { hall } = await open(engine);
    await untilReview(hall, "passed");
    const [event] = (await eventsOf(hall)).filter(({ type }) => type === "review.remediation_needed");
    expect(event?.after).toMatchObject({ requirements: ["REQ-001", "REQ-002"], cycle: 1 });
  });

  it("is skipped where its task is not code, by its type or its title, and says so [S1-RL-12] [S1-TT-02] [S1-TT-03]", async () => {
    const engine = fakeEngine(() => FAIL);
    const repo = repository({ "a.txt": "a\n" });
    const hall = await hallOver(await startHall(undefined, { engine }), { root: repo.root, playbooks });
    const id = await spawnRun(hall, "play", "Look around", { task: { title: "Look around", type: "research" } });
    expect(await untilOver(hall, id)).toMatchObject({ delivery: { state: "delivered" } });
    writePlaybook(hall.workspace, "again", writing({ "a.txt": "agent again\n" }));
    const guessed = await spawnRun(hall, "again", "Plan the next release");
    expect(await untilOver(hall, guessed)).toMatchObject({ delivery: { state: "delivered" } });
    expect((await eventsOf(hall)).map(({ type, after }) => [type, after?.taskType])).toEqual([
      ["review.skipped", "research"],
      ["review.skipped", "planning"],
    ]);
    expect(engine.asked).toEqual([]);
  });

  it.each([
    ["off", { appliesTo: "off" }],
    ["for teams, which this run is not part of", { appliesTo: "teams" }],
    ["disabled", { appliesTo: "all", enabled: false }],
  ])("is merged at once where the gates are %s", async (_name, settings) => {
    const engine = fakeEngine(() => FAIL, settings);
    const { hall, id } = await open(engine);
    expect((await runOf(hall, id)).delivery?.state).toBe("delivered");
    expect(engine.asked).toEqual([]);
  });

  it("waits for the person in a folder without git, and says why", async () => {
    const engine = fakeEngine(() => PASS);
    const hall = await furnish(await startHall(undefined, { engine }), playbooks);
    await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: temporaryFolder() });
    const id = await spawnRun(hall, "play", "Do it");
    expect((await untilOver(hall, id)).delivery).toMatchObject({
      state: "review",
      reasonCode: "gate-unable",
      reason: expect.stringContaining("not a git repository"),
    });
    expect(engine.asked).toEqual([]);
  });
});
