import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { Checkpoint } from "../../contract/runs/checkpoint.ts";

const RUN = "run-01m7fz9hbn0000rnc17rn6";

function checkpoint(reason: Checkpoint["reason"], end: string, paths: string[] = []): Checkpoint {
  const changed = paths.map((path) => ({ path, how: "changed" as const }));
  const about = { id: `ckpt-01m7fz9hmj0000${end}`, at: "2026-11-15T16:05:23.000Z", reason, runId: RUN };
  return { ...about, workdir: "/w", files: 4, bytes: 9, notKept: [], changed, changedCount: paths.length };
}

const list = {
  checkpoints: [
    checkpoint("reverted", "aaaaaa"),
    checkpoint("revert", "bbbbbb"),
    checkpoint("merged", "cccccc"),
    checkpoint("merge", "dddddd", ["notes.md"]),
  ],
  conflicts: [],
};

describe("checkpoint list", () => {
  it("keeps what one chooses by where there is little room", async () => {
    const { out } = await runCli(["checkpoint", "list", "-p", "shop", "--no-color"], () => ok(list), { terminal: 80 });
    const [title, ...rows] = out.trimEnd().split("\n");
    expect(title?.split(/ {2,}/)).toEqual(["CHECKPOINT", "TAKEN", "BEFORE", "RUN", "FILES", "CHANGED SINCE"]);
    expect(rows.map((row) => row.split(/ {2,}/).filter((_, at) => [0, 2, 3, 5].includes(at)))).toEqual([
      ["aaaaaa", "(no change)", "c17rn6"],
      ["bbbbbb", "a revert", "c17rn6"],
      ["cccccc", "(merged)", "c17rn6"],
      ["dddddd", "a merge", "c17rn6", "notes.md"],
    ]);
  });

  it("has whole ids where there is room, and in a pipe", async () => {
    for (const choice of [{ terminal: 160 }, {}]) {
      const { out } = await runCli(["checkpoint", "list", "-p", "shop", "--no-color"], () => ok(list), choice);
      expect(out).toContain("ckpt-01m7fz9hmj0000aaaaaa");
      expect(out).toContain(RUN);
    }
  });
});

describe("checkpoint rollback", () => {
  it("offers to undo only what was done", async () => {
    const answer = { to: "c", dryRun: false, checkpointId: "ckpt-x", left: [], runs: [], conflicts: [] };
    const roll = async (restored: object[]) =>
      (
        await runCli(["checkpoint", "rollback", "dddddd", "-p", "shop"], ({ method }) =>
          ok(method === "GET" ? list : { ...answer, restored }),
        )
      ).out;
    expect(await roll([])).toBe("Nothing to roll back.\n");
    expect(await roll([{ path: "a", how: "changed" }])).toContain("Undo with: guildhall checkpoint rollback ckpt-x");
  });
});
