import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SettingsReport } from "../../src/contract/routes/settings-routes.ts";
import { boardOf } from "../harness/board.ts";
import { eventually, spawnHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall, type Invocation, startGuildhall } from "../harness/guildhall.ts";

/** A command in the background that does not outlive its test. */
function start(words: string[], options: Invocation) {
  const running = startGuildhall(words, options);
  onTestFinished(() => running.signal("SIGKILL"));
  return running;
}

describe("guildhall up", () => {
  it("says exactly where it is, on a line of its own, once it answers there", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const up = start(["up", "--port", "0", "--no-open", "--no-build"], { workspace });
    const [first] = await eventually(
      () => up.said.stdout.split("\n"),
      (lines) => lines.length > 1,
    );
    const port = /^Guildhall is up at http:\/\/127\.0\.0\.1:(\d+)$/.exec(first ?? "")?.[1];
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    up.signal("SIGINT");
    expect(await up.ended).toMatchObject({
      code: 0,
      stderr: "Stopping… Press Ctrl-C again to quit immediately.\nGuildhall stopped.\n",
    });
  });

  it("is refused for a second daemon, and says where the first one is", async () => {
    const { workspace, url, pid, call } = await spawnHall();
    const second = await guildhall(["up", "--port", "0"], { workspace });
    expect([second.code, second.stdout]).toEqual([4, ""]);
    expect(second.stderr).toMatch(
      new RegExp(
        `process ${pid}.*\\[workspace_busy\\]\n  hint: It is up at ${url}. Open its dashboard with 'guildhall open`,
      ),
    );
    expect((await call("GET", "/api/health")).status).toBe(200);
  });

  it("prints JSON and nothing else with --json, on both streams", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const up = start(["up", "--port", "0", "--json", "--no-build"], { workspace });
    const line = await eventually(
      () => up.said.stdout,
      (text) => text.endsWith("\n"),
    );
    expect(JSON.parse(line)).toEqual({
      dashboard: expect.stringMatching(/^http:.*\/#\/enter\/[0-9a-f]{32}$/),
      url: expect.stringMatching(/^http:/),
      pid: expect.any(Number),
      workspace,
    });
    up.signal("SIGTERM");
    const { code, stderr } = await up.ended;
    expect(code).toBe(0);
    const messages = stderr
      .trimEnd()
      .split("\n")
      .map((entry) => JSON.parse(entry).message);
    expect(messages).toEqual(["Stopping… Press Ctrl-C again to quit immediately.", "Guildhall stopped."]);
  });
});

describe("a hall that is down", () => {
  it("is told from one that is up, by words and exit code", async () => {
    const { workspace } = await spawnHall();
    expect((await guildhall(["status"], { workspace })).code).toBe(0);
    expect((await guildhall(["down"], { workspace })).code).toBe(0);
    for (const command of [["status"], ["down"], ["task", "list"]]) {
      const { code, stdout, stderr } = await guildhall(command, { workspace });
      expect([code, stdout]).toEqual([6, ""]);
      expect(stderr).toBe(
        `error: No daemon is running for ${workspace}. [daemon_unreachable]\n  hint: Start it with 'guildhall up'.\n`,
      );
    }
  });

  it("is noticed even when it was killed", async () => {
    const { workspace, kill, pid } = await spawnHall();
    await kill();
    const { code, stderr } = await guildhall(["status"], { workspace });
    expect([code, stderr]).toEqual([6, expect.stringContaining(`is no longer running (process ${pid}).`)]);
  });
});

describe("the workspace of a command", () => {
  it("is --workspace, else GUILDHALL_WORKSPACE, else .guildhall at home", async () => {
    const home = temporaryFolder();
    const env = { HOME: home };
    const asked = async (words: string[], options: Invocation) =>
      /for (.*)\. \[/.exec((await guildhall(["status", ...words], options)).stderr)?.[1];
    expect(await asked([], { env })).toBe(join(home, ".guildhall"));
    expect(await asked([], { env, workspace: join(home, "named") })).toBe(join(home, "named"));
    expect(await asked(["--workspace", "/given"], { env, workspace: join(home, "named") })).toBe("/given");
    expect(await asked(["--workspace", "~/tilde"], { env })).toBe(join(home, "tilde"));
    expect(await asked(["--workspace", "here"], { env, folder: home })).toBe(join(home, "here"));
  });

  it("is known to the daemon as the usual one, so that pages need not name it in commands", async () => {
    const home = temporaryFolder();
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const [name, isUsual] of [
      [".guildhall", true],
      ["other", false],
    ] as const) {
      const hall = await startHall(join(home, name));
      expect((await hall.call("GET", "/api/status")).body.isUsualWorkspace).toBe(isUsual);
    }
  });

  it("is named by the hint where it is not the usual one", async () => {
    const folder = join(temporaryFolder(), "my hall");
    expect((await guildhall(["status", "--workspace", folder])).stderr).toContain(
      `or start it with 'guildhall up --workspace "${folder}"'.\n`,
    );
    expect((await guildhall(["init", "--workspace", folder])).stdout).toBe(
      `Created workspace ${folder}\nStart the daemon with: guildhall up --workspace "${folder}"\n`,
    );
    expect((await guildhall(["init", "--workspace", folder])).stdout).toBe(`Workspace ${folder} already exists.\n`);
  });
});

