import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";
import { unsandboxed } from "../../src/agent/sandbox/unsandboxed.ts";
import { HOSTILE_COMMANDS, whyNoBombs } from "../cases/hostile-commands.ts";
import { type CommandFolder, commandFolder } from "../harness/command-folder.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { hostileTarget } from "../harness/hostile-target.ts";
import { processesNaming } from "../harness/processes.ts";

const MB = 1024 * 1024;
const bashrc = () => (existsSync(join(homedir(), ".bashrc")) ? readFileSync(join(homedir(), ".bashrc"), "utf8") : "");

/** What must come of commands that are meant to do harm. */
export function hostileCommands(sandbox: Sandbox): void {
  if (whyNoBombs !== "") it.skip(`a fork bomb (skipped: ${whyNoBombs})`, () => undefined);
  it.each(HOSTILE_COMMANDS)("$name comes to nothing, and nothing of it is left", async ({ command, says, ...more }) => {
    const folder = placeOfAttack(sandbox);
    const target = await hostileTarget(folder.above);
    const before = bashrc();
    const marked = `: ${target.mark}; ${command(target)}`;
    const { timeoutSeconds } = more;
    const { output } = await folder.run(marked, timeoutSeconds === undefined ? {} : { timeoutSeconds });
    expect(output).toMatch(says);
    expect(output).not.toContain("\u001b");
    await eventually(
      () => processesNaming(target.mark),
      ({ length }) => length === 0,
      2_000,
    );
    expect([target.visits(), target.isBystanderAlive(), bashrc() === before]).toEqual([0, true, true]);
    expect(readFileSync(join(folder.above, "workspace/projects/other/secret.md"), "utf8")).toBe("canary\n");
    expect(readFileSync(folder.at(".git/config"), "utf8")).not.toContain("evil");
    expect(existsSync(folder.at(".git/hooks/post-checkout"))).toBe(false);
    if (existsSync(folder.at("big"))) expect(statSync(folder.at("big")).size).toBeLessThan(201 * MB);
  });
}

/** That these are attacks: outside of any sandbox they have their effect. */
export function hostileOutside(): void {
  const harmless = HOSTILE_COMMANDS.filter(({ outside }) => outside !== undefined);
  it.each(harmless)("$name has its effect without a sandbox", async ({ command, outside }) => {
    const { above, at } = placeOfAttack(unsandboxed);
    const target = await hostileTarget(above);
    const home = temporaryFolder();
    writeFileSync(join(home, ".bashrc"), "");
    const env = { PATH: process.env.PATH, HOME: home };
    const { promise, resolve } = Promise.withResolvers<string>();
    execFile("sh", ["-c", command(target)], { cwd: at("."), env }, (_, stdout) => resolve(stdout));
    expect(await promise).toMatch(outside ?? /./);
  });
}

/** A repository as the working folder, with little room on its disk. */
function placeOfAttack(sandbox: Sandbox): CommandFolder {
  let place = "";
  const written = () => statSync(join(place, "big"), { throwIfNoEntry: false })?.size ?? 0;
  const roomAt = () => ({ free: 300 * MB - written(), size: 8_000 * MB });
  const folder = commandFolder(sandbox, {}, { processes: 24, roomAt });
  place = folder.at(".");
  execFileSync("git", ["init", "-q", "."], { cwd: place });
  return folder;
}
