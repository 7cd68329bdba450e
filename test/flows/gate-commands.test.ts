import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Hall, startHall } from "../harness/daemon.ts";
import { guildhall, startGuildhall } from "../harness/guildhall.ts";
import { hallOver, type PersonsRepository, repository } from "../harness/repository.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import { afterAllTests, temporaryFolder } from "../harness/temporary-folder.ts";

const testOf = (expected: number) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "./add.js";\ntest("adds", () => assert.equal(add(1, 2), ${expected}));\n`;
const FILES = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "add.js": "export const add = (a, b) => a + b;\n",
  "add.test.js": testOf(3),
};

let hall: Hall;
let repo: PersonsRepository;
const later = afterAllTests();
beforeAll(async () => {
  repo = repository(FILES, "work", later);
  hall = await startHall(undefined, { later });
  await hallOver(hall, { root: repo.root, playbooks: {} });
  repo.git("checkout", "--quiet", "-b", "broken");
  repo.write("add.js", "export const add = (a, b) => a - b;\n");
  repo.git("commit", "--quiet", "--all", "-m", "Break it");
  repo.git("checkout", "--quiet", "main");
});

describe("guildhall gate", { timeout: 120_000 }, () => {
  it("judges in any repository without a daemon, and leaves no trace", async () => {
    const workspace = join(temporaryFolder(), "none");
    const gate = (...words: string[]) => guildhall(["gate", ...words], { workspace, folder: repo.root });
    const before = [repo.snapshot(), repo.git("count-objects", "-v")];
    const failed = await gate("check", "--base", "main", "--head", "broken");
    expect(failed.stdout).toMatch(/^Failed: main\.\.broken \(1 file, \+1 -1\)\nTests: add\.test\.js:4: adds/);
    expect(failed.code).toBe(1);
    const nothing = await gate("check", "--json");
    expect(JSON.parse(nothing.stdout)).toMatchObject({ verdict: "skipped", reason: { code: "no-changes" } });
    expect(nothing.code).toBe(0);
    const planned = await gate("check", "--base", "main", "--head", "broken", "--dry-run");
    expect(planned.stdout).toContain("Would run: node --test");
    const detected = await gate("detect");
    expect(detected.stdout).toMatch(/tests +javascript +node --test/);
    expect([repo.snapshot(), repo.git("count-objects", "-v")]).toEqual(before);
    expect(existsSync(workspace)).toBe(false);
  });

  it("has nothing to judge in a change of documents alone, and says so", async () => {
    const own = repository({ ...FILES, "docs/guide.md": "Old.\n" });
    own.write("docs/guide.md", "New.\n");
    const gate = () => guildhall(["gate", "check"], { workspace: join(temporaryFolder(), "none"), folder: own.root });
    const skipped = await gate();
    expect(skipped.stdout).toContain("Only documents changed; nothing to judge.");
    expect(skipped.code).toBe(0);
    own.write("add.js", "export const add = (a, b) => a - b;\n");
    expect((await gate()).code).toBe(1);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("leaves nothing behind when %s ends it", async (signal) => {
    const slow = `import test from "node:test";\ntest("waits", () => new Promise((end) => setTimeout(end, 600_000)));\n`;
    const own = repository({ ...FILES, "slow.test.js": slow });
    own.write("add.js", "export const add = (a, b) => b + a;\n");
    const temporary = temporaryFolder();
    const workspace = join(temporaryFolder(), "none");
    const running = startGuildhall(["gate", "check"], { workspace, folder: own.root, env: { TMPDIR: temporary } });
    await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^guildhall-check-/)]), {
      timeout: 30_000,
    });
    running.signal(signal);
    const { code, stdout } = await running.ended;
    expect([code, stdout.split("\n")[1]]).toEqual([2, "The gate was cancelled."]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("says by its exit code what came of it: 0 pass, 1 fail, 2 unable, 64 wrong usage", async () => {
    const workspace = join(temporaryFolder(), "none");
    const code = async (words: string[], folder = repo.root) =>
      (await guildhall(["gate", ...words], { workspace, folder })).code;
    expect(await code(["check", "--wat"])).toBe(64);
    expect(await code(["check", "--base", "nowhere"])).toBe(64);
    expect(await code(["check", "--run", "run-1", "--base", "main"])).toBe(64);
    expect(await code(["check"], temporaryFolder())).toBe(2);
    expect(await code(["show", "gate-none"])).toBe(2);
  });

  it("has the daemon judge where the folder is a project's, and shows the report", async () => {
    const gate = (...words: string[]) =>
      guildhall(["gate", ...words], { workspace: hall.workspace, folder: repo.root });
    const made = await gate("check", "--base", "main", "--head", "broken", "--no-model", "--json");
    expect(made.code, made.stderr).toBe(1);
    const { id, projectId } = JSON.parse(made.stdout);
    expect(projectId).toBe(PROJECT);
    const shown = await gate("show", id);
    expect(shown.stdout).toMatch(/^Failed: main\.\.broken/);
    expect(shown.code).toBe(1);
    expect((await gate("list", "-p", PROJECT)).stdout).toMatch(new RegExp(`\\n${id} +Failed`));
  });
});
