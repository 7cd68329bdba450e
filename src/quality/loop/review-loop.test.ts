import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeEngine } from "../../../test/fakes/fake-engine.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { GateReview } from "../../contract/documents/quality/review.ts";
import type { Run } from "../../contract/runs/run.ts";
import { commitAll } from "../../workspace/core.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import type { ReviewEvent } from "./review-events.ts";
import { ReviewKeeper } from "./review-keeper.ts";
import { ReviewLoop } from "./review-loop.ts";
import { ReviewStore } from "./review-store.ts";

const BY_A_PERSON = { actor: { kind: "person" as const, via: "http" as const } };
const RESULTS = 6;
const TASK = {
  ...{ description: "", type: "feature" as const, priority: "medium" as const, labels: [], acceptanceCriteria: [] },
  ...{ context: { files: [], codeRefs: [], dependencies: [] }, blocks: [], blockedBy: [], notes: "" },
  status: "pending" as const,
};

/** A target that takes what was judged together with its newest commit; every merge makes another one. */
async function open() {
  const workspace = join(temporaryFolder(), "workspace");
  const { hall, core, close } = await openHall({ workspace, clock: () => new Date(), version: "0", warnings: [] });
  onTestFinished(close);
  await hall.projects.create({ id: "shop", name: "Shop", config: { constraints: {} } } as never, BY_A_PERSON);
  const runs = new Map<string, Run>();
  for (let count = 1; count <= RESULTS; count++) {
    const { id: taskId } = await hall.tasks.create("shop", { ...TASK, title: `Do ${count}` }, BY_A_PERSON);
    const run = { id: `run-${count}`, projectId: "shop", taskId, title: taskId, status: "completed" };
    runs.set(run.id, { ...run, delivery: { state: "review" } } as unknown as Run);
  }
  const merged: string[] = [];
  const tip = () => `commit-${merged.length}`;
  const store = new ReviewStore(core);
  const seen = { atOnce: 0, most: 0 };
  const engine = fakeEngine(async () => {
    seen.most = Math.max(seen.most, ++seen.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    seen.atOnce--;
    return { verdict: "pass" };
  });
  const judging = async (_: unknown, __: unknown, record: (delivery: never) => never) => {
    const delivery = { kind: "folder", state: "review" };
    await commitAll(core, record(delivery as never));
    return delivery as never;
  };
  const carryOut = async (review: GateReview, effect: { do: string }): Promise<ReviewEvent | "saved"> => {
    const judged = review.onto ?? review.base;
    if (effect.do === "settle" && judged !== tip()) return { type: "moved", onto: tip() };
    if (effect.do === "settle") merged.push(review.runId);
    return { type: "done" };
  };
  const shown = { ...core, runs: { get: (id: string) => ({ run: runs.get(id) }) }, tasks: core.tasks };
  const parts = { core: Object.assign(Object.create(core), shown), hall, store, engine };
  const loop = new ReviewLoop({
    ...parts,
    effects: { carryOut } as never,
    judged: { judging, targetOf: async () => tip() } as never,
    checkpoints: { before: async () => undefined, after: async () => undefined } as never,
    escalationOf: () => undefined,
    onTrouble: (what, error) => expect.fail(`${what}: ${error}`),
  });
  const keeper = new ReviewKeeper({
    ...parts,
    continuedBy: () => undefined,
    teamOf: () => undefined,
    deliveries: { judge: async () => undefined },
    judged: { judging } as never,
    look: () => undefined,
  });
  for (const run of runs.values())
    await keeper.judge(run, { kind: "branch", repository: "/r", base: tip(), head: run.id, files: ["a.ts"] });
  return { loop, engine, merged, seen };
}

it("judges at most two results at once, and one of those whose target has moved, together with the newest commit", async () => {
  const { loop, engine, merged, seen } = await open();
  loop.start();
  await vi.waitFor(() => expect(merged).toHaveLength(RESULTS), 20_000);
  await loop.close();
  expect(seen.most).toBeLessThanOrEqual(2);
  // The first is merged as it is; the others were judged alone, and then once as they were merged.
  expect(engine.asked.map(({ onto }) => onto).filter((onto) => onto !== undefined)).toEqual(
    Array.from({ length: RESULTS - 1 }, (_, at) => `commit-${at + 1}`),
  );
  expect(engine.asked).toHaveLength(2 * RESULTS - 1);
});
