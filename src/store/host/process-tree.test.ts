import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../test/harness/daemon.ts";
import { hasEnded, ownBytes, parentsOfAll, processTree, residentBytes, writtenBytes } from "./process-tree.ts";

const why = process.platform === "linux" ? "" : " (skipped: only Linux tells it)";

describe.skipIf(why !== "")(`what the kernel tells of processes${why}`, () => {
  it("is who descends from whom, and how much memory they hold", async () => {
    const shell = spawn("sh", ["-c", "sh -c 'sleep 60; true' & sleep 60; true"]);
    await once(shell, "spawn");
    const pid = shell.pid ?? 0;
    onTestFinished(() => {
      for (const one of processTree(pid)) process.kill(one, "SIGKILL");
    });
    const tree = await eventually(
      () => processTree(pid),
      ({ length }) => length === 4,
    );
    expect(tree[0]).toBe(pid);
    expect(parentsOfAll().get(pid)).toBe(process.pid);
    expect(residentBytes(process.pid)).toBeGreaterThan(10e6);
    expect(ownBytes(process.pid)).toBeGreaterThan(10e6);
    expect(writtenBytes(pid)).toBeGreaterThanOrEqual(0);
  });

  it("is whether a process has ended, also while nobody has looked at how", async () => {
    const parent = spawn("sh", ["-c", "true & exec sleep 60"]);
    await once(parent, "spawn");
    onTestFinished(() => void parent.kill("SIGKILL"));
    const tree = await eventually(
      () => processTree(parent.pid ?? 0),
      (pids) => pids.length === 2 && hasEnded(pids[1] ?? 0),
    );
    expect(tree.map(hasEnded)).toEqual([false, true]);
    expect(hasEnded(99_999_999)).toBe(true);
  });

  it("is nothing of a process that is not there", () => {
    expect(processTree(99_999_999)).toEqual([]);
    expect([residentBytes(99_999_999), ownBytes(99_999_999), writtenBytes(99_999_999)]).toEqual([0, 0, undefined]);
  });
});
