import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type ApiRequest, fakeApi, fakeWorkspace, ok, refused } from "../../../../test/fakes/api.ts";
import { run, status } from "../../../../test/fakes/api-documents.ts";
import { runCli } from "../../../../test/fakes/cli.ts";
import { type FakeHostChoice, fakeHost } from "../../../../test/fakes/cli-host.ts";
import { runCommandLine } from "../../run.ts";

/** A daemon that stops when it is asked to, and counts how often that was. */
function fakeDaemon(url = "http://127.0.0.1:9") {
  const stopped = Promise.withResolvers<void>();
  const stopping = Promise.withResolvers<{ commands: number }>();
  const calls = { started: [] as unknown[], stops: 0, links: 0 };
  const running = {
    url,
    dashboardLink: () => `${url}/#/enter/code-${++calls.links}`,
    stopping: stopping.promise,
    stopped: stopped.promise,
    stop: async () => {
      calls.stops++;
      stopped.resolve();
    },
  };
  return { calls, running, stopped, stopping };
}

describe("up", () => {
  function start(daemon: ReturnType<typeof fakeDaemon>, words: string[] = [], choice: FakeHostChoice = {}) {
    const ready = Promise.withResolvers<void>();
    const startDaemon = async (options: unknown) => {
      daemon.calls.started.push(options);
      await ready.promise;
      return daemon.running;
    };
    const host = fakeHost({ ...choice, daemon: { startDaemon } });
    return { host, ready, done: runCommandLine(["up", "--workspace", "/w", ...words], host) };
  }

  it("says where it is, and ends with 0 when the daemon has stopped", async () => {
    const daemon = fakeDaemon();
    const { host, ready, done } = start(daemon, ["--port", "0"]);
    ready.resolve();
    daemon.stopped.resolve();
    expect(await done).toBe(0);
    expect(daemon.calls.started).toMatchObject([{ workspace: "/w", port: 0 }]);
    expect(host.printed.out).toBe(
      "Guildhall is up at http://127.0.0.1:9\nWorkspace: /w\nStop with Ctrl-C, or from another terminal with 'guildhall down --workspace /w'.\nDashboard: http://127.0.0.1:9/#/enter/code-1 (works once, within ten minutes; for a new link run 'guildhall open --workspace /w')\n",
    );
  });

  it("prints one line of JSON with --json", async () => {
    const daemon = fakeDaemon();
    const { host, ready, done } = start(daemon, ["--json"], { terminal: 80 });
    ready.resolve();
    daemon.stopped.resolve();
    await done;
    expect(host.printed.out).toBe(
      '{"url":"http://127.0.0.1:9","dashboard":"http://127.0.0.1:9/#/enter/code-1","pid":4711,"workspace":"/w"}\n',
    );
    expect(daemon.calls.started).toEqual([
      { workspace: "/w", calledAs: "guildhall", restartable: true, log: expect.any(Function) },
    ]);
  });

  it("stops once on the first signal and ends at once on the second", async () => {
    const daemon = fakeDaemon();
    daemon.running.stop = async () => void daemon.calls.stops++;
    const { host, ready, done } = start(daemon);
    ready.resolve();
    await expect.poll(() => host.printed.out).toContain("is up");
    host.signal();
    expect(daemon.calls.stops).toBe(1);
    expect(host.exits).toEqual([]);
    host.signal();
    expect(daemon.calls.stops).toBe(1);
    expect(host.exits).toEqual([130]);
    daemon.stopped.resolve();
    expect(await done).toBe(0);
  });

  it("says what it waits for, and ends at once on the first signal when another way made it stop", async () => {
    const daemon = fakeDaemon();
    const { host, ready, done } = start(daemon);
    ready.resolve();
    await expect.poll(() => host.printed.out).toContain("is up");
    daemon.stopping.resolve({ commands: 2 });
    await expect.poll(() => host.printed.err).toContain("Waiting up to 5 s for 2 commands.");
    host.signal();
    expect([daemon.calls.stops, host.exits]).toEqual([0, [130]]);
    daemon.stopped.resolve();
    expect(await done).toBe(0);
  });

  it("stops as soon as it is up when the signal came before", async () => {
    const daemon = fakeDaemon();
    const { host, ready, done } = start(daemon);
    await expect.poll(() => daemon.calls.started).toHaveLength(1);
    host.signal();
    ready.resolve();
    expect(await done).toBe(0);
    expect(daemon.calls.stops).toBe(1);
  });

  it.each([
    ["opens the browser on a terminal", [], { terminal: 80 }, true],
    ["leaves the browser alone with --no-open", ["--no-open"], { terminal: 80 }, false],
    ["leaves the browser alone where nobody looks", [], {}, false],
  ])("%s", async (_, words, choice, opens) => {
    const daemon = fakeDaemon();
    const { host, ready, done } = start(daemon, words, choice);
    ready.resolve();
    daemon.stopped.resolve();
    await done;
    expect(host.opened).toEqual(opens ? ["http://127.0.0.1:9/#/enter/code-2"] : []);
  });

  it("builds a dashboard that is older than its sources, says so, and opens the browser afterwards", async () => {
    const daemon = fakeDaemon();
    const build = Promise.withResolvers<{ ms: number }>();
    const { host, ready, done } = start(daemon, [], { terminal: 80, build: build.promise });
    ready.resolve();
    await expect.poll(() => host.printed.err).toContain("Building the dashboard…\n");
    expect(host.printed.out).toContain("Guildhall is up");
    expect(host.opened).toEqual([]);
    expect(host.printed.out).not.toContain("enter");
    build.resolve({ ms: 2_110 });
    await expect.poll(() => host.opened).toHaveLength(1);
    expect(host.printed.err).toContain("Dashboard built (2.1 s).\n");
    expect(host.printed.out).toContain("Dashboard: http://127.0.0.1:9/#/enter/code-1 ");
    daemon.stopped.resolve();
    expect(await done).toBe(0);
  });

  it("goes on when the dashboard cannot be built, and tells why", async () => {
    const daemon = fakeDaemon();
    const { host, ready, done } = start(daemon, [], { build: Promise.resolve({ problem: "no such module" }) });
    ready.resolve();
    await expect
      .poll(() => host.printed.err)
      .toContain("Can't build the dashboard (run 'npm run build' for details): no such module");
    daemon.stopped.resolve();
    expect(await done).toBe(0);
  });

  it("leaves the dashboard alone with --no-build", async () => {
    const daemon = fakeDaemon();
    const { host, ready, done } = start(daemon, ["--no-build"], { build: Promise.resolve({ ms: 1 }) });
    ready.resolve();
    daemon.stopped.resolve();
    await done;
    expect(host.printed.err).not.toContain("dashboard");
  });
});

