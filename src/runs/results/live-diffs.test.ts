import { expect, it } from "vitest";
import type { RunDiff } from "../../contract/runs/run.ts";
import { LiveDiffs } from "./live-diffs.ts";

const diff = (hash: string): RunDiff => ({
  ...{ runId: "run-1", delivery: { kind: "folder", state: "working" }, base: "", head: "", hash },
  ...{ files: [], controlFiles: [], diff: "", truncated: false },
});

it("makes one diff for all who ask while it is made and a moment after, longer where it took long", async () => {
  let now = 0;
  const live = new LiveDiffs(() => now);
  let made = 0;
  const make = async () => {
    now += 2_000;
    return diff(String(++made));
  };
  const both = await Promise.all([live.of("run-1", make), live.of("run-1", make)]);
  expect(both.map(({ hash }) => hash)).toEqual(["1", "1"]);
  now += 7_999;
  expect((await live.of("run-1", make)).hash).toBe("1");
  expect((await live.of("run-2", make)).hash).toBe("2");
  now += 1;
  expect((await live.of("run-1", make)).hash).toBe("3");
});

it("asks again after a failure", async () => {
  const live = new LiveDiffs(() => 0);
  await expect(live.of("run-1", () => Promise.reject(new Error("no git")))).rejects.toThrow("no git");
  expect((await live.of("run-1", async () => diff("1"))).hash).toBe("1");
});
