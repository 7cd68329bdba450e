import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { entriesOf, furnish, journalOf, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const PLAY = 'turns: [{calls: [{tool: exec, input: {command: "touch made"}}]}, {text: Tried.}]';

/** From here on, to the end of the test, no sandbox works on this machine. */
function breakSandboxes(): void {
  const folder = temporaryFolder();
  for (const name of ["bwrap", "setpriv"]) {
    writeFileSync(join(folder, name), "#!/bin/sh\necho broken for a test >&2\nexit 1\n");
    chmodSync(join(folder, name), 0o755);
  }
  const before = process.env.PATH;
  process.env.PATH = `${folder}:${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}

it.skipIf(process.platform !== "linux")(
  "where no sandbox works, agents run no commands until the person accepts that, and it is said everywhere",
  async () => {
    breakSandboxes();
    const hall = await furnish(await startHall(), { play: PLAY });
    const workdir = join(temporaryFolder(), "work");
    mkdirSync(workdir);
    await hall.call("POST", "/api/roles", { id: "coder", name: "Coder", skills: ["exec"] });
    await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir });
    const attempt = async () => {
      const id = await spawnRun(hall, "play", "Make it", { roleId: "coder" });
      const run = await untilOver(hall, id);
      const entries = journalOf(hall.workspace, id);
      return { run, plan: entriesOf(entries, "plan")[0]?.plan, result: entriesOf(entries, "result")[0] };
    };
    const refused = await attempt();
    const detail = "no sandbox works here: bwrap: broken for a test; unshare: broken for a test";
    expect(refused.result?.output).toContain("There is no tool 'exec'");
    expect(refused.plan?.tools.because).toBe(
      `set by the role; exec is not offered: ${detail}, and the project does not set sandbox.unsandboxed`,
    );
    expect([refused.plan?.sandbox, refused.run.sandbox, existsSync(join(workdir, "made"))]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    expect((await hall.call("GET", "/api/status")).body.sandbox).toEqual({ name: "none", detail });
    expect((await hall.call("GET", "/api/health")).body.sandbox).toBe("none");
    const doctor = await guildhall(["doctor"], { workspace: hall.workspace });
    expect(doctor.stdout).toContain(
      `  ${detail}; agents can't run commands, except in projects with sandbox.unsandboxed`,
    );

    await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { sandbox: { unsandboxed: true } } });
    const accepting = await guildhall(["doctor"], { workspace: hall.workspace });
    expect(accepting.stdout).toMatch(
      /projects\/shop\/PROJECT\.json +sandbox\.unsandboxed: its agents run commands without a sandbox/,
    );
    expect((await guildhall(["status"], { workspace: hall.workspace })).stdout).toMatch(/sandbox +none/);
    expect((await hall.call("GET", "/api/problems")).body.problems).toMatchObject([{ severity: "warning" }]);
    const accepted = await attempt();
    expect([accepted.run.sandbox, accepted.plan?.sandbox?.name]).toEqual(["none", "none"]);
    expect([accepted.result?.failed, existsSync(join(workdir, "made"))]).toEqual([undefined, true]);
    const shown = await guildhall(["run", "show", accepted.run.id], { workspace: hall.workspace });
    expect(shown.stdout).toContain("unsandboxed: commands have all your permissions");
  },
);
