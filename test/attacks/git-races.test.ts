import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type GitGround, GitSessions, type GitTrust } from "../../src/runs/git/git-sessions.ts";
import { inodeOf } from "../../src/store/files/folders.ts";
import { swapFolder } from "../harness/folder-swap.ts";
import { type PersonsRepository, repository } from "../harness/repository.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";
import { sandboxHere } from "../harness/trusting-git.ts";

const TRIES = Number(process.env.GUILDHALL_GIT_RACE_TRIES ?? 10);
const here = await sandboxHere();

/** A new sandbox for each command: what it shows is decided anew each time. */
async function commandIn(repo: PersonsRepository, { trust, args }: { trust: GitTrust; args: string[] }) {
  const scratch = temporaryFolder();
  const options = { sandbox: sandboxHere, scratch, ownRoots: [scratch], agentFolders: () => [], umask: 0o022 };
  const sessions = new GitSessions({ ...options, trust });
  const ground: GitGround = { repository: repo.at(".git"), folders: [repo.root] };
  const env = { GIT_DIR: repo.at(".git"), GIT_WORK_TREE: repo.root };
  try {
    return await sessions.run(ground, { args, env, cwd: "/", input: Buffer.alloc(0) });
  } finally {
    sessions.close();
  }
}

/** As a person confirmed it. */
function confirmed(repo: PersonsRepository): GitTrust {
  const path = repo.at(".git");
  const inode = inodeOf(path) ?? "";
  const root = inodeOf(repo.root);
  return { repository: () => ({ path, inode, alternates: [] }), checkout: () => root };
}

describe.skipIf(here === "none")("a repository that changes while git works in it", () => {
  it("never leads git into another one that is swapped into its place", {
    timeout: 60_000 + TRIES * 2_000,
  }, async () => {
    const repo = repository({ "a.txt": "a\n" });
    const victim = repository({ "private.txt": "canary\n" }, "victim");
    const before = victim.snapshot();
    const trust = confirmed(repo);
    const swap = await swapFolder(repo.root, ".git", [victim.at(".git")]);
    const kinds = new Set<string>();
    for (let at = 0; at < TRIES; at++) {
      const args = ["-c", "core.bare=false", "update-ref", `refs/heads/evil-${at}`, "HEAD"];
      kinds.add((await commandIn(repo, { trust, args })).kind);
    }
    expect(await swap.stop()).toBeGreaterThan(0);
    expect(kinds).not.toContain("timeout");
    expect([victim.branches(), victim.snapshot()]).toEqual([["main"], before]);
  });

  it.each([
    ["repository", ".git"],
    ["checkout", ""],
  ])("is refused inside the sandbox where the %s is not the one that was confirmed", async (_, path) => {
    const repo = repository({ "a.txt": "a\n" });
    const other = repository({ "private.txt": "canary\n" }, "other");
    const trust = confirmed(repo);
    // Kept, so that its inode is not given to the other one.
    renameSync(repo.at(path), join(temporaryFolder(), "aside"));
    cpSync(other.at(path), repo.at(path), { recursive: true });
    const outcome = await commandIn(repo, { trust, args: ["update-ref", "refs/heads/evil", "HEAD"] });
    expect(outcome).toEqual({ kind: "changed", trouble: expect.stringContaining(repo.root) });
    expect(repo.branches()).toEqual(["main"]);
  });

  it("starts no program that its settings name for a moment", { timeout: 60_000 + TRIES * 2_000 }, async () => {
    const repo = repository({ "a.txt": "a\n", ".gitattributes": "*.txt filter=trap\n" });
    const trap = repo.at(".git/trap");
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${repo.at(".git/ran")}'\ncat\n`);
    chmodSync(trap, 0o755);
    await toggleConfig(repo, `[filter "trap"]\n\tsmudge = ${trap}\n\tclean = ${trap}\n`);
    for (let at = 0; at < TRIES; at++) {
      const args = ["checkout-index", `--prefix=out-${at}/`, "--all"];
      expect((await commandIn(repo, { trust: confirmed(repo), args })).kind).toBe("exit");
    }
    expect(existsSync(repo.at(".git/ran"))).toBe(false);
  });
});

const TOGGLE = `
  import { readFileSync, renameSync, writeFileSync } from "node:fs";
  const [path, more] = process.argv.slice(1);
  const plain = readFileSync(path, "utf8");
  for (let at = 0; ; at++) {
    writeFileSync(path + ".next", at % 2 === 0 ? plain + more : plain);
    renameSync(path + ".next", path);
    if (at === 10) process.stdout.write("ready\\n");
  }`;

/** Another process that adds to the configuration and takes it away again, as fast as it can. */
async function toggleConfig(repo: PersonsRepository, more: string): Promise<void> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", TOGGLE, repo.at(".git/config"), more]);
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await once(child.stdout, "data");
}
