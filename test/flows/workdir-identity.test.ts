import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { WorkdirView } from "../../src/contract/documents/workdir.ts";
import type { Problem } from "../../src/contract/problem.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { repository, repositoryAt, writing } from "../harness/repository.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { untilOver, writePlaybook } from "../harness/spawned-runs.ts";
import { waitFor } from "../harness/wait-for.ts";

const hall = sharedHall();
let count = 0;

beforeAll(async () => {
  await furnishRole(hall());
});

async function furnishRole(at: Hall): Promise<void> {
  writePlaybook(at.workspace, "write", writing({ "made.txt": "made\n" }));
  const skills = ["read", "write", "report"];
  expect((await at.call("POST", "/api/roles", { id: "worker", name: "Worker", skills })).status).toBe(201);
}

async function projectIn(workdir: string, at: Hall = hall()): Promise<string> {
  const id = `p${++count}`;
  const { status, body } = await at.call("POST", "/api/projects", { id, name: id, workdir });
  expect(status, JSON.stringify(body)).toBe(201);
  return id;
}

function plainFolder(): string {
  const folder = join(temporaryFolder(), "work");
  mkdirSync(folder);
  return folder;
}

const spawn = (id: string, at: Hall = hall()) =>
  at.call("POST", "/api/team/spawn", {
    projectId: id,
    roleId: "worker",
    task: { title: "Write" },
    overrides: { model: "offline/write" },
  });

async function viewOf(id: string, at: Hall = hall()): Promise<WorkdirView> {
  const { status, body } = await at.call("GET", `/api/projects/${id}/workdir`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as WorkdirView;
}

const confirm = (id: string, fingerprint = "", at: Hall = hall()) =>
  at.call("POST", `/api/projects/${id}/workdir/confirm`, { fingerprint });

async function problemsOf(id: string): Promise<Problem[]> {
  const { body } = await hall().call("GET", "/api/problems");
  return (body.problems as Problem[]).filter(({ projectId }) => projectId === id);
}

async function writes(id: string, at: Hall = hall()) {
  const { status, body } = await spawn(id, at);
  expect(status, JSON.stringify(body)).toBe(200);
  const run = await untilOver(at, body.sessionId);
  expect(run.status, run.error).toBe("completed");
  return run;
}

/** Refused as it is, shown as a problem, and used once it is confirmed. */
async function confirmedAfter(id: string, state: WorkdirView["state"], said: RegExp): Promise<void> {
  const refused = await spawn(id);
  expect([refused.status, refused.body.error.code]).toEqual([409, "workdir_changed"]);
  expect(refused.body.error.message).toMatch(said);
  expect(refused.body.error.hintAction).toEqual({ action: "project-folder", args: { project: id } });
  const view = await viewOf(id);
  expect(view.state).toBe(state);
  expect(view.changes.join(" ")).toMatch(said);
  await expect.poll(async () => (await problemsOf(id)).map(({ severity }) => severity)).toContain("invalid");
  expect((await confirm(id, view.fingerprint)).status).toBe(200);
  expect((await viewOf(id)).state).toBe("ok");
  await writes(id);
  const { body } = await hall().call("GET", `/api/events/log?project=${id}&tail=1000`);
  const told = body.events.find(({ type }: { type: string }) => type === "workdir.confirmed");
  expect(told).toMatchObject({ actor: { kind: "person" }, before: {}, after: { workdir: view.workdir } });
}

describe("a repository that is not the original one", () => {
  it("is not used in a folder that was plain, until the person confirms it", async () => {
    const folder = plainFolder();
    const id = await projectIn(folder);
    const repo = repositoryAt(folder);
    repo.git("init", "--quiet", "--initial-branch=main");
    repo.git("commit", "--quiet", "--allow-empty", "-m", "First");
    expect((await writes(id)).delivery?.kind).toBe("folder");
    expect(existsSync(repo.at(".git/HEAD"))).toBe(true);
    const view = await viewOf(id);
    expect([view.state, view.recorded?.git.state, view.now?.git.state]).toEqual(["git_appeared", "none", "repository"]);
    await expect
      .poll(async () => (await problemsOf(id))[0])
      .toMatchObject({
        reason: expect.stringMatching(/appeared.*not used/),
        hintAction: { action: "project-folder", args: { project: id } },
      });
    rmSync(repo.at("made.txt"));
    expect((await confirm(id, view.fingerprint)).status).toBe(200);
    expect((await writes(id)).delivery).toMatchObject({ kind: "branch", state: "delivered" });
  });

  it("is not used above a folder that was plain", async () => {
    const folder = plainFolder();
    const id = await projectIn(folder);
    repositoryAt(join(folder, "..")).git("init", "--quiet");
    expect((await writes(id)).delivery?.kind).toBe("folder");
    expect((await viewOf(id)).state).toBe("git_appeared");
  });

  it.each<[string, RegExp, (root: string, other: string) => void]>([
    ["another folder", /replaced by another/, (root, other) => cpSync(other, join(root, ".git"), { recursive: true })],
    ["a link", /is a link/, (root, other) => symlinkSync(other, join(root, ".git"))],
    ["a file", /does not name this checkout/, (root, other) => writeFileSync(join(root, ".git"), `gitdir: ${other}\n`)],
    ["nothing", /no longer exists/, () => undefined],
  ])("is refused where %s is in its place", async (_, said, put) => {
    const repo = repository({ "a.txt": "a\n" });
    const other = repository({ "private.txt": "canary\n" }, "other");
    const id = await projectIn(repo.root);
    await writes(id);
    renameSync(repo.at(".git"), repo.at("git-away"));
    put(repo.root, other.at(".git"));
    const { status, body } = await spawn(id);
    expect([status, body.error.code]).toEqual([409, "workdir_changed"]);
    expect(body.error.message).toMatch(said);
    expect([(await viewOf(id)).state, other.branches()]).toEqual(["git_changed", ["main"]]);
    rmSync(repo.at(".git"), { recursive: true, force: true });
    renameSync(repo.at("git-away"), repo.at(".git"));
    expect((await viewOf(id)).state).toBe("ok");
  });

  it("is refused where the file .git of a linked checkout names another one", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const other = repository({ "b.txt": "b\n" }, "other");
    const linked = join(temporaryFolder(), "linked");
    repo.git("worktree", "add", "--quiet", "-b", "feature", linked);
    const id = await projectIn(linked);
    await writes(id);
    unlinkSync(join(linked, ".git"));
    other.git("worktree", "add", "--quiet", "-b", "theirs", join(linked, "..", "theirs"));
    cpSync(join(linked, "../theirs/.git"), join(linked, ".git"));
    const records = other.at(".git/worktrees/theirs/gitdir");
    writeFileSync(records, `${join(linked, ".git")}\n`);
    await confirmedAfter(id, "git_changed", /names '.*other.*' now/);
  });
});

