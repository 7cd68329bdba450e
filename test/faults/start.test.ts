import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, launchHall, spawnHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";

const up = (workspace: string, ...args: string[]) =>
  guildhall(["up", "--workspace", workspace, "--no-open", "--no-build", ...(args.length > 0 ? args : ["--port", "0"])]);

describe("one daemon per workspace", () => {
  it("refuses a second daemon and names the process that is there", async () => {
    const first = await spawnHall();
    const second = await up(first.workspace);
    expect(second.code).toBe(4);
    expect(second.stderr).toContain("[workspace_busy]");
    expect(second.stderr).toContain(`process ${first.pid}`);
    expect((await first.call("GET", "/api/status")).body.pid).toBe(first.pid);
  });

  it("lets one of several that start at once come up and refuses the others", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const launches = Array.from({ length: 4 }, () => launchHall(workspace));
    const outcomes = await Promise.all(
      launches.map(({ ready, ended }) => Promise.race([ready.then(() => "up"), ended])),
    );
    expect(outcomes.toSorted()).toEqual([4, 4, 4, "up"]);
  });

  it("takes over what a killed daemon left locked", async () => {
    const first = await spawnHall();
    await first.kill("SIGKILL");
    expect(readFileSync(join(first.workspace, ".guildhall/lock"), "utf8")).toContain(String(first.pid));
    const second = await spawnHall(first.workspace);
    expect((await second.call("GET", "/api/status")).body.pid).toBe(second.pid);
  });

  it.each([
    ["names a process that lives and is no daemon", JSON.stringify({ pid: process.pid, startedAt: "2026-01-01" })],
    ["makes no sense", "\0\0\0{"],
  ])("takes over a lock file that %s", async (_name, content) => {
    const workspace = join(temporaryFolder(), "workspace");
    mkdirSync(join(workspace, ".guildhall"), { recursive: true });
    writeFileSync(join(workspace, ".guildhall/lock"), content);
    const hall = await spawnHall(workspace);
    expect(JSON.parse(readFileSync(join(workspace, ".guildhall/lock"), "utf8")).pid).toBe(hall.pid);
  });
});

describe("a port that another program has", () => {
  it("is refused, and the workspace is free again afterwards", async () => {
    const stranger = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void stranger.close());
    await eventually(
      () => stranger.listening,
      (listening) => listening,
    );
    const workspace = join(temporaryFolder(), "workspace");
    const refused = await up(workspace, "--port", String((stranger.address() as AddressInfo).port));
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain("[port_taken]");
    expect(refused.stderr).toContain(String((stranger.address() as AddressInfo).port));
    expect((await (await startHall(workspace)).call("GET", "/api/health")).status).toBe(200);
  });
});

describe("a folder that cannot be a workspace", () => {
  it("is refused when it is the home folder, by its name or through a link", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, ".guildhall"));
    const link = join(temporaryFolder(), "link");
    symlinkSync(home, link);
    for (const workspace of [home, `${home}/.`, link]) {
      const refused = await guildhall(["up", "--workspace", workspace, "--no-open"], { env: { HOME: home } });
      expect(refused.code, workspace).toBe(7);
      expect(refused.stderr).toContain("[workspace_refused]");
    }
    expect(readdirSync(home)).toEqual([".guildhall"]);
    expect(readdirSync(join(home, ".guildhall"))).toEqual([]);
  });

  it("is refused when it is the root of the file system", async () => {
    const refused = await up("/");
    expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining("[workspace_refused]")]);
  });

  it("is refused when it is a file, or lies below one", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "mine\n");
    for (const workspace of [file, join(file, "below")]) {
      const refused = await up(workspace);
      expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining("[workspace_refused]")]);
    }
    expect(readFileSync(file, "utf8")).toBe("mine\n");
  });

  it("is refused, and left alone, when it holds other things", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "thesis.tex"), "mine\n");
    for (const command of ["up", "init"]) {
      const refused = await guildhall([command, "--workspace", folder]);
      expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining("[workspace_refused]")]);
    }
    expect(readdirSync(folder)).toEqual(["thesis.tex"]);
  });

  it.each(["/proc", "/proc/guildhall"])("is refused when nothing can be written there: %s", async (workspace) => {
    const refused = await up(workspace);
    expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining("[workspace_refused]")]);
  });
});

