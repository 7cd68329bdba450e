import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CheckpointList } from "../../src/contract/runs/checkpoint.ts";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { pictureOf } from "../harness/folder-picture.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { furnish, listRuns, PROJECT, runOf, spawnRun, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const SOURCE = {
  "src/login.ts": "export const ok = true;\r\n",
  "src/empty.ts": "",
  "notes/with space 🦉.md": "mine\n",
  "scripts/run.sh": "#!/bin/sh\nexit 1\n",
  ".gitignore": "secret.txt\n",
  "secret.txt": "not kept\n",
  "node_modules/dep/index.js": "return 1;\n",
};

const CHANGES = `
turns:
  - calls:
      - {tool: edit, input: {path: src/login.ts, oldText: "true", newText: "false"}}
      - {tool: write, input: {path: src/empty.ts, content: "full"}}
      - {tool: edit, input: {path: scripts/run.sh, oldText: "exit 1", newText: "exit 0"}}
      - {tool: write, input: {path: docs/deep/new.md, content: "# New\\n"}}
  - text: Done.
`;
const MORE = `
turns:
  - calls: [{tool: edit, input: {path: src/login.ts, oldText: "false", newText: "maybe"}}]
  - text: Done.
`;

describe("a checkpoint of a working folder", () => {
  it("is taken before a run that may write, and brings back every byte [S1-MOD-04]", async () => {
    const { hall, folder, at } = await hallWithFolder({ play: CHANGES });
    const before = pictureOf(folder);
    const id = await spawnRun(hall, "play", "Change it");
    await untilOver(hall, id);
    expect(pictureOf(folder)).not.toEqual(before);
    const { checkpoints } = await listOf(hall);
    expect(checkpoints.map(({ reason, runId }) => [reason, runId])).toEqual([
      ["run-end", id],
      ["run-start", id],
    ]);
    expect(checkpoints[1]).toMatchObject({ workdir: folder, files: 5, notKept: [] });
    expect(checkpoints[1]?.changed).toEqual([
      { path: "docs", how: "created" },
      { path: "docs/deep", how: "created" },
      { path: "docs/deep/new.md", how: "created" },
      { path: "scripts/run.sh", how: "changed" },
      { path: "src/empty.ts", how: "changed" },
      { path: "src/login.ts", how: "changed" },
    ]);
    const dry = await rollback(hall, checkpoints[1]?.id, { dryRun: true });
    expect(dry.body).toMatchObject({ dryRun: true, left: [], conflicts: [], runs: [id] });
    expect(pictureOf(folder)).not.toEqual(before);
    const done = await rollback(hall, checkpoints[1]?.id);
    expect([done.status, done.body.restored]).toEqual([200, dry.body.restored]);
    expect(pictureOf(folder)).toEqual(before);
    const again = await rollback(hall, checkpoints[1]?.id);
    expect(again.body).toMatchObject({ restored: [], left: [] });
    const undone = await rollback(hall, done.body.checkpointId);
    expect(undone.body.restored).toHaveLength(6);
    expect(readFileSync(at("src/login.ts"), "utf8")).toBe("export const ok = false;\r\n");
    expect(readFileSync(at("docs/deep/new.md"), "utf8")).toBe("# New\n");
    const { events } = (await hall.call("GET", "/api/events/log?tail=100")).body;
    const told = events.filter(({ type }: { type: string }) => type.startsWith("checkpoint."));
    expect(told.map(({ type, actor }: { type: string; actor: { kind: string } }) => [type, actor.kind])).toEqual([
      ["checkpoint.created", "daemon"],
      ...Array(3)
        .fill([
          ["checkpoint.created", "daemon"],
          ["checkpoint.rolledback", "person"],
        ])
        .flat(),
    ]);
  });

  it("leaves what the person changed, names it, and touches nothing that no agent changed [S1-MOD-04]", async () => {
    const { hall, folder, at } = await hallWithFolder({ play: CHANGES });
    await untilOver(hall, await spawnRun(hall, "play", "Change it"));
    writeFileSync(at("src/login.ts"), "my own\n");
    writeFileSync(at("notes/with space 🦉.md"), "mine, and more\n");
    writeFileSync(at("docs/deep/mine.md"), "mine\n");
    rmSync(at("scripts/run.sh"));
    const { checkpoints } = await listOf(hall);
    const { body } = await rollback(hall, checkpoints.at(-1)?.id);
    expect(body.left.map(({ path }: { path: string }) => path).sort()).toEqual([
      "docs",
      "docs/deep",
      "scripts/run.sh",
      "src/login.ts",
    ]);
    expect(readFileSync(at("src/login.ts"), "utf8")).toBe("my own\n");
    expect(readFileSync(at("notes/with space 🦉.md"), "utf8")).toBe("mine, and more\n");
    expect(readFileSync(at("src/empty.ts"), "utf8")).toBe("");
    expect(readdirSync(at("docs/deep"))).toEqual(["mine.md"]);
    expect(existsSync(at("scripts/run.sh"))).toBe(false);
    expect([...pictureOf(folder).keys()].filter((path) => path.includes(".tmp-"))).toEqual([]);
  });

  it("does not count what a person does beside a run as the run's", async () => {
    const { hall, at } = await hallWithFolder({ slow: slow("a.txt") });
    const id = await spawnRun(hall, "slow", "Take your time");
    await untilDoing(hall, id);
    writeFileSync(at("src/empty.ts"), "while it works");
    await untilOver(hall, id);
    const { checkpoints } = await listOf(hall);
    expect(checkpoints.at(-1)?.changed).toEqual([{ path: "a.txt", how: "created" }]);
  });

  it("tells which runs changed the same file, and takes back one run without the other", async () => {
    const { hall, at } = await hallWithFolder({ play: CHANGES, more: MORE });
    const first = await spawnRun(hall, "play", "Change it");
    await untilOver(hall, first);
    const second = await spawnRun(hall, "more", "Change it again");
    await untilOver(hall, second);
    const { checkpoints, conflicts } = await listOf(hall);
    expect(conflicts).toEqual([{ path: "src/login.ts", runs: [first, second] }]);
    const oldest = checkpoints.at(-1)?.id;
    const one = await rollback(hall, oldest, { runId: first, dryRun: true });
    expect(one.body.left).toEqual([{ path: "src/login.ts", reason: `run ${second} changed it too` }]);
    expect(one.body.restored.map(({ path }: { path: string }) => path)).toContain("docs/deep/new.md");
    expect((await rollback(hall, checkpoints[1]?.id, { runId: second })).body.restored).toEqual([
      { path: "src/login.ts", how: "changed" },
    ]);
    expect(readFileSync(at("src/login.ts"), "utf8")).toBe("export const ok = false;\r\n");
    expect((await rollback(hall, oldest, { runId: first })).body.left).toEqual([]);
    expect(readFileSync(at("src/login.ts"), "utf8")).toBe(SOURCE["src/login.ts"]);
  });

  it("takes back of one run what it did since the checkpoint, and nothing of a run that is not there", async () => {
    const { hall, at } = await hallWithFolder({ one: CHANGES, two: MORE });
    const one = await spawnRun(hall, "one", "One");
    await untilOver(hall, one);
    await untilOver(hall, await spawnRun(hall, "two", "Two"));
    const [, beforeTwo, , beforeOne] = (await listOf(hall)).checkpoints;
    expect((await rollback(hall, beforeTwo?.id, { runId: one })).body).toMatchObject({ restored: [], left: [] });
    expect(readFileSync(at("src/empty.ts"), "utf8")).toBe("full");
    const unknown = await rollback(hall, beforeOne?.id, { runId: "run-nobody" });
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: "run_not_found" } } });
    await rollback(hall, beforeOne?.id, { runId: one });
    expect(readFileSync(at("src/empty.ts"), "utf8")).toBe("");
  });

  it("counts what a helper did to the one who started it", async () => {
    const { hall, folder } = await hallWithFolder({
      lead: `
turns:
  - calls: [{tool: write, input: {path: plan.md, content: "one"}}]
  - calls: [{tool: spawn_subagent, input: {role: helper, title: Help}}]
  - calls: [{tool: write, input: {path: after.md, content: "three"}}]
  - text: Done.
`,
      helper: `
turns:
  - calls: [{tool: write, input: {path: plan.md, content: "two"}}]
  - text: Helped.
`,
    });
    const before = pictureOf(folder);
    const id = await spawnRun(hall, "lead", "Lead");
    expect((await untilOver(hall, id)).status).toBe("completed");
    const { checkpoints } = await listOf(hall);
    const { body } = await rollback(hall, checkpoints.at(-1)?.id, { runId: id });
    expect(body).toMatchObject({ left: [], runs: [id, expect.any(String)] });
    expect(pictureOf(folder)).toEqual(before);
  });

  it("is kept of the project's own folder too, without what the hall writes there", async () => {
    const hall = await furnish(await startHall(), {
      play: CHANGES.replaceAll("edit, input: {path: src", "read, input: {path: src"),
    });
    const own = join(hall.workspace, "projects", PROJECT);
    await untilOver(hall, await spawnRun(hall, "play", "Write"));
    const { checkpoints } = await listOf(hall);
    expect(checkpoints.at(-1)?.changed.map(({ path }) => path)).toEqual([
      "docs",
      "docs/deep",
      "docs/deep/new.md",
      "src",
      "src/empty.ts",
    ]);
    await rollback(hall, checkpoints.at(-1)?.id);
    expect([existsSync(join(own, "docs")), existsSync(join(own, "PROJECT.md"))]).toEqual([false, true]);
  });

  it("is refused to be rolled back to while a run that may write works there, and where it is unknown", async () => {
    const { hall } = await hallWithFolder({ slow: slow("a.txt") });
    const id = await spawnRun(hall, "slow", "Take your time");
    await untilDoing(hall, id);
    const { checkpoints } = await listOf(hall);
    const busy = await rollback(hall, checkpoints[0]?.id);
    expect([busy.status, busy.body.error.code]).toEqual([409, "folder_busy"]);
    expect(busy.body.error.message).toContain(id);
    expect((await rollback(hall, "ckpt-none")).body.error.code).toBe("checkpoint_not_found");
    expect((await hall.call("GET", "/api/projects/none/checkpoints")).status).toBe(404);
    await hall.call("POST", `/api/runs/${id}/stop`);
    expect((await rollback(hall, checkpoints[0]?.id)).status).toBe(200);
  });

  it("touches nothing of git's, keeps links as links, and writes through none", async () => {
    const { hall, folder, at } = await hallWithFolder({ play: CHANGES });
    const outside = temporaryFolder();
    writeFileSync(join(outside, "login.ts"), "outside\n");
    symlinkSync(outside, at("away"));
    await untilOver(hall, await spawnRun(hall, "play", "Change it"));
    mkdirSync(at(".git"));
    writeFileSync(at(".git/index"), "as it was");
    const git = pictureOf(at(".git"));
    rmSync(at("src"), { recursive: true });
    symlinkSync(outside, at("src"));
    const { checkpoints } = await listOf(hall);
    const { body } = await rollback(hall, checkpoints.at(-1)?.id);
    expect(body.left.map(({ path }: { path: string }) => path)).toEqual(expect.arrayContaining(["src/login.ts"]));
    expect(pictureOf(outside)).toEqual(new Map([["login.ts", expect.stringMatching(/b3V0c2lkZQo=$/)]]));
    expect(pictureOf(at(".git"))).toEqual(git);
    expect(pictureOf(folder).get("away")).toBe(`link ${outside}`);
  });

  it("is listed and rolled back to from the command line", async () => {
    const { hall, folder } = await hallWithFolder({ play: CHANGES });
    chmodSync(join(folder, "scripts/run.sh"), 0o755);
    const before = pictureOf(folder);
    await untilOver(hall, await spawnRun(hall, "play", "Change it"));
    const { workspace } = hall;
    const list = await commandLine(["checkpoint", "list", "-p", PROJECT], { workspace });
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/a run .*docs.*/) });
    const id = (await listOf(hall)).checkpoints.at(-1)?.id ?? "";
    const dry = await commandLine(["checkpoint", "rollback", id.slice(-10), "--dry-run"], { workspace });
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("would be reverted: src/login.ts") });
    const done = await commandLine(["checkpoint", "rollback", id.slice(-10)], { workspace });
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("removed: docs/deep/new.md") });
    expect(pictureOf(folder)).toEqual(before);
    const none = await commandLine(["checkpoint", "rollback", "nothing"], { workspace });
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining("No checkpoint")]);
  });
});

