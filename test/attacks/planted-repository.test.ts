import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { swapFolder } from "../harness/folder-swap.ts";
import { outputsOf, play, WORKER, withCommandsIn } from "../harness/hall-with-commands.ts";
import { PROJECT, untilOver, writePlaybook } from "../harness/spawned-runs.ts";

const here = await sandboxProbe().settle();
const isHere = here.name !== "none";
const TRIES = Number(process.env.GUILDHALL_RACE_TRIES ?? 4);

const exec = (command: string, timeoutSeconds = 60) => ({
  calls: [{ tool: "exec", input: { command, timeoutSeconds } }],
});
const book = (...turns: object[]) => JSON.stringify({ turns: [...turns, { text: "Done." }] });
const INIT = "git init -q -b main . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first";

/** Settings by which git starts programs, which leave a mark. `mark` is out of reach for commands in a sandbox. */
function hostileSettings(mark: string): string {
  const program = `sh -c 'echo ran >> ${mark}; cat'`;
  return `
[filter ""]
  clean = ${program}
  smudge = ${program}
[filter "x"]
  clean = ${program}
  smudge = ${program}
[merge ""]
  driver = ${program}
[core]
  fsmonitor = ${program}
  hooksPath = hooks
[includeIf "gitdir:**/worktrees/**"]
  path = more
[includeIf "onbranch:guildhall/**"]
  path = more
`;
}

function planting(mark: string): string {
  return [
    INIT,
    `printf '* filter= merge=\\n*.txt filter=x\\n' > .gitattributes && mkdir -p .git/info && cp .gitattributes .git/info/attributes`,
    "echo a > a.txt && git add -A; git -c user.name=a -c user.email=a@b commit -q -m second",
    `cat >> .git/config <<'END'\n${hostileSettings(mark)}\nEND`,
    `printf '[filter "x"]\\n smudge = echo ran >> ${mark}\\n' > .git/more`,
    `for name in post-checkout post-commit reference-transaction; do printf '#!/bin/sh\\necho ran >> ${mark}\\n' > .git/hooks/$name; chmod +x .git/hooks/$name; done`,
    "cp -r .git sub.git; mkdir -p deep/er && cp -r .git deep/er/.git; mkdir -p deep/file && echo 'gitdir: ../../sub.git' > deep/file/.git",
    "cp -r .git .GIT; ls -a",
  ].join("\n");
}

describe.skipIf(!isHere)(
  `a repository that an agent plants in a plain folder${isHere ? "" : ` (${here.detail})`}`,
  () => {
    it("is not left behind, and the next run that writes has git run no program", async () => {
      const mark = join(temporaryFolder(), "mark");
      const { hall, at } = await withCommandsIn(await startHall(), {
        plant: book(exec(planting(mark))),
        use: book(exec("echo more >> a.txt"), { calls: [{ tool: "write", input: { path: "b.txt", content: "b\n" } }] }),
      });
      const planted = await play(hall, "plant", { overrides: { model: "offline/plant" } });
      expect(planted.outputs.join("\n")).toContain("Renamed:");
      expect(repositoriesBelow(at("."))).toEqual([]);
      const { run } = await play(hall, "use", { overrides: { model: "offline/use" } });
      expect([run.status, run.delivery?.kind, run.delivery?.state]).toEqual(["completed", "folder", "delivered"]);
      expect([existsSync(mark), readFileSync(at("b.txt"), "utf8")]).toEqual([false, "b\n"]);
    });

    it("is not left behind by a command that is ended, or cancelled", async () => {
      const { hall, at } = await withCommandsIn(await startHall(), {
        late: book(exec("git init -q slow && sleep 100", 1)),
        long: book(exec("git init -q long && echo ready && sleep 100")),
      });
      await play(hall, "late", { overrides: { model: "offline/late" } });
      expect(repositoriesBelow(at("."))).toEqual([]);
      const request = { projectId: PROJECT, task: { title: "Wait" }, ...WORKER, overrides: { model: "offline/long" } };
      const { body } = await hall.call("POST", "/api/team/spawn", request);
      await expect.poll(() => existsSync(at("long/.git/HEAD")), { timeout: 30_000 }).toBe(true);
      await hall.call("POST", `/api/runs/${body.sessionId}/stop`, {});
      await untilOver(hall, body.sessionId);
      await expect.poll(() => repositoriesBelow(at("."))).toEqual([]);
    });

    it("is told apart from one that the person has there", async () => {
      const { hall, at } = await withCommandsIn(await startHall(), { plant: book(exec(`mv mine/lib lib && ${INIT}`)) });
      mkdirSync(at("mine/lib/.git"), { recursive: true });
      writeFileSync(at("mine/lib/.git/HEAD"), "ref: refs/heads/main\n");
      const { outputs } = await play(hall, "plant", { overrides: { model: "offline/plant" } });
      expect([existsSync(at("lib/.git/HEAD")), existsSync(at(".git"))], outputs.join()).toEqual([true, false]);
    });
  },
);

