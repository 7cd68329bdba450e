import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { type DaemonProcess, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { PROJECT, untilOver, writePlaybook } from "../harness/spawned-runs.ts";

const FAULTS = Number(process.env.GUILDHALL_INJECTED_FAULTS ?? 0);
const SEED = Number(process.env.GUILDHALL_FAULT_SEED ?? 1);
// Not write: sockets and wake-ups of the process itself are written to as well.
const CALLS = ["fsync", "fdatasync", "rename"];
const ERRORS = ["EIO", "ENOSPC"];
/** Calls into which a fault is put, counted from the moment at which it is armed. */
const LATEST_CALL = 12;
const whyNot = FAULTS === 0 ? "set GUILDHALL_INJECTED_FAULTS to the number of faults" : whyNoStrace();

function whyNoStrace(): string | undefined {
  try {
    execFileSync("strace", ["-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=99", "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "it needs strace, and the right to trace processes";
  }
}

/** Lets one system call of a process, or of one that it starts, fail; resolves when that is armed. */
async function inject(pid: number, { call, error, nth }: { call: string; error: string; nth: number }) {
  const how = ["-f", "-p", String(pid), "-o", "/dev/null", "-e", `trace=${call}`];
  const child = spawn("strace", [...how, "-e", `inject=${call}:error=${error}:when=${nth}`], { stdio: "pipe" });
  onTestFinished(() => end(child));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`strace ended with ${code}`)));
    createInterface({ input: child.stderr }).once("line", () => resolve());
  });
  return () => end(child);
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGINT");
  });
}

const create = (hall: DaemonProcess, title: string) =>
  hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title, description: "d" });

describe.skipIf(whyNot !== undefined)(`a system call of the daemon that fails (${whyNot ?? "with strace"})`, () => {
  it(`loses nothing that was acknowledged, and the next change works (${FAULTS} faults)`, {
    timeout: 3_600_000,
  }, async () => {
    const random = numbersFrom(SEED);
    const repo = repository({ "a.txt": "a\n" });
    const hall = await spawnHall(join(temporaryFolder(), "workspace"));
    await hallOver(hall, { root: repo.root, playbooks: {} });
    const kept: string[] = [];
    for (let fault = 0; fault < FAULTS; fault++) {
      const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
      const order = { call: pick(CALLS), error: pick(ERRORS), nth: 1 + Math.floor(random() * LATEST_CALL) };
      const when = `${order.call} ${order.nth} fails with ${order.error} (fault ${fault})`;
      const detach = await inject(hall.pid, order);
      // Every fifth is a whole run with its merge.
      if (fault % 5 !== 4) {
        const { status, body } = await create(hall, `Task ${fault}`);
        expect([201, 503], when).toContain(status);
        if (status === 201) kept.push(body.task.id);
      } else await oneRun(hall, { fault, when });
      await detach();
      const after = await create(hall, `After ${fault}`);
      expect(after.status, `${when}: ${JSON.stringify(after.body)}`).toBe(201);
    }
    for (const id of kept) expect((await hall.call("GET", `/api/projects/${PROJECT}/tasks/${id}`)).status).toBe(200);
    expect(repo.git("fsck", "--full", "--no-dangling")).toBe("");
  });

  async function oneRun(hall: DaemonProcess, { fault, when }: { fault: number; when: string }): Promise<void> {
    writePlaybook(hall.workspace, `f${fault}`, writing({ [`f${fault}.txt`]: "x\n" }));
    const overrides = { model: `offline/f${fault}` };
    const order = { projectId: PROJECT, roleId: "worker", task: { title: `Run ${fault}` }, overrides };
    const { status, body } = await hall.call("POST", "/api/team/spawn", order);
    expect([200, 503], when).toContain(status);
    if (status !== 200) return;
    const run = await untilOver(hall, body.sessionId, 60_000);
    expect(["completed", "failed"], when).toContain(run.status);
  }
});
