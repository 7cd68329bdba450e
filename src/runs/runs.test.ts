import { expect, it } from "vitest";
import { run } from "../../test/fakes/api-documents.ts";
import { HallError } from "../contract/errors.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import type { Core } from "../workspace/core.ts";
import type { RunBook } from "./record/run-book.ts";
import type { RunProgress } from "./record/run-progress.ts";
import { Runs } from "./runs.ts";
import type { Scheduler } from "./schedule/scheduler.ts";

it("a run that another one started, and that a full disk refused and kept, starts when there is room", async () => {
  const kept = run({ id: "run-2", parentRunId: "run-1", status: "pending" });
  const started: string[] = [];
  const due: (() => Promise<boolean>)[] = [];
  let isShown = false;
  const core = {
    runs: { get: () => (isShown ? { run: kept } : undefined) },
    projects: { status: () => "active" },
    tasks: { record: () => undefined },
  } as unknown as Core;
  const scheduler = {
    repeat: (work: () => Promise<boolean>) => void due.push(work),
    isAtWork: () => false,
    enqueue: async ({ runId }: { runId: string }) => void started.push(runId),
  } as unknown as Scheduler;
  const enter = async () => {
    throw new HallError("storage_failed", "The disk is full.", { changed: "unknown" });
  };
  const runs = new Runs({
    ...{ core, scheduler },
    spawning: { enter },
    book: { catchUp: () => undefined } as unknown as RunBook,
    progress: { find: () => ({ run: kept, epoch: 0 }) } as unknown as RunProgress,
    workdirOf: () => undefined,
  } as unknown as ConstructorParameters<typeof Runs>[0]);
  const plan = { runId: kept.id, projectId: kept.projectId } as RunPlan;
  const request = { overrides: {} } as Parameters<Runs["enter"]>[1]["request"];
  const asked = runs.enter(plan, { request, change: { actor: { kind: "daemon", via: "daemon" } } });
  await expect(asked).rejects.toThrow("The disk is full.");
  expect([await due[0]?.(), started]).toEqual([false, []]);
  isShown = true;
  expect([await due[0]?.(), started]).toEqual([true, ["run-2"]]);
});
