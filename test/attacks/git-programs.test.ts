import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SandboxName } from "../../src/contract/documents/sandbox.ts";
import { GitSessions } from "../../src/runs/git/git-sessions.ts";
import { GIT_PROGRAMS, type GitProgram } from "../cases/git-programs.ts";
import { type PersonsRepository, repositoryAt } from "../harness/repository.ts";
import { afterAllTests, temporaryFolder } from "../harness/temporary-folder.ts";
import { sandboxHere, trustAsFound } from "../harness/trusting-git.ts";

const [major = 0, minor = 0] =
  execFileSync("git", ["--version"], { encoding: "utf8" }).match(/\d+/g)?.map(Number) ?? [];
const isKnown = ({ since = [0, 0] }: GitProgram) => major > since[0] || (major === since[0] && minor >= since[1]);

/** The others are tried by `npm run test:attacks`. */
const usable = [await sandboxHere()].filter((name) => name !== "none");

const PERSON = {
  GIT_AUTHOR_NAME: "Pat",
  GIT_AUTHOR_EMAIL: "pat@example.org",
  GIT_COMMITTER_NAME: "Pat",
  GIT_COMMITTER_EMAIL: "pat@example.org",
};

let made: string | undefined;
/** Making a repository takes longer than all else; it is copied. */
function template(): string {
  if (made === undefined) {
    const repo = repositoryAt(temporaryFolder(afterAllTests()));
    repo.git("init", "--quiet", "--initial-branch=main");
    for (const name of ["a", "b"]) repo.write(`${name}.txt`, `${name}\n`);
    repo.git("add", "--all");
    repo.git("commit", "--quiet", "-m", "First");
    made = repo.root;
  }
  return made;
}

/** A repository in which the program leaves a sign in .git, where git can write in its sandbox too. */
function trapped(program: GitProgram): { repo: PersonsRepository; hasRun: () => boolean } {
  const repo = repositoryAt(join(temporaryFolder(), "work"));
  cpSync(template(), repo.root, { recursive: true });
  const trap = repo.at(".git/trap");
  writeFileSync(trap, `#!/bin/sh\necho ran >> '${repo.at(".git/ran")}'\n`);
  chmodSync(trap, 0o755);
  const withTrap = (text: string) => text.replaceAll("TRAP", trap);
  for (const [path, content] of Object.entries(program.files ?? {})) {
    mkdirSync(dirname(repo.at(path)), { recursive: true });
    writeFileSync(repo.at(path), withTrap(content));
    if (content.startsWith("#!")) chmodSync(repo.at(path), 0o755);
  }
  const head = repo.git("rev-parse", "HEAD");
  for (const words of program.before ?? [])
    spawnSync(
      "git",
      words.map((word) => word.replace("HEAD", head)),
      { cwd: repo.root, env: { ...process.env, ...PERSON } },
    );
  rmSync(repo.at(".git/ran"), { force: true });
  appendFileSync(repo.at(".git/config"), `${withTrap(program.config)}\n`);
  return { repo, hasRun: () => existsSync(repo.at(".git/ran")) };
}

/** Whether a plain git starts the program: the setting is one that works. */
function startsIt(program: GitProgram): boolean {
  const { repo, hasRun } = trapped(program);
  const env = { ...process.env, ...PERSON, GIT_TERMINAL_PROMPT: "0", HOME: temporaryFolder() };
  const { trigger, input = "" } = program;
  spawnSync("git", trigger, { cwd: repo.root, env, input, timeout: 20_000 });
  return hasRun();
}

async function startsItIn(name: SandboxName, program: GitProgram): Promise<boolean> {
  const { repo, hasRun } = trapped(program);
  const scratch = temporaryFolder();
  const sessions = new GitSessions({
    sandbox: async () => name,
    scratch,
    ownRoots: [scratch],
    trust: trustAsFound,
    agentFolders: () => [],
    umask: 0o022,
  });
  onTestFinished(() => sessions.close());
  const outcome = await sessions.run(
    { repository: repo.at(".git"), folders: [repo.root] },
    {
      args: program.trigger,
      env: { ...PERSON, GIT_DIR: repo.at(".git"), GIT_WORK_TREE: repo.root },
      cwd: repo.root,
      input: Buffer.from(program.input ?? ""),
    },
  );
  expect(outcome.kind).toBe("exit");
  return hasRun();
}

describe.skipIf(usable.length === 0)(`git in a sandbox (${usable.join(", ")})`, () => {
  it.each(GIT_PROGRAMS.filter(isKnown).map((program) => [program.name, program] as const))(
    "starts no program by %s",
    async (_, program) => {
      if (program.needsTerminal !== true) expect(startsIt(program), "a plain git starts it").toBe(true);
      for (const name of usable) expect(await startsItIn(name, program), `git in ${name} starts it`).toBe(false);
    },
  );
});
