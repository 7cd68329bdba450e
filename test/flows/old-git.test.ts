import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually, startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { branchOf, runOf, spawnBody, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const playbooks = { play: writing({ "a.txt": "agent\n" }) };

/** A git that says it is this old, and cannot do what came later. */
function oldGit(version: string): void {
  const folder = temporaryFolder();
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `case "$1" in --version) echo "git version ${version}";; merge-tree) exit 129;; *) exec ${real} "$@";; esac`;
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "git"), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("with an old git", () => {
  it("results wait on their branches, doctor says why, and a person who merges by hand can approve", async () => {
    oldGit("2.34.1");
    const repo = repository({ "a.txt": "a\n" });
    const hall = await hallOver(await startHall(), { root: repo.root, playbooks });
    const id = await spawnRun(hall, "play", "Do it");
    const { delivery } = await untilOver(hall, id);
    expect(delivery).toMatchObject({ state: "review", reason: expect.stringContaining("git 2.34 is too old (2.38") });
    expect(repo.text("a.txt")).toBe("a\n");
    const problems = async () => (await hall.call("GET", "/api/problems")).body.problems;
    const told = [{ severity: "warning", reason: expect.stringContaining("git 2.34 is too old") }];
    expect(await eventually(problems, (found) => found.length > 0)).toMatchObject(told);
    expect((await guildhall(["doctor"], { workspace: hall.workspace })).stdout).toContain("git 2.34 is too old");
    const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
    const approve = () => hall.call("POST", `/api/runs/${id}/approve`, { hash });
    expect(await approve()).toMatchObject({ status: 409, body: { error: { code: "merge_refused" } } });
    repo.git("merge", "--quiet", "--no-edit", branchOf({ delivery })?.name ?? "");
    expect(await approve()).toMatchObject({ status: 200 });
    expect((await runOf(hall, id)).delivery).toMatchObject({ state: "delivered" });
  });

  it("is refused where it would not heed what keeps hooks and filters from being run", async () => {
    oldGit("2.30.2");
    const repo = repository({ "a.txt": "a\n" });
    const hall = await hallOver(await startHall(), { root: repo.root, playbooks });
    const answer = await hall.call("POST", "/api/team/spawn", spawnBody("play", "Do it"));
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "repository_refused" } } });
    expect(answer.body.error.message).toContain("git 2.30 is too old");
  });
});