describe("the program", () => {
  it("is called in every hint as a shell finds it: by its path where it has no such command", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const program = join(import.meta.dirname, "../../bin/guildhall");
    const env = { PATH: "/usr/bin:/bin" };
    expect((await guildhall(["init"], { workspace, env })).stdout).toContain(`Start the daemon with: ${program} up\n`);
    const up = start(["up", "--port", "0", "--no-build"], { workspace, env });
    const shown = await eventually(
      () => up.said.stdout,
      (text) => text.includes("Dashboard:"),
      30_000,
    );
    expect(shown).toContain(`from another terminal with '${program} down'`);
    expect(shown).toContain(`run '${program} open'`);
    const { stdout } = await guildhall(["status", "--json"], { workspace, env });
    expect(JSON.parse(stdout)).toMatchObject({ calledAs: program });
    up.signal("SIGTERM");
    await up.ended;
  });
});

describe("the port", () => {
  it("is that of the last time if it is free, unless config.yml or --port says another", async () => {
    const hall = await startHall();
    const { workspace, url } = hall;
    await hall.stop();
    const [again, stranger] = [await startHall(workspace, { usualPort: true }), temporaryFolder()];
    expect(again.url).toBe(url);
    const { settings } = (await again.call("GET", "/api/settings")).body as SettingsReport;
    expect(settings.find(({ key }) => key === "server.port")).toMatchObject({
      value: Number(new URL(url).port),
      set: false,
      default: 4777,
    });
    // The port is taken, and another workspace believes it to be its own.
    mkdirSync(join(stranger, ".guildhall"));
    writeFileSync(join(stranger, ".guildhall/port"), new URL(url).port);
    writeFileSync(join(stranger, "config.yml"), "server: { port: 0 }\n");
    expect((await startHall(stranger, { usualPort: true })).url).not.toBe(url);
  });
});

describe("the project of a command", () => {
  it("is -p, else GUILDHALL_PROJECT", async () => {
    const { workspace, call } = await spawnHall();
    for (const id of ["one", "two"]) await call("POST", "/api/projects", { id, name: id });
    const inTwo = { workspace, env: { GUILDHALL_PROJECT: "two" } };
    expect((await guildhall(["task", "add", "meant"], inTwo)).stdout).toContain("Added two/TASK-001");
    expect((await guildhall(["task", "add", "named", "-p", "one"], inTwo)).stdout).toContain("Added one/TASK-001");
    expect((await guildhall(["task", "show", "one/1"], inTwo)).stdout).toContain("one/TASK-001  named");
    expect((await guildhall(["task", "list"], inTwo)).stdout).not.toContain("named");
    expect((await guildhall(["task", "list"], { workspace })).stdout).toMatch(/one .*named\ntwo .*meant/);
  });
});