describe("a working folder that is not the one that was named", () => {
  it("is refused where a link leads elsewhere, and agents read nothing there", async () => {
    const folder = plainFolder();
    const outside = plainFolder();
    const id = await projectIn(folder);
    renameSync(folder, `${folder}-away`);
    symlinkSync(outside, folder);
    await confirmedAfter(id, "folder_changed", /now leads to/);
  });

  it("is refused where it is another folder", async () => {
    const folder = plainFolder();
    const id = await projectIn(folder);
    renameSync(folder, `${folder}-away`);
    mkdirSync(folder);
    await confirmedAfter(id, "folder_changed", /different folder/);
  });

  it("is refused where it did not exist when it was named", async () => {
    const folder = join(temporaryFolder(), "later");
    const id = await projectIn(folder);
    expect((await spawn(id)).body.error.code).toBe("workdir_missing");
    mkdirSync(folder);
    await confirmedAfter(id, "folder_changed", /did not exist/);
  });

  it("is not reached by the project's agent, checkpoints or skills", async () => {
    const folder = plainFolder();
    const id = await projectIn(folder);
    await writes(id);
    const { body: before } = await hall().call("GET", `/api/projects/${id}/checkpoints`);
    renameSync(folder, `${folder}-away`);
    mkdirSync(join(folder, ".claude/skills/x"), { recursive: true });
    writeFileSync(join(folder, ".claude/skills/x/SKILL.md"), "---\nname: x\ndescription: y\n---\n");
    const checkpoint = before.checkpoints[0]?.id;
    const back = await hall().call("POST", `/api/projects/${id}/checkpoints/${checkpoint}/rollback`, { dryRun: true });
    expect([back.status, back.body.error.code]).toEqual([409, "workdir_changed"]);
    expect((await hall().call("GET", `/api/skills?project=${id}`)).body.skills).toEqual([]);
    const said = await hall().call("POST", `/api/projects/${id}/messages`, { text: "Read made.txt" });
    expect(said.status).toBeLessThan(300);
    await waitForAnswer(id, /different folder/);
  });
});

async function waitForAnswer(id: string, said: RegExp): Promise<void> {
  await expect
    .poll(async () => JSON.stringify((await hall().call("GET", `/api/projects/${id}/messages`)).body))
    .toMatch(said);
}

