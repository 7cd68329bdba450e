import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { guildhall } from "../harness/guildhall.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

/** Answers as systemctl and loginctl do, notes every call, and really runs the command of the unit. */
const SYSTEMCTL = `
shift
case $1 in
  restart|stop) "$LAUNCHER" down --workspace "$SERVED" >/dev/null 2>&1 ;;
  disable) "$LAUNCHER" down --workspace "$SERVED" >/dev/null 2>&1 ; rm -f "$HOME/active" ;;
esac
case $1 in
  restart) "$LAUNCHER" up --no-open --port 0 --workspace "$SERVED" </dev/null >/dev/null 2>&1 & touch "$HOME/active" ;;
  is-active) test -e "$HOME/active" ;;
  show-environment) test -z "$NO_BUS" || { echo "Failed to connect to bus" >&2; exit 1; } ;;
esac
`;
const LOGINCTL = `[ "$1" = show-user ] && echo yes; true`;
const LAUNCHCTL = `
case $1 in
  bootstrap) "$LAUNCHER" up --no-open --port 0 --workspace "$SERVED" </dev/null >/dev/null 2>&1 & touch "$HOME/active" ;;
  bootout) "$LAUNCHER" down --workspace "$SERVED" >/dev/null 2>&1 ; rm -f "$HOME/active" ;;
  print) [ "$2" = "\${2%/*/*}" ] && exit 0 ; test -e "$HOME/active" && echo "	state = running" ;;
esac
`;

/** A machine with these programs, a home of its own, and a workspace whose path is hard to write. */
function machine(programs: Record<string, string>, { workspace = "my 100% hall" } = {}) {
  const home = temporaryFolder();
  const bin = join(home, "fake bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    const noted = `#!/bin/sh\necho "${name} $*" >> "$HOME/calls"\n${script}`;
    writeFileSync(join(bin, name), noted);
    chmodSync(join(bin, name), 0o755);
  }
  const served = join(home, workspace);
  const launcher = join(import.meta.dirname, "../../bin/guildhall");
  // No other service manager of this machine is found.
  const tools = ["sh", "rm", "touch", "git", "env", "readlink"].map((name) => toolOn(name, bin));
  expect(tools).not.toContain(undefined);
  const env = { HOME: home, PATH: bin, LAUNCHER: launcher, SERVED: served, XDG_CONFIG_HOME: "", NO_BUS: "" };
  const run = (words: string[], more: Record<string, string> = {}) =>
    guildhall(words, { workspace: served, env: { ...env, ...more } });
  onTestFinished(async () => void (await run(["down"])));
  const calls = () => readFileSync(join(home, "calls"), "utf8");
  return { home, served, run, calls };
}

/** A link to a tool of this machine in the folder. */
function toolOn(name: string, folder: string): string | undefined {
  const path = spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  if (path === "") return undefined;
  writeFileSync(join(folder, name), `#!/bin/sh\nexec ${path} "$@"\n`);
  chmodSync(join(folder, name), 0o755);
  return path;
}

