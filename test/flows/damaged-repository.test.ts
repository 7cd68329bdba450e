import { readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, type Hall, spawnHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { listRuns, PROJECT, spawnBody, spawnRun, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const problemsOf = async (hall: Hall) =>
  ((await hall.call("GET", "/api/problems")).body.problems as { kind: string; file: string; reason: string }[]).filter(
    ({ kind }) => kind === "repository",
  );

/** The file of an object that lies apart. */
function objectFile(repo: PersonsRepository, name: string): string {
  const id = repo.git("rev-parse", name);
  return repo.at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
}

it("refuses runs in a damaged repository, says what helps, and takes them again when it is repaired", {
  timeout: 180_000,
}, async () => {
  const repo = repository({ "a.txt": "a\n" });
  const other = repository({ "b.txt": "b\n" });
  const hall = await hallOver(await startHall(), {
    root: repo.root,
    playbooks: { first: writing({ "new.txt": "new\n" }), second: writing({ "more.txt": "more\n" }) },
  });
  await hall.call("POST", "/api/projects", { id: "other", name: "Other", workdir: other.root });
  await untilOver(hall, await spawnRun(hall, "first", "First"));
  const file = objectFile(repo, "main");
  const content = readFileSync(file);
  truncateSync(file);
  const answer = await hall.call("POST", "/api/team/spawn", spawnBody("second", "Second"));
  expect(answer).toMatchObject({ status: 409, body: { error: { code: "repository_damaged" } } });
  expect(answer.body.error.hint).toContain("git fsck --full");
  expect(await problemsOf(hall)).toMatchObject([{ file: repo.at(".git") }]);
  const { checks } = (await hall.call("GET", "/api/doctor")).body;
  expect(checks).toContainEqual(expect.objectContaining({ id: "repository-1", state: "failed" }));
  const beside = { ...spawnBody("second", "Beside"), projectId: "other" };
  const { status, body } = await hall.call("POST", "/api/team/spawn", beside);
  expect([status, (await untilOver(hall, body.sessionId)).delivery?.state]).toEqual([200, "delivered"]);
  writeFileSync(file, content);
  const again = await untilOver(hall, await spawnRun(hall, "second", "Second"));
  expect([again.delivery?.state, await problemsOf(hall)]).toEqual(["delivered", []]);
});

it("does not merge into a branch whose file is zeros, and merges when the person restored it", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(), {
    root: repo.root,
    playbooks: { slow: writing({ "new.txt": "new\n" }, { more: JSON.stringify({ delayMs: 1_500, text: "" }) }) },
  });
  const id = await spawnRun(hall, "slow", "Slow");
  await untilDoing(hall, id);
  const ref = repo.at(".git/refs/heads/main");
  const tip = readFileSync(ref, "utf8");
  writeFileSync(ref, Buffer.alloc(41));
  const run = await untilOver(hall, id);
  expect(run.delivery).toMatchObject({ state: "review", reasonCode: "repository-damaged" });
  const [problem] = await problemsOf(hall);
  expect(problem?.reason).toContain(`git update-ref refs/heads/main ${tip.trim()}`);
  const approve = async () => {
    const { body } = await hall.call("GET", `/api/runs/${id}/diff`);
    return hall.call("POST", `/api/runs/${id}/approve`, { hash: body.hash ?? "x" });
  };
  expect(await approve()).toMatchObject({ status: 409, body: { error: { code: "repository_damaged" } } });
  writeFileSync(ref, tip);
  const done = await eventually(approve, ({ status }) => status === 200);
  expect(done.body.run.delivery).toMatchObject({ state: "delivered" });
  expect(done.body.run.delivery).not.toHaveProperty("code");
  expect([repo.text("new.txt"), await problemsOf(hall)]).toEqual(["new\n", []]);
});

it("writes files again after a crash that a merge brought and the disk lost, and none that the person emptied", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const workspace = join(temporaryFolder(), "workspace");
  const playbooks = { many: writing({ "lost.txt": "lost\n", "zeros.txt": "12345678\n", "wanted.txt": "wanted\n" }) };
  const hall = await spawnHall(workspace);
  await hallOver(hall, { root: repo.root, playbooks });
  await untilOver(hall, await spawnRun(hall, "many", "Many"));
  await hall.kill();
  const long = new Date(Date.now() - 3_600_000);
  truncateSync(repo.at("lost.txt"));
  utimesSync(repo.at("lost.txt"), long, long);
  writeFileSync(repo.at("zeros.txt"), Buffer.alloc(9));
  utimesSync(repo.at("zeros.txt"), long, long);
  truncateSync(repo.at("wanted.txt"));
  await spawnHall(workspace);
  expect(["lost.txt", "zeros.txt", "wanted.txt"].map((path) => repo.text(path))).toEqual(["lost\n", "12345678\n", ""]);
});

it("finds damage of the last merge when it starts after a crash, and does not merge what was under way", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const workspace = join(temporaryFolder(), "workspace");
  const hall = await spawnHall(workspace);
  const slow = writing({ "more.txt": "more\n" }, { more: JSON.stringify({ delayMs: 1_500, text: "" }) });
  await hallOver(hall, { root: repo.root, playbooks: { first: writing({ "new.txt": "new\n" }), slow } });
  await untilOver(hall, await spawnRun(hall, "first", "First"));
  const tip = repo.git("rev-parse", "main");
  const underWay = await spawnRun(hall, "slow", "Slow");
  await untilDoing(hall, underWay);
  await hall.kill();
  truncateSync(objectFile(repo, "main:new.txt"));
  const next = await spawnHall(workspace);
  expect(await problemsOf(next)).toMatchObject([{ file: repo.at(".git") }]);
  expect((await next.call("GET", `/api/projects/${PROJECT}`)).status).toBe(200);
  const { status, delivery } = await untilOver(next, underWay);
  expect([status, delivery?.state, delivery?.reasonCode]).toEqual(["completed", "review", "repository-damaged"]);
  expect(repo.git("rev-parse", "main")).toBe(tip);
});

it("does not use a repository whose configuration is too large to be read, and says so", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(), {
    root: repo.root,
    playbooks: { one: writing({ "new.txt": "new\n" }) },
  });
  const config = repo.at(".git/config");
  const own = readFileSync(config, "utf8");
  writeFileSync(config, `${own}${"# filler\n".repeat(130_000)}`);
  const answer = await hall.call("POST", "/api/team/spawn", spawnBody("one", "One"));
  expect(answer).toMatchObject({ status: 409, body: { error: { code: "repository_refused" } } });
  expect(answer.body.error.message).toContain(`'${config}' cannot be read, or is larger than 1 MB`);
  expect([repo.branches(), repo.exists("new.txt"), await listRuns(hall)]).toEqual([["main"], false, []]);
  writeFileSync(config, own);
  const again = await untilOver(hall, await spawnRun(hall, "one", "One"));
  expect([again.delivery?.state, repo.exists("new.txt")]).toEqual(["delivered", true]);
});