describe("confirming a folder", () => {
  it("is refused with the fingerprint of what was there before, and for what is not there", async () => {
    const folder = plainFolder();
    const id = await projectIn(folder);
    repositoryAt(folder).git("init", "--quiet");
    const { fingerprint } = await viewOf(id);
    rmSync(join(folder, ".git"), { recursive: true });
    symlinkSync("/nowhere", join(folder, ".git"));
    const { status, body } = await confirm(id, fingerprint);
    expect([status, body.error.code]).toEqual([412, "version_mismatch"]);
    expect((await viewOf(id)).state).toBe("git_appeared");
    rmSync(folder, { recursive: true });
    expect((await confirm(id, fingerprint)).body.error.code).toBe("workdir_missing");
  });

  it("changes nothing where everything is as recorded", async () => {
    const id = await projectIn(plainFolder());
    const { fingerprint, recordedAt } = await viewOf(id);
    expect((await confirm(id, fingerprint)).body.folder).toMatchObject({ state: "ok", recordedAt });
  });

  it("is needed where the record cannot be read, and naming another folder makes a new one", async () => {
    const folder = plainFolder();
    const id = await projectIn(folder);
    const record = join(hall().workspace, "projects", id, "workdir.json");
    writeFileSync(record, "{");
    await confirmedAfter(id, "unrecorded", /cannot be read/);
    expect(JSON.parse(readFileSync(record, "utf8"))).toMatchObject({ version: 1, workdir: folder });
    writeFileSync(record, "[]");
    const other = plainFolder();
    expect((await hall().call("PUT", `/api/projects/${id}`, { workdir: other })).status).toBe(200);
    expect(await viewOf(id)).toMatchObject({ state: "ok", workdir: other });
  });
});

describe("naming a folder", () => {
  it("records it again when it is taken away and given back, and by hand", async () => {
    const [first, second] = [plainFolder(), plainFolder()];
    const id = await projectIn(first);
    renameSync(first, `${first}-away`);
    mkdirSync(first);
    for (const workdir of [null, first])
      expect((await hall().call("PUT", `/api/projects/${id}`, { workdir })).status).toBe(200);
    expect(await viewOf(id)).toMatchObject({ state: "ok", workdir: first });
    const file = join(hall().workspace, "projects", id, "PROJECT.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(JSON.stringify(first), JSON.stringify(second)));
    await waitFor(() =>
      expect(JSON.parse(readFileSync(file.replace("PROJECT", "workdir"), "utf8")).workdir).toBe(second),
    );
    await expect.poll(() => viewOf(id)).toMatchObject({ state: "ok", workdir: second });
  });

  it("warns where another project works in it, around it or inside it", async () => {
    const outer = plainFolder();
    mkdirSync(join(outer, "inner"));
    const around = await projectIn(outer);
    const id = `p${++count}`;
    const made = await hall().call("POST", "/api/projects", { id, name: id, workdir: join(outer, "inner") });
    expect(made.body.warnings?.join()).toContain(`inside the working folder of project '${around}'`);
    const moved = await hall().call("PUT", `/api/projects/${id}`, { workdir: outer });
    expect(moved.body.warnings?.join()).toContain(`Project '${around}' works in the same folder`);
    const back = await hall().call("PUT", `/api/projects/${around}`, { workdir: join(outer, "..") });
    expect(back.body.warnings?.join()).toContain(`contains the working folder of project '${id}'`);
    await expect.poll(async () => (await problemsOf(id)).map(({ severity }) => severity)).toEqual(["warning"]);
    expect((await hall().call("PUT", `/api/projects/${id}`, { name: "Other" })).body.warnings).toBeUndefined();
  });

  it("tells what a repository leaves out that needs filters", async () => {
    const repo = repository({
      ".gitattributes": "*.bin filter=lfs\n",
      "deep/.gitattributes": "*.key filter=git-crypt\n",
    });
    const id = `p${++count}`;
    const { body } = await hall().call("POST", "/api/projects", { id, name: id, workdir: repo.root });
    expect(body.warnings?.join()).toMatch(/LFS pointers/);
    const run = await writes(id);
    const { body: plan } = await hall().call("GET", `/api/runs/${run.id}/prompt`);
    expect(JSON.stringify(plan)).toMatch(/LFS pointers.*git-crypt is not run/);
    expect((await viewOf(id)).warnings.join()).toMatch(/git-crypt/);
  });
});

describe("a restart", () => {
  it("keeps the record, and records what an older version left without one", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const first = await startHall(workspace);
    await furnishRole(first);
    const [kept, old] = [plainFolder(), repository({ "a.txt": "a\n" }).root];
    const ids = [await projectIn(kept, first), await projectIn(old, first)];
    await first.stop();
    renameSync(kept, `${kept}-away`);
    mkdirSync(kept);
    rmSync(join(workspace, "projects", ids[1] ?? "", "workdir.json"));
    const second = await startHall(workspace);
    expect((await viewOf(ids[0] ?? "", second)).state).toBe("folder_changed");
    expect((await spawn(ids[0] ?? "", second)).body.error.code).toBe("workdir_changed");
    expect((await viewOf(ids[1] ?? "", second)).recorded?.git.state).toBe("repository");
    expect((await writes(ids[1] ?? "", second)).delivery).toMatchObject({ state: "delivered" });
    const { body } = await second.call("GET", "/api/events/log?tail=1000");
    const recorded = body.events.filter(({ type }: { type: string }) => type === "workdir.recorded");
    expect(recorded.map(({ projectId }) => projectId)).toEqual([ids[1]]);
  });
});