describe("the token", () => {
  const tokenOf = (workspace: string) => join(workspace, ".guildhall/token");

  it("is made for the owner alone, in a folder for the owner alone", async () => {
    const { workspace } = await startHall();
    expect(statSync(join(workspace, ".guildhall")).mode & 0o777).toBe(0o700);
    expect(statSync(tokenOf(workspace)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(tokenOf(workspace), "utf8").trim(), "base64url").length).toBeGreaterThanOrEqual(32);
  });

  it("is closed to others again when it was open to them, and doctor tells", async () => {
    const first = await startHall();
    await first.stop();
    chmodSync(tokenOf(first.workspace), 0o644);
    chmodSync(join(first.workspace, ".guildhall"), 0o755);
    const second = await startHall(first.workspace);
    expect(statSync(tokenOf(first.workspace)).mode & 0o777).toBe(0o600);
    expect(statSync(join(first.workspace, ".guildhall")).mode & 0o777).toBe(0o700);
    expect(second.token).toBe(first.token);
    const { problems } = (await second.call("GET", "/api/problems")).body;
    expect(problems).toContainEqual(expect.objectContaining({ file: ".guildhall/token", kind: "permissions" }));
    const doctor = await guildhall(["doctor"], { workspace: first.workspace });
    expect(doctor.stdout + doctor.stderr).toContain(".guildhall/token");
  });

  it.each([
    ["empty", ""],
    ["short", "1234\n"],
    ["of blanks", "   \n\n"],
    ["two lines", `${"a".repeat(43)}\n${"b".repeat(43)}\n`],
  ])("is replaced when it is %s", async (_name, content) => {
    const first = await startHall();
    await first.stop();
    writeFileSync(tokenOf(first.workspace), content);
    const second = await startHall(first.workspace);
    expect(second.token).toMatch(/^[\w-]{43,}$/);
    expect(second.token).not.toBe(first.token);
    expect((await second.call("GET", "/api/status")).status).toBe(200);
    const guess = { authorization: `Bearer ${content.trim().split("\n")[0]}` };
    expect((await second.call("GET", "/api/status", undefined, guess)).status).toBe(401);
  });
});

describe("stopping", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends the daemon in order", async (signal) => {
    const launch = launchHall();
    const hall = await launch.ready;
    await hall.call("POST", "/api/projects", { id: "one", name: "One" });
    await launch.kill(signal);
    expect(await launch.ended).toBe(0);
    expect(readdirSync(join(hall.workspace, ".guildhall"))).not.toContain("lock");
    expect(lastEvent(hall.workspace).type).toBe("daemon.stopped");
  });

  it("a second signal ends it at once", async () => {
    const launch = launchHall();
    const hall = await launch.ready;
    // A request that never ends holds an orderly stop up for seconds.
    const abort = new AbortController();
    const held = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"name":')) });
    const request = fetch(`${hall.url}/api/projects`, {
      method: "POST",
      headers: { authorization: `Bearer ${hall.token}`, "content-type": "application/json" },
      body: held,
      duplex: "half",
      signal: abort.signal,
    } as RequestInit).catch(() => undefined);
    await eventually(
      () => hall.call("GET", "/api/health"),
      ({ status }) => status === 200,
    );
    process.kill(launch.pid, "SIGTERM");
    await eventually(launch.errors, (text) => text.includes("Ctrl-C again"));
    process.kill(launch.pid, "SIGTERM");
    expect(await launch.ended).toBe(130);
    abort.abort();
    await request;
    expect((await spawnHall(hall.workspace)).pid).not.toBe(launch.pid);
  });

  it("a signal that comes while it starts is obeyed too", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const launch = launchHall(workspace);
    await eventually(
      () => statSync(join(workspace, ".guildhall"), { throwIfNoEntry: false }),
      (stats) => stats !== undefined,
    );
    process.kill(launch.pid, "SIGTERM");
    expect(await launch.ended).toBe(0);
    expect(readdirSync(join(workspace, ".guildhall"))).not.toContain("lock");
  });

  it("'guildhall down' returns when the daemon is gone", async () => {
    const launch = launchHall();
    const { workspace } = await launch.ready;
    const down = await guildhall(["down"], { workspace });
    expect([down.code, down.stdout]).toEqual([0, expect.stringContaining("Guildhall stopped")]);
    expect(await launch.ended).toBe(0);
    const again = await guildhall(["down"], { workspace });
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining("[daemon_unreachable]")]);
  });
});

function lastEvent(workspace: string): { type: string } {
  const day = readdirSync(join(workspace, "events")).sort().at(-1) ?? "";
  return JSON.parse(
    readFileSync(join(workspace, "events", day), "utf8")
      .trim()
      .split("\n")
      .at(-1) ?? "",
  );
}
