import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { branchOf, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const config = { constraints: { requireReview: true } };
const playbooks = {
  play: writing({ "new.txt": "new\n" }),
  deep: writing({ "sub/a.txt": "agent\n", "made/b.txt": "b\n" }),
};
const play = async (hall: Hall, name = "play") => untilOver(hall, await spawnRun(hall, name, "Improve it"));
const discard = (hall: Hall, id: string) => hall.call("POST", `/api/runs/${id}/discard`, {});
const undo = (hall: Hall, id: string) => hall.call("POST", `/api/runs/${id}/discard/undo`);

it("of decisions that come at the same moment, one counts, and the repository agrees with it", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(), { root: repo.root, config, playbooks });
  for (let round = 0; round < 2; round++) {
    const { id, taskId, delivery } = await play(hall);
    const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
    const run = `/api/runs/${id}`;
    const asked = [
      () => hall.call("POST", `${run}/approve`, { hash }),
      () => discard(hall, id),
      () => hall.call("POST", `${run}/discard`, { task: "cancelled" }),
      () => hall.call("POST", `${run}/stop`),
      () => hall.call("POST", `${run}/retry`),
      () => hall.call("POST", `/api/projects/${PROJECT}/tasks/${taskId}/move`, { status: "cancelled" }),
    ];
    const answers = await Promise.all([...asked.slice(round), ...asked.slice(0, round)].map((ask) => ask()));
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const { delivery: after } = await runOf(hall, id);
    const isMerged = repo.git("ls-tree", "--name-only", "main").includes("new.txt");
    expect([isMerged, after?.state]).toEqual(isMerged ? [true, "delivered"] : [false, "discarded"]);
    expect(repo.branches()).not.toContain(branchOf({ delivery })?.name);
    if (isMerged) expect((await hall.call("POST", `${run}/revert`)).status).toBe(200);
  }
  repo.git("fsck", "--full");
});

it("a hidden ref survives git's clean-up, and one that leads elsewhere is not written", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(), { root: repo.root, config, playbooks });
  const { id, delivery } = await play(hall);
  const branch = branchOf({ delivery })?.name ?? "";
  expect((await discard(hall, id)).status).toBe(200);
  repo.git("pack-refs", "--all", "--prune");
  repo.git("reflog", "expire", "--expire=now", "--all");
  repo.git("gc", "--quiet", "--prune=now");
  expect((await undo(hall, id)).status).toBe(200);
  expect(repo.git("show", `${branch}:new.txt`)).toBe("new");

  const outside = temporaryFolder();
  rmSync(join(repo.root, ".git/refs/guildhall"), { recursive: true, force: true });
  symlinkSync(outside, join(repo.root, ".git/refs/guildhall"));
  expect(await discard(hall, id)).toMatchObject({ status: 409, body: { error: { code: "merge_refused" } } });
  expect([readdirSync(outside), repo.branches().includes(branch)]).toEqual([[], true]);
});

it("a discard in a folder writes and deletes nothing behind a link that was put there since", async () => {
  const root = join(temporaryFolder(), "work");
  mkdirSync(join(root, "sub"), { recursive: true });
  writeFileSync(join(root, "sub/a.txt"), "mine\n");
  const hall = await hallOver(await startHall(), { root, config, playbooks });
  const { id } = await play(hall, "deep");
  const outside = temporaryFolder();
  for (const [folder, file] of [
    ["sub", "a.txt"],
    ["made", "b.txt"],
  ] as const) {
    mkdirSync(join(outside, folder));
    renameSync(join(root, folder, file), join(outside, folder, file));
    rmSync(join(root, folder), { recursive: true });
    symlinkSync(join(outside, folder), join(root, folder));
  }
  expect(await discard(hall, id)).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
  expect(readFileSync(join(outside, "sub/a.txt"), "utf8")).toBe("agent\n");
  expect(existsSync(join(outside, "made/b.txt"))).toBe(true);
  await undo(hall, id);
  expect(readFileSync(join(outside, "sub/a.txt"), "utf8")).toBe("agent\n");
});
