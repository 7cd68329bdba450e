import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { PROJECT, spawnRun } from "../harness/spawned-runs.ts";

const slow = writing({ "half.txt": "half\n" }, { more: JSON.stringify({ delayMs: 60_000, text: "Later." }) });

it("saves the worktrees of runs that no project knows any more, and leaves alone what it cannot save", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const gone = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(), { root: repo.root, playbooks: { slow } });
  const folder = join(hall.workspace, ".guildhall/worktrees");
  const written = (id: string) =>
    eventually(
      () => existsSync(join(folder, id, "half.txt")),
      (isThere) => isThere,
    );
  const id = await spawnRun(hall, "slow", "Slow");
  await written(id);
  expect((await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: gone.root })).status).toBe(200);
  const lost = await spawnRun(hall, "slow", "Lost");
  await written(lost);
  await hall.stop();
  renameSync(join(hall.workspace, "projects", PROJECT), join(temporaryFolder(), "away"));
  rmSync(gone.root, { recursive: true });
  mkdirSync(join(folder, "run-unknown"));
  writeFileSync(join(folder, "run-unknown/mine.txt"), "mine\n");

  const again = await startHall(hall.workspace);
  const names = () => readdirSync(folder).sort();
  expect(names()).toEqual([".scratch", lost, "run-unknown"].sort());
  const branch = repo.branches().find((name) => name.endsWith(id)) ?? "";
  expect(repo.committed(branch, "half.txt")).toBe("half");
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
  const problems = async () => (await again.call("GET", "/api/problems")).body.problems;
  const told = (of: string, why: RegExp) => ({
    file: `.guildhall/worktrees/${of}`,
    severity: "warning",
    reason: expect.stringMatching(why),
  });
  expect(await problems()).toEqual(
    expect.arrayContaining([
      expect.objectContaining(told(lost, /no longer exists\. Copy what you want to keep/)),
      expect.objectContaining(told("run-unknown", /its repository is unknown/)),
    ]),
  );
  expect(existsSync(join(folder, lost, "half.txt")) && existsSync(join(folder, "run-unknown/mine.txt"))).toBe(true);
  for (const name of [lost, "run-unknown"]) rmSync(join(folder, name), { recursive: true });
  expect(await problems()).toEqual([]);
});