describe("runs that may write in one folder without git", () => {
  it("take turns, while those that only read go on beside them", async () => {
    const { hall, folder } = await hallWithFolder({
      slow: slow("a.txt", 3_000),
      other: slow("b.txt"),
      quick: "turns: [{text: Read.}]",
    });
    const reader = { id: "reader", name: "Reader", skills: ["read"], modelConfig: { model: "offline/quick" } };
    await hall.call("POST", "/api/roles", reader);
    const first = await spawnRun(hall, "slow", "First");
    await untilDoing(hall, first);
    const second = await spawnRun(hall, "other", "Second");
    const reading = await hall.call("POST", "/api/team/spawn", {
      projectId: PROJECT,
      roleId: "reader",
      task: { title: "Read" },
    });
    expect((await untilOver(hall, reading.body.sessionId)).status).toBe("completed");
    const standing = new Map((await listRuns(hall)).map((run) => [run.id, run]));
    expect(standing.get(first)).toMatchObject({ status: "running" });
    const wait = { status: "pending", waitingFor: "turn", waitingForRun: first };
    expect([standing.get(second), await runOf(hall, second)]).toMatchObject([wait, wait]);
    expect(standing.get(second)?.activity).toEqual({ kind: "waiting", for: "turn", run: first, folder });
    expect(standing.get(reading.body.sessionId)).not.toHaveProperty("waitingFor");
    const [one, two] = [await untilOver(hall, first), await untilOver(hall, second)];
    expect([one.status, two.status]).toEqual(["completed", "completed"]);
    expect(two).not.toHaveProperty("waitingFor");
    expect(Date.parse(two.startedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(one.endedAt ?? ""));
    const reasons = (await listOf(hall)).checkpoints.map(({ reason, runId }) => `${reason} ${runId}`).reverse();
    expect(reasons).toEqual([`run-start ${first}`, `run-end ${first}`, `run-start ${second}`, `run-end ${second}`]);
  });

  it("need none where git gives each a worktree, also in a folder inside a repository", async () => {
    const repo = repository({ "app/a.txt": "a\n" });
    const playbooks = { slow: slow("one.txt", 60_000), quick: slow("two.txt", 1) };
    const hall = await hallOver(await startHall(), { root: repo.at("app"), playbooks });
    const first = await spawnRun(hall, "slow", "First");
    await untilDoing(hall, first);
    const second = await spawnRun(hall, "quick", "Second");
    expect(await untilOver(hall, second)).toMatchObject({
      status: "completed",
      delivery: { kind: "branch", state: "delivered" },
    });
    expect(await runOf(hall, first)).toMatchObject({ status: "running" });
    const { checkpoints } = await listOf(hall);
    expect((await rollback(hall, checkpoints.at(-1)?.id)).body.restored).toEqual([{ path: "two.txt", how: "removed" }]);
    await hall.call("POST", `/api/runs/${first}/stop`);
  });

  it("share their turn with those they start, whatever waits", async () => {
    const lead = `
turns:
  - calls:
      - {tool: spawn_subagent, input: {role: helper, title: One}}
      - {tool: spawn_subagent, input: {role: helper, title: Two}}
  - text: Done.
`;
    const helper = `
turns:
  - calls: [{tool: write, input: {path: help.md, content: "{{task}}"}}]
  - text: Helped.
`;
    const { hall } = await hallWithFolder({ lead, helper }, { limits: { runs: 2, runsPerProject: 2 } });
    const leads = [
      await spawnRun(hall, "lead", "A"),
      await spawnRun(hall, "lead", "B"),
      await spawnRun(hall, "lead", "C"),
    ];
    for (const id of leads) expect((await untilOver(hall, id, 20_000)).status).toBe("completed");
    expect(await listRuns(hall)).toHaveLength(9);
  });
});

function slow(path: string, delayMs = 400): string {
  return `
turns:
  - delayMs: ${delayMs}
    calls: [{tool: write, input: {path: ${path}, content: x}}]
  - delayMs: 100
    text: Done.
`;
}

async function hallWithFolder(playbooks: Record<string, string>, config: object = {}) {
  const folder = join(temporaryFolder(), "work");
  const at = (path: string) => join(folder, path);
  for (const [path, content] of Object.entries(SOURCE)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }
  const hall = await furnish(await startHall(undefined, { config }), playbooks);
  const { status, body } = await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder });
  expect(status, JSON.stringify(body)).toBe(200);
  return { hall, folder, at };
}

async function listOf(hall: Hall): Promise<CheckpointList> {
  return (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body;
}

function rollback(hall: Hall, id: string | undefined, body: object = {}) {
  return hall.call("POST", `/api/projects/${PROJECT}/checkpoints/${id}/rollback`, body);
}
