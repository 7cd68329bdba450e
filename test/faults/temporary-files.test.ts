import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CrashingHall } from "./crashing-hall.ts";

const OWN = ".tmp-0123456789abcdef";
const EARLIER = new Date(Date.now() - 60_000);
const PERSONS = ".tmp-mine";

describe("what a killed write leaves", { timeout: 120_000 }, () => {
  it("reaches no commit, while a committed file of such a name stays", async () => {
    const repo = repository({ "a.txt": "a\n", [OWN]: "committed\n" });
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    const playbooks = { play: writing({ "sub/a.txt": "agent\n", "b.txt": "b\n" }) };
    await hallOver(await crashing.start(), { root: repo.root, playbooks });
    const point: CrashPoint = { victim: "project", file: "/worktrees/.+/b\\.txt$", when: "before" };
    crashing.arm(point);
    const id = await spawnRun(crashing.hall, "play", "Write");
    await crashing.struck(point);
    expect(await untilOver(crashing.hall, id)).toMatchObject({
      status: "completed",
      delivery: { kind: "branch", state: "delivered" },
    });
    const kept = repo.git("ls-tree", "-r", "--name-only", "main").split("\n").sort();
    // The write that was killed is told to the agent as having an unknown outcome, and not repeated.
    expect(kept).toEqual([OWN, "a.txt", "sub/a.txt"]);
    expect(repo.text(OWN)).toBe("committed\n");
  });

  it("is gone from a working folder without git when its run is over, and what a person put there is not", async () => {
    const folder = join(temporaryFolder(), "work");
    mkdirSync(folder);
    writeFileSync(join(folder, PERSONS), "mine");
    mkdirSync(join(folder, OWN));
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    await hallOver(await crashing.start(), { root: folder, playbooks: { play: writing({ "b.txt": "b\n" }) } });
    const point: CrashPoint = { victim: "project", file: "/work/b\\.txt$", when: "before" };
    crashing.arm(point);
    const id = await spawnRun(crashing.hall, "play", "Write");
    await crashing.struck(point);
    expect(await untilOver(crashing.hall, id)).toMatchObject({ status: "completed" });
    expect(readdirSync(folder).sort()).toEqual([OWN, PERSONS]);
    const { checkpoints } = (await crashing.hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body;
    expect(JSON.stringify(checkpoints)).not.toMatch(/\.tmp-[0-9a-f]{16}/);
  });

  it("is swept at a start from everywhere in the workspace, and nothing else is", async () => {
    const hall = await startHall();
    await hall.call("POST", "/api/projects", { id: PROJECT, name: "Shop" });
    await hall.stop();
    const outside = temporaryFolder();
    writeFileSync(join(outside, OWN), "half");
    const folders = [
      ".",
      ".guildhall",
      ".guildhall/places",
      ".guildhall/checkpoints/shop/records",
      "projects/shop",
      "trash/old",
    ];
    for (const folder of folders) {
      mkdirSync(join(hall.workspace, folder), { recursive: true });
      for (const name of [OWN, PERSONS, ".tmp-0123456789ABCDEF"]) {
        writeFileSync(join(hall.workspace, folder, name), "half");
        utimesSync(join(hall.workspace, folder, name), EARLIER, EARLIER);
      }
    }
    const repo = join(hall.workspace, "projects/shop/code");
    mkdirSync(join(repo, ".git"), { recursive: true });
    writeFileSync(join(repo, OWN), "perhaps committed");
    symlinkSync(outside, join(hall.workspace, "projects/shop/link"));
    const again = await startHall(hall.workspace);
    writeFileSync(join(hall.workspace, "trash", OWN), "being written");
    const has = (folder: string, name: string) => existsSync(join(hall.workspace, folder, name));
    await expect.poll(() => folders.filter((folder) => has(folder, OWN))).toEqual([]);
    await again.stop();
    expect(has("trash", OWN)).toBe(true);
    expect(folders.filter((folder) => !has(folder, PERSONS) || !has(folder, ".tmp-0123456789ABCDEF"))).toEqual([]);
    expect([existsSync(join(outside, OWN)), existsSync(join(repo, OWN))]).toEqual([true, true]);
  });
});
