import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { hasGitSecrets, withoutGitSecrets } from "./git-settings.ts";

/** As git itself reads a configuration. */
function readByGit(text: string): string[] {
  const path = join(temporaryFolder(), "config");
  writeFileSync(path, text);
  return execFileSync("git", ["config", "--file", path, "--list", "--no-includes"], { encoding: "utf8" })
    .trim()
    .split("\n");
}

const SECRET = `[core]
	repositoryformatversion = 0
	bare = false
	sshCommand = ssh -i /keys/canary
	hooksPath = /canary
[remote "origin"]
	url = https://user:canary@example.com/a.git
	pushurl = https://canary@example.com/a.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[remote "token"] url = https://canary@example.com/b.git?private_token=canary
[remote "odd"]
	url = "https://user:can\\"ary/ca@nary@example.com/c.git" ; canary
[remote "joined"]
	url = https://user:can\\
ary@example.com/d.git
[remote "helper"]
	url = ext::sh -c canary
[remote "ssh"]
	url = ssh://git@example.com/e.git
[remote "short"]
	url = git@example.com:f.git
[url "https://canary@example.com/"]
	insteadOf = https://example.com/
[credential]
	helper = store --file canary
[http "https://example.com"]
	extraHeader = Authorization: canary
[http]
	cookieFile = canary
[includeIf "gitdir:~/"]
	path = canary
[sendemail]
	smtpPass = canary
[filter "x"]
	clean = canary
[branch "feature/x"]
	remote = origin
	merge = refs/heads/feature/x
[submodule "lib"]
	url = https://u:canary@example.com/lib.git
[extensions]
	worktreeConfig = true
`;

describe("a git configuration without its secrets", () => {
  it("keeps how the repository is read and where it comes from, and no password, program or include", () => {
    const shown = withoutGitSecrets(SECRET);
    expect(shown).not.toContain("canary");
    expect(readByGit(shown)).toEqual([
      "core.repositoryformatversion=0",
      "core.bare=false",
      "remote.origin.url=https://example.com/a.git",
      "remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*",
      "remote.token.url=https://example.com/b.git",
      "remote.odd.url=https://example.com/c.git",
      "remote.joined.url=https://example.com/d.git",
      "remote.ssh.url=ssh://git@example.com/e.git",
      "remote.short.url=git@example.com:f.git",
      "branch.feature/x.remote=origin",
      "branch.feature/x.merge=refs/heads/feature/x",
      "submodule.lib.url=https://example.com/lib.git",
      "extensions.worktreeconfig=true",
    ]);
  });

  it("knows which configuration has something to hide", () => {
    expect(hasGitSecrets(SECRET)).toBe(true);
    const plain = `[core]\n\tbare = false\n[remote "a"]\n\turl = git@example.com:a.git\n\turl = https://example.com/a.git\n`;
    expect(hasGitSecrets(plain)).toBe(false);
    for (const line of ["[credential]\nhelper = x", '[remote "a"]\nurl = https://t@example.com', "[http]\nproxy = p"])
      expect(hasGitSecrets(`${plain}${line}\n`)).toBe(true);
  });

  it.each(["", "[", "[core", "no section = x", "[core]\n\\", '[core "a]\nbare = true', '[core]\nbare = "open'])(
    "is readable whatever it was made of: %j",
    (text) => {
      expect(() => readByGit(withoutGitSecrets(text))).not.toThrow();
    },
  );
});
