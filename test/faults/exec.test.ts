import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { readDaemonNote } from "../../src/cli/http/connection.ts";
import { type DaemonProcess, eventually, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { processesNaming, projectProcesses, uniqueSleep, untilGone } from "../harness/processes.ts";
import { entriesOf, furnish, journalOf, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const here = await sandboxProbe().settle();
const title = here.name === "none" ? `a command under way (skipped: ${here.detail})` : "a command under way";

describe.skipIf(here.name === "none")(title, () => {
  it("dies with a daemon that is killed, and is told as unknown when the run goes on", async () => {
    const sleep = uniqueSleep();
    const { hall, id } = await hallAtWork(sleep);
    await hall.kill("SIGKILL");
    await untilGone(sleep);
    const again = await spawnHall(hall.workspace);
    const run = await untilOver(again, id);
    expect([run.status, run.error]).toEqual(["completed", undefined]);
    const [result] = entriesOf(journalOf(hall.workspace, id), "result");
    expect(result).toMatchObject({ name: "exec", output: expect.stringMatching(/^Interrupted, outcome unknown/) });
    expect(processesNaming(sleep)).toEqual([]);
  });

  it("may finish for 5 seconds when the daemon stops, which others are told meanwhile, and is then told as unknown", async () => {
    const sleep = uniqueSleep();
    const { hall, id } = await hallAtWork(sleep);
    const { workspace } = hall;
    const start = performance.now();
    const stopped = hall.stop();
    await eventually(
      () => readDaemonNote(workspace),
      (note) => note?.isStopping === true,
    );
    // On a busy machine the seconds would be over before the others have started.
    process.kill(hall.pid, "SIGSTOP");
    const told = await Promise.all([guildhall(["run", "list"], { workspace }), guildhall(["up"], { workspace })]);
    process.kill(hall.pid, "SIGCONT");
    expect(told.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining(`The daemon of ${workspace} is stopping. [stopping]`),
      expect.stringContaining("It is stopping."),
    ]);
    await stopped;
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(4_900);
    expect(processesNaming(sleep)).toEqual([]);
    const again = await spawnHall(workspace);
    expect((await untilOver(again, id)).status).toBe("completed");
    const [result] = entriesOf(journalOf(workspace, id), "result");
    expect(result).toMatchObject({ name: "exec", output: expect.stringMatching(/^Interrupted, outcome unknown/) });
  });

  it("dies with its project's process", async () => {
    const sleep = uniqueSleep();
    const { hall, id } = await hallAtWork(sleep);
    for (const pid of projectProcesses(hall.workspace)) process.kill(pid, "SIGKILL");
    await untilGone(sleep);
    expect((await untilOver(hall, id)).status).toBe("completed");
  });

  it("dies when everything is stopped", async () => {
    const sleep = uniqueSleep();
    const { hall, id } = await hallAtWork(sleep);
    const { status, body } = await hall.call("POST", "/api/stop");
    expect([status, body.runs]).toEqual([200, [expect.objectContaining({ id })]]);
    await untilGone(sleep);
    expect((await untilOver(hall, id)).status).toBe("cancelled");
    expect((await hall.call("GET", "/api/health")).body.status).toBe("ok");
  });
});

/** A hall in which a run has begun a command that would never end, and has left others behind. */
async function hallAtWork(sleep: string): Promise<{ hall: DaemonProcess; id: string }> {
  const hall = await spawnHall();
  await furnish(hall, {
    play: `
turns:
  - calls: [{tool: exec, input: {command: "setsid sh -c 'trap \\"\\" TERM; sleep ${sleep}' & sleep ${sleep}"}}]
  - text: Went on.
`,
  });
  const workdir = join(temporaryFolder(), "work");
  mkdirSync(workdir);
  await hall.call("POST", "/api/roles", { id: "coder", name: "Coder", skills: ["exec"] });
  await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir });
  const id = await spawnRun(hall, "play", "Sleep", { roleId: "coder" });
  await eventually(
    () => processesNaming(sleep),
    ({ length }) => length > 3,
  );
  return { hall, id };
}