describe("guildhall doctor", () => {
  it("ends with 7 and names file and line of a broken file, until it is mended", async () => {
    const hall = await spawnHall();
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    const board = boardOf(hall, "shop");
    board.write("TASKS/todo/TASK-003.md", "---\nid: TASK-003\nstatus: [\n---\n# Broken\n");
    const examine = (code: number) =>
      eventually(
        () => guildhall(["doctor"], { workspace: hall.workspace }),
        (outcome) => outcome.code === code,
      );
    const ill = await examine(7);
    expect(ill.stdout).toMatch(/failed +Files +1 file can't be read\n +hint: Fix/);
    expect(ill.stdout).toMatch(/invalid: projects\/shop\/TASKS\/todo\/TASK-003\.md:\d+ {2}\S.*\nSome checks failed/);
    board.write("TASKS/todo/TASK-003.md", "---\nid: TASK-003\n---\n# Mended\n");
    expect((await examine(0)).stdout).toMatch(/ok +Files +all files are readable\n/);
  });

  it("finds settings that would stop a start, with and without a daemon", async () => {
    const hall = await spawnHall();
    writeFileSync(join(hall.workspace, "config.yml"), "version: 1\nserver:\n  port: abc\n");
    for (const stop of [false, true]) {
      if (stop) await hall.stop();
      const { code, stdout } = await guildhall(["doctor"], { workspace: hall.workspace });
      expect(code).toBe(7);
      expect(stdout).toMatch(/failed +Configuration +.*server\.port.*\(config\.yml:3\)\n +hint: Correct config\.yml/);
    }
    const { code, stderr } = await guildhall(["up"], { workspace: hall.workspace });
    expect([code, stderr]).toEqual([7, expect.stringMatching(/\[config_invalid\]\n {2}at config\.yml:3\n/)]);
  });

  it("looks at what it can without a daemon, and says how to have the rest", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const none = await guildhall(["doctor"], { workspace });
    expect([none.code, none.stdout]).toEqual([
      7,
      expect.stringMatching(/failed +Workspace +not found at .*\n +hint: /),
    ]);
    await guildhall(["init"], { workspace });
    const resting = await guildhall(["doctor", "--json"], { workspace });
    expect(resting.code).toBe(0);
    const checks: { name: string; state: string }[] = JSON.parse(resting.stdout).checks;
    expect(checks.filter(({ state }) => state !== "ok")).toEqual([
      expect.objectContaining({ name: "daemon", state: "unknown", hint: expect.stringContaining("guildhall up") }),
      expect.objectContaining({
        name: "model",
        state: "warning",
        hint: expect.stringContaining("guildhall key set NAME"),
      }),
    ]);
  });
});

describe("guildhall audit verify", () => {
  it("ends with 4 and names the line of a log that was tampered with", async () => {
    const { workspace, call } = await spawnHall();
    await call("POST", "/api/projects", { id: "shop", name: "Shop" });
    expect((await guildhall(["audit", "verify"], { workspace })).code).toBe(0);
    const linesOf = (name: string) => readFileSync(join(workspace, "events", name), "utf8").split("\n");
    const days = readdirSync(join(workspace, "events")).filter((name) => name.endsWith(".jsonl"));
    const day = days.find((name) => linesOf(name).some((line) => line.includes("project.created"))) ?? "";
    const lines = linesOf(day);
    const at = lines.findIndex((line) => line.includes("project.created"));
    lines[at] = lines[at]?.replaceAll("Shop", "Stop") ?? "";
    writeFileSync(join(workspace, "events", day), lines.join("\n"));
    const { code, stdout, stderr } = await guildhall(["audit", "verify"], { workspace });
    expect([code, stderr]).toEqual([4, ""]);
    expect(stdout).toMatch(
      /^The event log is damaged: \d+ events on \d days?, \d+ journals?, \d+ days? of costs, \d+ faults?\n/,
    );
    expect(stdout).toContain(`  events/${day}:${at + 1}  `);
  });
});

describe("guildhall index rebuild", () => {
  it("counts the files it was built from and what is wrong with them", async () => {
    const hall = await spawnHall();
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    const board = boardOf(hall, "shop");
    mkdirSync(board.at("TASKS/todo"), { recursive: true });
    board.write("TASKS/todo/TASK-001.md", "---\nid: TASK-001\n---\n# Fine\n");
    board.write("TASKS/todo/TASK-002.md", "---\nid: [\n---\n");
    const { code, stdout } = await guildhall(["index", "rebuild"], { workspace: hall.workspace });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Rebuilt the index from \d+ files in \d+ ms\.\n1 problem: 'guildhall doctor' lists them\.\n$/,
      ),
    ]);
  });
});

describe("guildhall events tail -f", () => {
  it("shows what another command does, also after the daemon was away", async () => {
    const first = await spawnHall();
    const { workspace } = first;
    await guildhall(["project", "create", "Shop"], { workspace });
    const tail = start(["events", "tail", "-f", "-n", "1", "-p", "shop"], { workspace });
    const told = (words: string) =>
      eventually(
        () => tail.said.stdout,
        (text) => text.includes(words),
      );
    await told("project.created");
    await guildhall(["task", "add", "seen", "-p", "shop"], { workspace });
    expect(await told("task.created")).toMatch(/task\.created {2}shop\/TASK-001 {2}person via cli {2}title seen, /);
    await first.kill();
    await spawnHall(workspace);
    await guildhall(["task", "move", "shop/1", "in-progress"], { workspace });
    await told("status pending → in-progress");
    tail.signal("SIGINT");
    const { code, stdout, stderr } = await tail.ended;
    expect(code).toBe(130);
    expect(stdout.split("\n").filter((line) => line.includes("task.created"))).toHaveLength(1);
    expect(stderr).toBe("Lost the connection to the daemon. Reconnecting…\n");
  });
});