describe("guildhall service on systemd", () => {
  it("installs, shows and removes a user unit, but not beside a daemon that someone started", async () => {
    const { home, served, run, calls } = machine({ systemctl: SYSTEMCTL, loginctl: LOGINCTL });
    const installed = await run(["service", "install", "--port", "4999", "--json"]);
    expect(installed.code, installed.stderr).toBe(0);
    const answer = JSON.parse(installed.stdout);
    expect(answer).toMatchObject({ manager: "systemd", workspace: served, starts: "boot" });
    expect(answer.file).toMatch(/\.config\/systemd\/user\/guildhall-my-100-hall-[0-9a-f]{8}\.service$/);
    expect((await fetch(`${answer.url}/api/health`)).status).toBe(200);
    const unit = readFileSync(answer.file, "utf8");
    expect(unit).toContain(`--workspace "${home}/my 100%% hall" --port 4999\n`);
    expect(unit).toContain(`Environment="PATH=${home}/fake bin"`);
    expect(calls()).toMatch(/daemon-reload\n.*enable guildhall-\S+\n.*restart .*\n.*enable-linger/s);

    const shown = await run(["service", "status"]);
    expect(shown.stdout).toMatch(/^The service is running\.\naddress +http.*starts +at boot\n/s);
    rmSync(join(home, "active"));
    const beside = await run(["service", "install"]);
    expect([beside.code, beside.stderr]).toEqual([4, expect.stringContaining("A daemon is already running")]);
    writeFileSync(join(home, "active"), "");
    const again = await run(["service", "install", "--json"]);
    expect(JSON.parse(again.stdout).url).toMatch(/^http/);

    const removed = await run(["service", "remove"]);
    expect(removed.stdout).toContain("Stopped the service and removed");
    expect(existsSync(answer.file)).toBe(false);
    expect(existsSync(join(served, "config.yml"))).toBe(true);
    expect((await run(["service", "status"])).stdout).toContain("No service is installed");
    expect((await run(["service", "remove"])).stdout).toContain("No service is installed");
  });

  it("prints the unit and touches nothing", async () => {
    const { home, run } = machine({ systemctl: SYSTEMCTL, loginctl: LOGINCTL });
    const { stdout, code } = await run(["service", "install", "--print"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("\nExecStart=/bin/sh ")]);
    expect([existsSync(join(home, "calls")), existsSync(join(home, ".config"))]).toEqual([false, false]);
  });

  it("refuses to replace or remove a unit that someone else wrote", async () => {
    const { served, run } = machine({ systemctl: SYSTEMCTL, loginctl: LOGINCTL });
    const file = JSON.parse((await run(["service", "install", "--print", "--json"])).stdout).file;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "[Service]\nExecStart=/usr/bin/mine\n");
    const foreign = await run(["service", "install"]);
    expect([foreign.code, foreign.stderr]).toEqual([4, expect.stringContaining("was not written by Guildhall")]);
    expect(readFileSync(file, "utf8")).toContain("/usr/bin/mine");
    expect((await run(["service", "remove"])).code).toBe(4);
    expect(existsSync(served)).toBe(false);
  });

  it("says why it cannot where systemd does not run, and what to do on WSL", async () => {
    const { run } = machine({ systemctl: SYSTEMCTL, loginctl: LOGINCTL });
    const { code, stderr } = await run(["service", "install"], { NO_BUS: "1", WSL_DISTRO_NAME: "Debian" });
    expect(code).toBe(7);
    expect(stderr).toContain("The systemd user manager does not respond: Failed to connect to bus");
    expect(stderr).toContain("/etc/wsl.conf");
  });
});

it("says so where there is neither systemd nor launchd", async () => {
  const { run } = machine({});
  const { code, stderr } = await run(["service", "status"]);
  expect([code, stderr]).toEqual([7, expect.stringContaining("No service manager found")]);
});

it("installs and removes a launch agent on launchd", async () => {
  const { home, run, calls } = machine({ launchctl: LAUNCHCTL }, { workspace: ".guildhall" });
  const installed = await run(["service", "install"]);
  expect(installed.code, installed.stderr).toBe(0);
  expect(installed.stdout).toMatch(/^Guildhall is running as a service at http.*starts +when you log in\n/s);
  const plist = join(home, "Library/LaunchAgents/local.guildhall.plist");
  expect(readFileSync(plist, "utf8")).toContain(`<string>${home}/.guildhall</string></array>`);
  expect(calls()).toContain(`launchctl bootstrap gui/${process.getuid?.()} ${plist}\n`);
  expect((await run(["service", "status", "--json"])).stdout).toContain('"running":true');
  expect((await run(["service", "remove"])).code).toBe(0);
  expect(existsSync(plist)).toBe(false);
});
