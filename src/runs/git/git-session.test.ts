import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { sandboxHere } from "../../../test/harness/trusting-git.ts";
import { sandboxNamed } from "../../agent/sandbox/probe.ts";
import { ScratchFolder } from "../../store/files/scratch-folder.ts";
import { GitSession } from "./git-session.ts";

/** One on a disk that lets nothing be removed. */
class StuckFolder extends ScratchFolder {
  override discard(): void {
    throw Object.assign(new Error("EACCES: permission denied, unlink"), { code: "EACCES" });
  }

  override remove(): void {
    this.discard();
  }
}

async function session(Folder = ScratchFolder): Promise<GitSession> {
  const name = await sandboxHere();
  const scratch = new Folder(join(temporaryFolder(), "scratch"));
  const limits = { network: false, memoryMb: 1_024, processes: 64, envFiles: [] };
  const policy = { ...limits, name, readable: [], writable: [], hidden: [] };
  const order = { workdir: scratch.path, policy, masked: [], protectedPaths: [], lent: [], isOwn: true as const };
  const made = new GitSession({ sandbox: sandboxNamed(name), order, scratch, pinned: [], made: [], umask: 0o022 });
  onTestFinished(() => made.close());
  return made;
}

const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
const input = Buffer.from("");

it("tells a missing folder from an exit code of git", async () => {
  const git = await session();
  const missing = join(temporaryFolder(), "gone");
  const outcome = await git.run({ args: ["--version"], env, cwd: missing, input });
  expect(outcome).toEqual({ kind: "no_folder" });
  const failed = await git.run({
    args: ["diff", "--no-index", "--quiet", "/etc/passwd", "/dev/null"],
    env,
    cwd: "/",
    input,
  });
  expect(failed).toMatchObject({ kind: "exit", code: 1 });
});

it("answers, and ends without a failure, when what it wrote cannot be removed", async () => {
  const git = await session(StuckFolder);
  expect(await git.run({ args: ["--version"], env, cwd: "/", input })).toMatchObject({ kind: "exit", code: 0 });
  git.close();
  await vi.waitUntil(() => git.isOver);
});

it("gives git the environment of its request and nothing of the machine's or the sandbox's", async () => {
  const git = await session();
  const asked = { ...env, GIT_SAID: "it's $HOME" };
  const outcome = await git.run({ args: ["-c", "alias.told=!env", "told"], env: asked, cwd: "/", input });
  const told = outcome.kind === "exit" ? outcome.out.toString().trim().split("\n") : [];
  expect(told).toContain("GIT_SAID=it's $HOME");
  expect(told).toContain("HOME=/nonexistent");
  const others = told.map((line) => line.split("=")[0] ?? "").filter((name) => !name.startsWith("GIT_"));
  // The shell that git starts for an alias sets its own.
  expect(others.filter((name) => !["PATH", "HOME", "PWD", "OLDPWD", "SHLVL", "_"].includes(name))).toEqual([]);
});
