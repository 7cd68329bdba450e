import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakeEngine } from "../../../test/fakes/fake-engine.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Run } from "../../contract/runs/run.ts";
import { commitAll } from "../../workspace/core.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { ReviewKeeper } from "./review-keeper.ts";
import { MOST_QUEUED, ReviewStore } from "./review-store.ts";

const BY_A_PERSON = { actor: { kind: "person" as const, via: "http" as const } };
const runOf = (id: string): Run => ({ id, projectId: "shop", taskId: "TASK-001", title: "Do it" }) as unknown as Run;
const BRANCH = { kind: "branch", repository: "/r", base: "b", head: "h", files: ["a.ts"] } as const;

async function open(continues: Record<string, string> = {}) {
  const workspace = join(temporaryFolder(), "workspace");
  const { hall, core, close } = await openHall({ workspace, clock: () => new Date(), version: "0", warnings: [] });
  onTestFinished(close);
  await hall.projects.create({ id: "shop", name: "Shop", config: { constraints: {} } } as never, BY_A_PERSON);
  const store = new ReviewStore(core);
  const looked: string[] = [];
  const keeper = new ReviewKeeper({
    ...{ core, hall, store, engine: fakeEngine(() => ({ verdict: "pass" })) },
    continuedBy: (id) => continues[id],
    teamOf: () => undefined,
    deliveries: { judge: async () => undefined },
    judged: {
      judging: async (_, __, record) => {
        await commitAll(core, record({ kind: "folder", state: "review" }));
        return undefined;
      },
    },
    look: (id) => looked.push(id),
  });
  return { core, store, keeper, looked };
}

it("takes in fifty results; one more is for the person, and the log says so once [S1-RL-13] [S1-TM-14]", async () => {
  expect(MOST_QUEUED).toBe(50);
  const { core, store, keeper } = await open();
  for (let count = 1; count <= 50; count++)
    expect(await keeper.judge(runOf(`run-${count}`), BRANCH)).toMatchObject({ is: "later", gate: { cycle: 1 } });
  for (let again = 0; again < 2; again++)
    expect(await keeper.judge(runOf("run-51"), BRANCH)).toMatchObject({
      is: "unable",
      reason: expect.stringContaining("50 results"),
    });
  const full = core.events.read({ after: 0, limit: 1_000, type: "review.queue_full" });
  expect(full).toMatchObject([{ subject: { kind: "run", id: "run-51" }, after: { queued: 50 } }]);
  expect(store.ofRun("run-51")).toMatchObject({ state: "escalated", asked: 1, todo: [{ do: "ask", kind: "unable" }] });
  expect(store.queued()).toBe(50);
  const told = core.events.read({ after: 0, limit: 1_000, type: "review.escalated" });
  expect(told).toMatchObject([{ subject: { id: "run-51" }, after: { to: "person" } }]);
  const [first] = store.open();
  await store.save({ review: { ...(first as NonNullable<typeof first>), state: "cancelled" }, told: [] });
  expect(await keeper.judge(runOf("run-52"), BRANCH)).toMatchObject({ is: "later" });
});

it("answers the same when it is asked again about a result, and keeps one review of it", async () => {
  const { core, store, keeper } = await open();
  const first = await keeper.judge(runOf("run-1"), BRANCH);
  expect(await keeper.judge(runOf("run-1"), BRANCH)).toEqual(first);
  expect(store.open()).toHaveLength(1);
  const after = new ReviewStore(core);
  after.load();
  expect(after.open()).toEqual(store.open());
});

it("leaves a copy of a review alone, which may be older, and tells of it", async () => {
  const { core, store, keeper } = await open();
  await keeper.judge(runOf("run-1"), BRANCH);
  const [review] = store.open();
  const folder = "projects/shop/gates/reviews";
  const older = core.files.text(`${folder}/${review?.id}.json`);
  await store.save({ review: { ...(review as NonNullable<typeof review>), state: "passed" }, told: [] });
  await core.files.replace(`${folder}/${review?.id} copy.json`, older);
  const after = new ReviewStore(core);
  after.load();
  expect(after.open()).toEqual([]);
  expect(after.problems()).toMatchObject([{ kind: "gate", reason: expect.stringContaining("does not match") }]);
});

it("takes a result that continues another one as the next cycle of its review", async () => {
  const { store, keeper } = await open({ "run-2": "run-1" });
  await keeper.judge(runOf("run-1"), BRANCH);
  const [review] = store.open();
  await store.save({ review: { ...(review as NonNullable<typeof review>), state: "awaiting-rework" }, told: [] });
  const next = await keeper.judge(runOf("run-2"), { ...BRANCH, head: "h2" });
  expect(next).toMatchObject({ is: "later", gate: { reviewId: review?.id, cycle: 2 } });
  expect(store.open()).toMatchObject([{ id: review?.id, state: "pending", runId: "run-2", head: "h2" }]);
});

describe("a result that passed and waits for the person", () => {
  const held = { moved: { onto: "t2" }, approval: { hash: "seen" } };
  async function passed() {
    const made = await open();
    await made.keeper.judge(runOf("run-1"), BRANCH);
    const [review] = made.store.open();
    const over = { ...(review as NonNullable<typeof review>), state: "passed" as const, onto: "t1" };
    await made.store.save({ review: over, told: [] });
    const gate = { reviewId: over.id, cycle: 1, id: "gate-1" };
    const with_ = (verdict: "pass" | "fail" | "skipped" | undefined) =>
      ({
        ...runOf("run-1"),
        delivery: { kind: "branch", state: "review", gate: { ...gate, verdict } },
      }) as unknown as Run;
    return { ...made, over, run: with_("pass"), with_ };
  }

  it("counts as judged with the commits of its review, and only while its gate says that it passed", async () => {
    const { keeper, run, with_ } = await passed();
    expect(keeper.passed(run)).toEqual({ head: "h", onto: "t1" });
    for (const verdict of ["fail", "skipped", undefined] as const)
      expect(keeper.passed(with_(verdict))).toBeUndefined();
    expect(keeper.passed({ ...run, delivery: undefined })).toBeUndefined();
  });

  it("is judged again once for an approval, with an event of the person's, and not beyond the queue", async () => {
    const { core, store, keeper, over, run, looked } = await passed();
    const change = { ...BY_A_PERSON, request: { key: "k", fingerprint: "" } };
    await keeper.judgeAgain(run, held, change);
    await keeper.judgeAgain(run, held, change);
    expect(store.open()).toMatchObject([{ id: over.id, state: "pending", onto: "t2", approval: { hash: "seen" } }]);
    const told = core.events.read({ after: 0, limit: 1_000, type: "review.approved" });
    expect(told).toMatchObject([{ actor: { kind: "person" }, subject: { kind: "run", id: "run-1" } }]);
    expect(looked).toEqual([over.id, over.id]);
    await store.save({ review: over, told: [] });
    for (let count = 2; count <= 51; count++) await keeper.judge(runOf(`run-${count}`), BRANCH);
    await expect(keeper.judgeAgain(run, held, BY_A_PERSON)).rejects.toThrow(/50 results/);
  });
});
