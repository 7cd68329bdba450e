import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Run } from "../../contract/runs/run.ts";
import { HallIndex } from "./hall-index.ts";

function opened() {
  const index = new HallIndex(join(temporaryFolder(), "index.db"));
  onTestFinished(() => index.close());
  const put = (id: string, projectId = "shop") => {
    const usage = { turns: 1, inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };
    const run: Run = {
      ...{ id, projectId, taskId: "TASK-001", roleId: "coder", rank: "worker", title: id, status: "completed" },
      ...{ purpose: "work", progress: 1, model: "own/m", attempt: 1, createdAt: "2026-11-15T10:00:00.000Z" },
      usage: { ...usage, costKnown: true },
    };
    index.runs.put({ run, journal: `${id}.jsonl`, epoch: 1, crashes: 0, messages: [] });
  };
  const read = () => {
    const run = index.passages.nextUnread();
    if (run !== undefined) index.passages.put(run, [{ entry: 0, text: `words of ${run.runId}` }]);
    return run?.runId;
  };
  return { index, put, read };
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `run-${100 + at}`);

it("gives every run that ended once, in order, however many there are, and those that end meanwhile", () => {
  const { index, put, read } = opened();
  for (const id of numbered(45)) put(id);
  const found = numbered(30).map(read);
  put("run-900");
  found.push(...numbered(17).map(read));
  expect(found).toEqual([...numbered(45), "run-900", undefined]);
  expect(index.passages.unread()).toBe(0);
  put("run-901");
  expect([read(), read()]).toEqual(["run-901", undefined]);
});

it("gives no run of a project that was removed after its runs were looked up", () => {
  const { index, put, read } = opened();
  for (const id of ["run-1", "run-3"]) put(id, "barn");
  for (const id of ["run-2", "run-4"]) put(id);
  expect(read()).toBe("run-1");
  index.passages.removeProject("barn");
  expect([read(), read(), read()]).toEqual(["run-2", "run-4", undefined]);
  while (index.passages.forgetOne());
  expect(index.passages.unread()).toBe(0);
});

it("gives a run again whose passages could not be written", () => {
  const { index, put, read } = opened();
  put("run-1");
  const run = index.passages.nextUnread();
  expect(() => index.passages.put(run as never, [{ entry: 0, text: undefined as never }])).toThrow(TypeError);
  expect([read(), read()]).toEqual(["run-1", undefined]);
});
