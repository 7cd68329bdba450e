import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { commandFolder } from "../harness/command-folder.ts";
import { temporaryFolder } from "../harness/daemon.ts";
import { inEverySandbox } from "../harness/working-sandboxes.ts";

const SETTINGS = `[remote "origin"]
	url = https://user:canary@example.com/a.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[url "https://canary@example.com/"]
	insteadOf = https://other.example/
[credential]
	helper = store --file /canary
[http]
	extraHeader = Authorization: Basic canary
[include]
	path = canary
`;
const PLACES: Record<string, string> = {
  credentials: "https://user:canary@example.com\n",
  FETCH_HEAD: "0000\t\tbranch 'main' of https://user:canary@example.com/a\n",
  "config.bak": "canary",
  "hooks/post-checkout": "#!/bin/sh\ncurl -H canary\n",
  "git-crypt/keys/default": "canary",
  "annex/creds/x": "canary",
  "remotes/old": "URL: https://user:canary@example.com/a\n",
  "info/.env": "canary",
  "modules/lib/HEAD": "ref: refs/heads/main\n",
  "modules/lib/objects/info/packs": "\n",
  "modules/lib/config": SETTINGS,
  "modules/lib/FETCH_HEAD": "canary",
  "worktrees/other/config.worktree": SETTINGS,
};

const PERSON = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "advice.ignoredHook=false"];

/** A repository with secrets in every place where git, or tools around it, keep them. */
function repository(): { root: string; git: (...words: string[]) => string } {
  const root = temporaryFolder();
  const git = (...words: string[]) => execFileSync("git", [...PERSON, ...words], { cwd: root, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(root, "a.txt"), "a\n");
  git("add", ".");
  git("commit", "-qm", "The first");
  appendFileSync(join(root, ".git/config"), SETTINGS);
  appendFileSync(join(root, ".git/logs/HEAD"), "0 0 T <t> 0 +0000\tpull https://user:canary@example.com/a main\n");
  for (const [path, content] of Object.entries(PLACES)) {
    mkdirSync(dirname(join(root, ".git", path)), { recursive: true });
    writeFileSync(join(root, ".git", path), content);
  }
  return { root, git };
}

const LOOK = "git log --oneline; git status --short; git show HEAD:a.txt; git branch --show-current; git remote -v";
const LOOKED = /^\w+ The first\n(?:\?\? .*\n)?a\n\w+\norigin\thttps:\/\/example\.com\/a\.git \(fetch\)\n/;

await inEverySandbox((sandbox) => {
  it("keeps passwords of remotes and everything secret in a repository from commands in a worktree of it", async () => {
    const { root, git } = repository();
    const tree = join(temporaryFolder(), "tree");
    git("worktree", "add", "-q", "-b", "work", tree);
    const settings = readFileSync(join(root, ".git/config"), "utf8");
    writeFileSync(join(root, ".git/worktrees/tree/config.worktree"), SETTINGS);
    const { said } = commandFolder(sandbox, {}, { workdir: tree });
    const told = await said(
      `${LOOK}; grep -rsa canary ${root} . ; cat ${root}/.git/FETCH_HEAD ${root}/.git/credentials ${root}/.git/config.bak; git config --list | grep -c canary; git config x.y z; echo x >> ${root}/.git/config`,
    );
    expect(told).toMatch(LOOKED);
    expect(told).not.toContain("canary");
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(settings);
  });

  it("keeps them from commands in the checkout itself, and in repositories that they may read", async () => {
    const { root } = repository();
    const inPlace = commandFolder(sandbox, {}, { workdir: root });
    const told = await inPlace.said(`${LOOK}; grep -rsa canary .; cat .git/FETCH_HEAD .git/modules/lib/config`);
    expect(told).toMatch(LOOKED);
    expect(told).not.toContain("canary");
    const bare = join(temporaryFolder(), "bare.git");
    execFileSync("git", ["init", "-q", "--bare", bare]);
    appendFileSync(join(bare, "config"), SETTINGS);
    const reader = commandFolder(sandbox, {}, { readable: [root, bare] });
    expect(await reader.said(`grep -rsa canary ${root} ${bare}; git -C ${root} log --oneline`)).toMatch(
      /^\w+ The first$/,
    );
  });

  it("shows what is committed, as the documentation says", async () => {
    const { root, git } = repository();
    writeFileSync(join(root, ".env"), "committed\n");
    git("add", "-f", ".env");
    git("commit", "-qm", "Oh no");
    const { said } = commandFolder(sandbox, {}, { workdir: root });
    expect(await said("cat .env; git show HEAD:.env")).toBe("committed");
  });
});
