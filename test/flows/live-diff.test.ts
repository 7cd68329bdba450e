import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, temporaryFolder, untilRecorded } from "../harness/daemon.ts";
import { pictureOf } from "../harness/folder-picture.ts";
import { repository } from "../harness/repository.ts";
import { held, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest } from "../harness/scripted-provider.ts";
import { untilOver } from "../harness/spawned-runs.ts";

const CALLS = [
  { name: "edit", input: { path: "a.txt", oldText: "two", newText: "2" } },
  { name: "write", input: { path: "deep/new 📎.txt", content: "new\n" } },
];

let scripted: ScriptedHall;
beforeAll(async () => {
  scripted = await scriptedHall(() => ({ text: "Done." }), { later: afterAll });
});

/** A run that has made its calls and thinks until the test is over. */
async function heldRun(root: string, calls: object[] = CALLS) {
  const { hall, provider, spawn } = scripted;
  const gate = held();
  const name = `p-${Math.random().toString(36).slice(2, 8)}`;
  const made = await hall.call("POST", "/api/projects", { id: name, name, workdir: root });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await untilRecorded(hall, name);
  const first = provider.requests.length;
  provider.play(({ turns }: SeenRequest) =>
    turns === 0 ? { calls: calls as never } : gate.opened.then(() => ({ text: "Done." })),
  );
  const { body } = await spawn({ projectId: name });
  await provider.request(first + 1);
  return { id: body.sessionId, open: gate.open };
}

const shown = async (id: string) => (await scripted.hall.call("GET", `/api/runs/${id}/diff`)).body;
const counted = (diff: { files: { path: string; additions: number; deletions: number }[] }) =>
  diff.files.map(({ path, additions, deletions }) => `${path} +${additions} -${deletions}`);

describe("the diff of a run that is at work", () => {
  it("in a repository is that of its worktree, and leaves no trace there or in the repository", async () => {
    const repo = repository({ "a.txt": "one\ntwo\n", "gone.txt": "gone\n", ".gitignore": "dist/\n" });
    const { id, open } = await heldRun(repo.root);
    const worktrees = join(scripted.hall.workspace, ".guildhall/worktrees");
    const worktree = join(worktrees, readdirSync(worktrees).find((name) => name.includes(id)) ?? "");
    rmSync(join(worktree, "gone.txt"));
    mkdirSync(join(worktree, "dist"));
    writeFileSync(join(worktree, "dist/out.js"), "ignored\n");
    writeFileSync(join(worktree, "large.txt"), "x".repeat(3_000_000));
    const before = [pictureOf(worktree), pictureOf(join(repo.root, ".git"))];
    const diff = await shown(id);
    expect(diff).toMatchObject({ runId: id, isLive: true, head: "", delivery: { kind: "branch", state: "working" } });
    expect(counted(diff)).toEqual(["a.txt +1 -1", "deep/new 📎.txt +1 -0", "gone.txt +0 -1", "large.txt +0 -0"]);
    expect(diff.files.find(({ path }: { path: string }) => path === "large.txt")).toMatchObject({ unshown: true });
    expect(diff.diff).toContain("-two\n+2\n");
    expect([pictureOf(worktree), pictureOf(join(repo.root, ".git"))]).toEqual(before);
    expect(readdirSync(join(worktrees, ".scratch"))).toEqual([]);
    writeFileSync(join(worktree, "a.txt"), "one\n3\n");
    const later = await eventually(
      () => shown(id),
      (now) => now.hash !== diff.hash,
    );
    expect(later.diff).toContain("-two\n+3\n");
    const { stdout } = await commandLine(["run", "diff", id], { workspace: scripted.hall.workspace });
    expect(stdout).toContain("+3");
    expect(stdout).toContain("4 files so far");
    expect(stdout).not.toContain("Nothing was changed");
    rmSync(join(worktree, "large.txt"));
    open();
    expect(await untilOver(scripted.hall, id)).toMatchObject({ delivery: { files: 3 } });
    expect(await shown(id)).not.toHaveProperty("isLive");
  });

  it("in a folder is what the run changed there, and not what a person did beside it", async () => {
    const root = join(temporaryFolder(), "work");
    mkdirSync(root);
    writeFileSync(join(root, "a.txt"), "one\ntwo\n");
    const { id, open } = await heldRun(root);
    writeFileSync(join(root, "mine.txt"), "a person's\n");
    const diff = await shown(id);
    expect(diff).toMatchObject({ isLive: true, delivery: { kind: "folder", state: "working" } });
    expect(counted(diff)).toEqual(["a.txt +1 -1", "deep/new 📎.txt +1 -0"]);
    expect(diff.diff).toContain("-two\n+2\n");
    open();
    await untilOver(scripted.hall, id);
    const ended = await shown(id);
    expect([ended.files, ended.diff]).toEqual([diff.files, diff.diff]);
  });

  it("runs no filter, monitor or diff program of the repository", async () => {
    const repo = repository({ "a.txt": "one\ntwo\n", ".gitattributes": "* filter=evil diff=evil\n" });
    const canary = join(temporaryFolder(), "ran");
    const script = join(temporaryFolder(), "evil.sh");
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`, { mode: 0o755 });
    for (const key of ["core.fsmonitor", "filter.evil.clean", "diff.evil.command", "diff.evil.textconv"])
      repo.git("config", key, script);
    const { id } = await heldRun(repo.root);
    rmSync(canary, { force: true });
    expect(counted(await shown(id))).toEqual(["a.txt +1 -1", "deep/new 📎.txt +1 -0"]);
    expect(existsSync(canary)).toBe(false);
  });

  it("is empty before the run has written anything", async () => {
    const repo = repository({ "a.txt": "one\n" });
    const { id } = await heldRun(repo.root, [{ name: "list", input: { path: "." } }]);
    expect(await shown(id)).toMatchObject({ isLive: true, files: [], diff: "" });
    const { stdout } = await commandLine(["run", "diff", id], { workspace: scripted.hall.workspace });
    expect(stdout).toContain("No changes so far.");
  });
});
