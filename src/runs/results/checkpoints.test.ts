import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runPlan } from "../../../test/fakes/api-documents.ts";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { pictureOf } from "../../../test/harness/folder-picture.ts";
import { TaskCreate } from "../../contract/documents/task.ts";
import type { Run } from "../../contract/runs/run.ts";
import { ControlFiles } from "../../store/git/control-files.ts";
import { lineText } from "../../store/logs/durable-line.ts";
import { commit } from "../../workspace/core.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { RunBook } from "../record/run-book.ts";
import { newRun } from "../record/run-facts.ts";
import { CheckpointShelf } from "./checkpoint-shelf.ts";
import { Checkpoints } from "./checkpoints.ts";
import { Rollbacks } from "./rollbacks.ts";

const BY = { actor: { kind: "person", via: "http" } } as const;

describe("what a run changed", () => {
  it("is told with the state before and after, by tools that name no file too, and can be reverted", async () => {
    const { checkpoints, rollbacks, start, calls, work } = await open();
    const before = pictureOf(work);
    await start("run-1", ["exec"]);
    await checkpoints.beforeRun("run-1");
    calls("run-1", "exec");
    writeFileSync(join(work, "a.txt"), "after");
    mkdirSync(join(work, "made"));
    expect(checkpoints.workOf("run-1").changes).toEqual([]);
    await (await checkpoints.afterRun("run-1")).durable;
    const changes = checkpoints.workOf("run-1").changes;
    expect(changes.map(({ path }) => path)).toEqual(["a.txt", "made"]);
    const bytes = [changes[0]?.before, changes[0]?.after].map((state) =>
      checkpoints.contentOf("shop", state ?? "").toString(),
    );
    expect(bytes).toEqual(["before", "after"]);
    const reverted = await rollbacks.revert("run-1", { dryRun: false, change: BY });
    expect(reverted).toMatchObject({ left: [], restored: [{ path: "a.txt" }, { path: "made" }] });
    expect(pictureOf(work)).toEqual(before);
    await expect(rollbacks.revert("run-2", { dryRun: true, change: BY })).rejects.toMatchObject({
      code: "checkpoint_not_found",
    });
  });

  it("is what was merged for it, where it worked elsewhere", async () => {
    const { checkpoints, rollbacks, start, work } = await open();
    await start("run-1", ["write"]);
    const merged = await checkpoints.aroundMerge("run-1", (around) =>
      around([join(work, "a.txt")], async () => {
        writeFileSync(join(work, "a.txt"), "merged");
        return "done";
      }),
    );
    expect([merged, checkpoints.workOf("run-1").changes.map(({ path }) => path)]).toEqual(["done", ["a.txt"]]);
    await rollbacks.revert("run-1", { dryRun: false, change: BY });
    expect(readFileSync(join(work, "a.txt"), "utf8")).toBe("before");
  });

  it("is nothing for a run that could have run commands and did not, whatever a person does meanwhile", async () => {
    const { checkpoints, rollbacks, start, calls, work } = await open();
    await start("run-1", ["exec", "read", "write"]);
    await checkpoints.beforeRun("run-1");
    calls("run-1", "read", '{"path": "a.txt"}');
    writeFileSync(join(work, "a.txt"), "mine");
    await (await checkpoints.afterRun("run-1")).durable;
    expect(checkpoints.workOf("run-1").changes).toEqual([]);
    expect((await rollbacks.list("shop")).checkpoints.map(({ reason }) => reason)).toEqual(["run-end", "run-start"]);
    expect(await rollbacks.revert("run-1", { dryRun: false, change: BY })).toMatchObject({ restored: [], left: [] });
    await start("run-2", ["exec", "write"]);
    await checkpoints.beforeRun("run-2");
    calls("run-2", "write", '{"path": "./made/b.txt"}');
    mkdirSync(join(work, "made"));
    writeFileSync(join(work, "made/b.txt"), "theirs");
    writeFileSync(join(work, "a.txt"), "mine again");
    await (await checkpoints.afterRun("run-2")).durable;
    expect(checkpoints.workOf("run-2").changes.map(({ path }) => path)).toEqual(["made", "made/b.txt"]);
  });

  it("is nothing for a run that only reads, and no checkpoint is taken", async () => {
    const { checkpoints, rollbacks, start } = await open();
    await start("run-1", ["read"]);
    await checkpoints.beforeRun("run-1");
    await (await checkpoints.afterRun("run-1")).durable;
    expect(await rollbacks.list("shop")).toEqual({ checkpoints: [], conflicts: [] });
  });
});