describe.skipIf(!isHere)("a project inside the folder of another", () => {
  it("is refused when an agent of the outer one puts a link in its place", async () => {
    const { hall, outer, victim } = await nested({
      swap: book(exec("mv inner away && ln -s VICTIM inner")),
      steal: book(exec("cat secret.txt; echo evil > evil.txt")),
    });
    await play(hall, "swap", { overrides: { model: "offline/swap" } });
    expect(readFileSync(join(outer, "inner/secret.txt"), "utf8")).toBe("canary\n");
    const { status, body } = await spawnInner(hall);
    expect([status, body.error.code]).toEqual([409, "workdir_changed"]);
    expect(readdirSync(victim)).toEqual(["CLAUDE.md", "secret.txt"]);
  });

  it(`touches nothing outside while the folder is swapped for a link (${TRIES} tries)`, {
    timeout: 3_600_000,
  }, async () => {
    const read = { calls: [{ tool: "read", input: { path: "secret.txt" } }] };
    const write = { calls: [{ tool: "write", input: { path: "evil.txt", content: "evil\n" } }] };
    const { hall, outer, victim } = await nested({
      swap: book(),
      steal: book(read, exec("cat secret.txt; echo evil > evil.txt"), write, read, exec("cat secret.txt")),
    });
    const swap = await swapFolder(outer, "inner", [victim]);
    const outcomes: string[] = [];
    let started = 0;
    for (let spawns = 0; started < TRIES && spawns < TRIES * 50; spawns++) {
      const { status, body } = await spawnInner(hall);
      if (status !== 200) {
        expect(["workdir_changed", "workdir_missing", "path_refused", "file_not_found"]).toContain(body.error.code);
        continue;
      }
      started += 1;
      const run = await untilOver(hall, body.sessionId, 60_000);
      const { body: prompt } = await hall.call("GET", `/api/runs/${run.id}/prompt`);
      outcomes.push(run.error ?? "", ...outputsOf(hall, run.id, "inner"), JSON.stringify(prompt));
    }
    expect(started).toBeGreaterThan(0);
    await swap.stop();
    expect(outcomes.join("\n")).not.toContain("canary");
    expect(readdirSync(victim)).toEqual(["CLAUDE.md", "secret.txt"]);
  });
});

/** Two projects: one works in a folder, the other in a folder inside it. */
async function nested(playbooks: Record<string, string>) {
  const victim = temporaryFolder();
  writeFileSync(join(victim, "secret.txt"), "canary\n");
  writeFileSync(join(victim, "CLAUDE.md"), "canary of a guide\n");
  const { hall, at } = await withCommandsIn(await startHall(), {});
  for (const [name, text] of Object.entries(playbooks))
    writePlaybook(hall.workspace, name, text.replaceAll("VICTIM", victim));
  mkdirSync(at("inner"));
  const made = await hall.call("POST", "/api/projects", { id: "inner", name: "Inner", workdir: at("inner") });
  expect([made.status, made.body.warnings?.length]).toEqual([201, 1]);
  return { hall, outer: at("."), victim };
}

const spawnInner = (hall: Hall) =>
  hall.call("POST", "/api/team/spawn", {
    ...{ projectId: "inner", roleId: WORKER.roleId, task: { title: "Steal" } },
    overrides: { model: "offline/steal" },
  });

/** What git would take for a repository. */
function repositoriesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.map(({ name }) => name);
  const isBare = ["HEAD", "objects", "refs"].every((name) => names.includes(name));
  const found = names.filter((name) => name.toLowerCase() === ".git").map((name) => join(folder, name));
  const below = entries.filter((entry) => entry.isDirectory() && entry.name.toLowerCase() !== ".git");
  return [...found, ...(isBare ? [folder] : []), ...below.flatMap(({ name }) => repositoriesBelow(join(folder, name)))];
}
