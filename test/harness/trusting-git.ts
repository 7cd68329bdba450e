import { onTestFinished } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import type { SandboxName } from "../../src/contract/documents/sandbox.ts";
import { Git } from "../../src/runs/git/git.ts";
import type { GitTrust, SessionsOptions } from "../../src/runs/git/git-sessions.ts";
import { inodeOf } from "../../src/store/files/folders.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const probe = sandboxProbe();

/** The sandbox that commands have on this machine. */
export async function sandboxHere(): Promise<SandboxName> {
  const { name } = await probe.settle();
  return name === "probing" ? "none" : name;
}

/** Every repository counts as confirmed the moment it is used. */
export const trustAsFound: GitTrust = {
  repository: (path) => {
    const inode = inodeOf(path);
    return inode === undefined ? undefined : { path, inode, alternates: [] };
  },
  checkout: () => undefined,
};

/** Git on every repository there is, as if a person had confirmed it the moment it is used. */
export function trustingGit({
  umask = 0o022,
  sandbox = sandboxHere,
  indexes,
}: Partial<Pick<SessionsOptions, "umask" | "sandbox" | "indexes">> = {}): Git {
  const scratch = temporaryFolder();
  const git = new Git({
    umask,
    sandbox,
    scratch,
    indexes,
    ownRoots: [scratch],
    identity: { name: "Hall", email: "hall@example.org" },
    agentFolders: () => [],
    trust: trustAsFound,
  });
  onTestFinished(() => git.close());
  return git;
}