describe("old checkpoints", () => {
  it("are removed, but the last ones and those of a run that is under way are not", async () => {
    const { checkpoints, rollbacks, start, work, settle, later } = await open({ keep: 2, days: 14 });
    await start("run-0", ["write"]);
    await checkpoints.beforeRun("run-0");
    for (let number = 1; number <= 12; number++) {
      await start(`run-${number}`, ["write"]);
      await checkpoints.beforeRun(`run-${number}`);
      writeFileSync(join(work, "a.txt"), `${number}`);
      await (await checkpoints.afterRun(`run-${number}`)).durable;
      await settle(`run-${number}`);
      if (number === 6) later(15);
    }
    const kept = (await rollbacks.list("shop")).checkpoints.map(({ runId }) => runId);
    expect(kept).toContain("run-0");
    expect(kept).toContain("run-12");
    expect(kept).not.toContain("run-1");
    expect(kept).toContain("run-7");
  });
});

it("the checkpoints of a run whose task waits for a review are kept, until it does not any more", async () => {
  const { checkpoints, rollbacks, start, settle, later, hall } = await open({ keep: 2, days: 14 });
  await hall.tasks.create("shop", TaskCreate.parse({ title: "Look at it" }), BY);
  for (const status of ["in-progress", "review"] as const) await hall.tasks.update("shop", "TASK-001", { status }, BY);
  const work = async (runId: string) => {
    await start(runId, ["write"]);
    await checkpoints.beforeRun(runId);
    await (await checkpoints.afterRun(runId)).durable;
    await settle(runId);
  };
  const kept = async () => (await rollbacks.list("shop")).checkpoints.map(({ runId }) => runId);
  await work("run-0");
  later(15);
  for (let number = 1; number <= 10; number++) await work(`run-${number}`);
  expect(await kept()).toContain("run-0");
  await hall.tasks.update("shop", "TASK-001", { status: "done" }, BY);
  for (let number = 11; number <= 21; number++) await work(`run-${number}`);
  expect(await kept()).not.toContain("run-0");
  expect(await kept()).toContain("run-1");
});

async function open({ keep, days } = { keep: 50, days: 14 }) {
  let now = Date.parse("2026-01-02T03:04:05.000Z");
  const workspace = join(temporaryFolder(), "workspace");
  const work = join(temporaryFolder(), "work");
  mkdirSync(work);
  writeFileSync(join(work, "a.txt"), "before");
  const { core, hall, close } = await openHall({ workspace, clock: () => new Date(now), version: "0", warnings: [] });
  await hall.projects.create({ id: "shop", name: "Shop", workdir: work } as never, BY);
  const book = new RunBook(core);
  onTestFinished(close);
  const config = { keep, days, fileMb: 1, files: 100 };
  const shelf = new CheckpointShelf({ core, config, placeOf: () => ({ projectPath: workspace, workdir: work }) });
  const onTrouble = (what: string, error: unknown) => expect.fail(`${what}: ${error}`);
  const checkpoints = new Checkpoints({ control: new ControlFiles(), core, book, shelf, onTrouble });
  const rollbacks = new Rollbacks({
    core,
    book,
    shelf,
    checkpoints,
    branches: { list: async () => [], rollback: async () => undefined },
  });
  const start = async (runId: string, tools: string[]) => {
    const tool = { value: tools, because: "" };
    const plan = runPlan({ runId, tools: tool, createdAt: new Date(now).toISOString() });
    const { events, writes, apply } = await book.created({ type: "plan", plan }, newRun(plan), { by: BY });
    await commit(core, events, apply, writes);
  };
  const calls = (runId: string, name: string, input = "{}") => {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const asked = { model: "offline/x", usage, costUsd: 0, at: "", calls: [{ id: "1", name, input }] };
    const answer = lineText({ type: "answer", text: "", finish: "calls", ...asked });
    appendFileSync(join(workspace, core.runs.get(runId)?.journal ?? ""), `${answer}\n`);
  };
  const settle = async (runId: string) => {
    const run = core.runs.get(runId)?.run as Run;
    await book.settled({ ...run, status: "completed" }, 1, { notify: false });
  };
  const later = (more: number) => {
    now += more * 86_400_000;
  };
  return { work, checkpoints, rollbacks, start, calls, settle, later, hall };
}