describe("open", () => {
  const link = { url: "http://127.0.0.1:9/#/enter/code", expiresAt: "2026-03-01T12:10:00.000Z" };
  const answer = ({ method, path }: ApiRequest) =>
    method === "POST" && path === "/api/browser/links" ? ok(link) : undefined;

  it("opens the browser with a new link on a terminal", async () => {
    const { out, host } = await runCli(["open"], answer, { terminal: 80 });
    expect(out).toBe(`Opening ${link.url}\nThe link works once, within ten minutes.\n`);
    expect(host.opened).toEqual([link.url]);
  });

  it.each([
    [["open", "--print"], { terminal: 80 }, `${link.url}\n`],
    [["open"], {}, `${link.url}\n`],
    [["open", "--json"], { terminal: 80 }, `{"url":"${link.url}"}\n`],
  ])("only prints it with %j, %j", async (words, choice, text) => {
    const { out, host } = await runCli(words, answer, choice);
    expect([out.replace(/\s+(?=["}])/g, "").replace(": ", ":"), host.opened]).toEqual([text, []]);
  });

  it("says how to start the daemon when it is down", async () => {
    const host = fakeHost();
    expect(await runCommandLine(["open", "--workspace", "/there/is/none"], host)).toBe(6);
    expect(host.printed.err).toContain("guildhall up --workspace /there/is/none");
  });
});

describe("init", () => {
  it.each([
    [true, "Created workspace /w\nStart the daemon with: guildhall up --workspace /w\n"],
    [false, "Workspace /w already exists.\n"],
  ])("creates the workspace without a daemon (created: %s)", async (created, text) => {
    const host = fakeHost({ daemon: { initWorkspace: async ({ workspace }) => ({ created, path: workspace }) } });
    expect(await runCommandLine(["init", "--workspace", "/w"], host)).toBe(0);
    expect(host.printed.out).toBe(text);
  });
});

describe("down", () => {
  let child: ChildProcess | undefined;
  let workspace = "";

  afterEach(() => {
    child?.kill("SIGKILL");
    child = undefined;
    rmSync(workspace, { recursive: true, force: true });
  });

  /** A process that stands for the daemon, beside the server that answers for it. */
  async function daemonProcess(onStop: () => void) {
    child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: "ignore" });
    await once(child, "spawn");
    const api = await fakeApi(({ path }) => {
      if (path !== "/api/shutdown") return undefined;
      onStop();
      return ok({ success: true });
    });
    workspace = fakeWorkspace({ url: api.url, token: api.token, pid: child.pid ?? 0 });
    return api;
  }

  it("returns when the daemon's process is gone", async () => {
    const api = await daemonProcess(() => child?.kill("SIGKILL"));
    const exited = once(child as ChildProcess, "exit");
    const host = fakeHost();
    host.time.pause = () => exited.then(() => undefined);
    expect(await runCommandLine(["down", "--workspace", workspace], host)).toBe(0);
    expect(host.printed.out).toBe("Guildhall stopped.\n");
    await api.close();
  });

  it("gives up after 35 seconds", async () => {
    const api = await daemonProcess(() => {});
    const host = fakeHost();
    expect(await runCommandLine(["down", "--workspace", workspace], host)).toBe(6);
    expect(host.printed.err).toContain("still stopping after 35 seconds");
    expect(host.pauses.reduce((sum, ms) => sum + ms, 0)).toBe(35_000);
    await api.close();
  });

  it("says so when nothing is running", async () => {
    const host = fakeHost();
    expect(await runCommandLine(["down", "--workspace", "/there/is/none"], host)).toBe(6);
  });
});

describe("status", () => {
  const hallWith =
    (runs: Record<string, number>) =>
    ({ path, query }: ApiRequest) =>
      path === "/api/now"
        ? ok({ needsMe: [] })
        : path === "/api/status"
          ? ok(status())
          : ok({ runs: Array.from({ length: runs[query.status ?? ""] ?? 0 }, () => run()) });

  it("tells what the hall holds", async () => {
    const { out } = await runCli(["status"], hallWith({}));
    expect(out).toContain("Guildhall 0.1.0 is up at http://127.0.0.1:4777\n");
    expect(out).toMatch(/contents +1 role, 2 projects, 3 tasks\nruns +none running\n/);
  });

  it("tells how many runs are at work and how many wait", async () => {
    const { out } = await runCli(["status"], hallWith({ running: 2, pending: 1 }));
    expect(out).toMatch(/runs +2 running, 1 queued \('guildhall run list' lists them\)\n/);
  });

  it("tells runs that stand still from those at work", async () => {
    const waiting = [run(), run({ waitingFor: "budget" }), run({ waitingFor: "quota" }), run({ waitingFor: "quota" })];
    const { out } = await runCli(["status"], ({ path, query }) =>
      path === "/api/status" ? ok(status()) : ok({ needsMe: [], runs: query.status === "running" ? waiting : [] }),
    );
    expect(out).toMatch(/runs +1 running, 0 queued, 1 waiting for budget, 2 waiting for quota \(/);
  });

  it("names the tasks that failed", async () => {
    const failed = { kind: "failed", id: "run-1", projectId: "shop", title: "Fix it", run: { taskId: "TASK-007" } };
    const { out } = await runCli(["status"], ({ path }) =>
      path === "/api/status" ? ok(status()) : ok({ runs: [], needsMe: [failed, { ...failed, kind: "problem" }] }),
    );
    expect(out).toMatch(/failed +shop\/TASK-007 Fix it \('guildhall now' shows what to do\)\n/);
  });

  it("is the API's answer and nothing else with --json", async () => {
    const { out, requests } = await runCli(["status", "--json"], hallWith({ running: 2 }));
    expect([JSON.parse(out), requests.length]).toEqual([status(), 1]);
  });
});

describe("stop", () => {
  it("names what it ended in columns", async () => {
    const runs = [
      { ...run(), id: "run-1", projectId: "shop", title: "One", status: "cancelled" },
      { ...run(), id: "run-02", projectId: "mill", title: "Two", status: "running", settling: true },
    ];
    const { out } = await runCli(["stop", "--all"], () => ok({ success: true, runs, processes: 1 }));
    expect(out).toContain("  run-1   shop  cancelled  One\n  run-02  mill  ending     Two\n");
  });
});

describe("audit verify and index rebuild", () => {
  it("answers 0 for a whole log and 4 for a broken one", async () => {
    const report = { ok: true, events: 9, days: 1, journals: 2, ledgers: 1, head: "abc", faults: [] };
    const fault = { file: "events/2026-03-01.jsonl", line: 4, reason: "the hash does not fit" };
    const whole = await runCli(["audit", "verify"], () => ok(report));
    const broken = await runCli(["audit", "verify"], () => ok({ ...report, ok: false, faults: [fault] }));
    expect(whole).toMatchObject({
      code: 0,
      out: "The event log is valid: 9 events on 1 day, 2 journals, 1 day of costs, up to abc.\n",
    });
    expect(broken.code).toBe(4);
    expect(broken.out).toContain("events/2026-03-01.jsonl:4  the hash does not fit");
  });

  it("names a journal that is missing without a line", async () => {
    const report = { ok: false, events: 9, days: 1, journals: 2, ledgers: 1, head: "abc" };
    const faults = [{ file: "runs/run-1.jsonl", line: 0, reason: "this journal is missing" }];
    const { out } = await runCli(["audit", "verify"], () => ok({ ...report, faults }));
    expect(out).toContain("  runs/run-1.jsonl  this journal is missing\n");
  });

  it("tells what the index was built from", async () => {
    const { out, requests } = await runCli(["index", "rebuild"], () =>
      ok({ success: true, files: 10, problems: 1, ms: 12.3 }),
    );
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/index/rebuild" });
    expect(out).toBe("Rebuilt the index from 10 files in 12 ms.\n1 problem: 'guildhall doctor' lists them.\n");
    expect(await runCli(["index", "rebuild"], () => refused("stopping", 503))).toMatchObject({ code: 6 });
  });
});
