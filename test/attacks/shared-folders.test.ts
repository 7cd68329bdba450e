import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { repository, repositoryAt } from "../harness/repository.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { entriesOf, furnish, journalOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const isHere = (await sandboxProbe().settle()).name !== "none";
const later = afterAllTests();
const root = join(temporaryFolder(later), "work");
const cache = join(temporaryFolder(later), "cache");
const book = (command: string) =>
  JSON.stringify({
    turns: [{ calls: [{ tool: "exec", input: { command, timeoutSeconds: 20 } }] }, { text: "Done." }],
  });
const until = (test: string) => `until ${test}; do sleep 0.05; done`;
const PLAYBOOKS = {
  // The one makes a repository; the other sees it before its own command and brings it back after it was set aside.
  makes: book(`git init -q --bare sub/tool && touch sub/made && ${until("[ -e sub/go ]")}`),
  "brings-back": book(`touch go; ${until("mv tool/HEAD.set-aside-* tool/HEAD 2>/dev/null")}`),
  writable: book(
    [
      `git init -q ${cache}/new`,
      `git init -q --bare ${cache}/bare`,
      `git -C ${cache}/mine config core.fsmonitor evil || echo CONFIG REFUSED`,
      `echo evil > ${cache}/mine/.git/hooks/post-checkout || echo HOOK REFUSED`,
      `echo fine > ${cache}/mine/a.txt && echo WRITTEN`,
    ].join("\n"),
  ),
};

const shared = sharedHall();

beforeAll(async () => {
  mkdirSync(join(root, "sub"), { recursive: true });
  mkdirSync(join(cache, "mine"), { recursive: true });
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", join(cache, "mine")]);
  const hall = shared();
  await furnish(hall, PLAYBOOKS);
  expect((await hall.call("POST", "/api/roles", { id: "coder", name: "Coder", skills: ["exec"] })).status).toBe(201);
});

async function project(id: string, workdir: string, config: object = {}) {
  expect((await shared().call("POST", "/api/projects", { id, name: id, workdir, config })).status).toBe(201);
  return (playbook: keyof typeof PLAYBOOKS) =>
    spawnRun(shared(), playbook, "Do it", {
      projectId: id,
      roleId: "coder",
      overrides: { model: `offline/${playbook}` },
    });
}

const outputOf = (id: string, projectId: string) =>
  entriesOf(journalOf(shared().workspace, id, projectId), "result")
    .map(({ output }) => output)
    .join("\n");

describe.skipIf(!isHere)("folders that several projects, or all commands, can write", () => {
  it("keep no repository that a command of one project made and that of another saw", async () => {
    const outer = await project("outer", root);
    const inner = await project("inner", join(root, "sub"));
    const first = await outer("makes");
    await eventually(
      () => existsSync(join(root, "sub/made")),
      (isMade) => isMade,
    );
    const second = await inner("brings-back");
    await Promise.all([untilOver(shared(), first), untilOver(shared(), second)]);
    expect(outputOf(second, "inner")).toMatch(/Exit code 0.*Renamed: 'tool\/HEAD'/s);
    expect(existsSync(join(root, "sub/tool/HEAD"))).toBe(false);
  });

  it.each(["git", "plain"] as const)("keep the repositories in them closed, and no new ones (%s)", async (kind) => {
    const workdir = kind === "git" ? repository({ "a.txt": "a\n" }).root : temporaryFolder();
    const run = await project(`writable-${kind}`, workdir, { sandbox: { writable: [cache] } });
    const id = await run("writable");
    await untilOver(shared(), id);
    const output = outputOf(id, `writable-${kind}`);
    for (const said of ["CONFIG REFUSED", "HOOK REFUSED", "WRITTEN", "Renamed: "]) expect(output).toContain(said);
    const mine = repositoryAt(join(cache, "mine"));
    expect(mine.text(".git/config")).not.toContain("evil");
    expect(mine.exists(".git/hooks/post-checkout")).toBe(false);
    expect([existsSync(join(cache, "new/.git")), existsSync(join(cache, "bare/HEAD"))]).toEqual([false, false]);
    expect(readFileSync(join(cache, "mine/a.txt"), "utf8")).toBe("fine\n");
    expect(readdirSync(join(cache, "new")).join()).toMatch(/^\.git\.set-aside-/);
    const { body } = await shared().call("GET", `/api/events/log?project=writable-${kind}&limit=1000`);
    const told = body.events.find(({ type }: { type: string }) => type === "workdir.git_set_aside");
    expect(told?.after?.folder).toBe(cache);
  });
});
