import { expect, it } from "vitest";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";
import { commandFolder } from "../harness/command-folder.ts";
import { eventually } from "../harness/daemon.ts";
import { processesNaming, uniqueSleep, untilGone } from "../harness/processes.ts";

/** Commands that try to outlive their call. */
const LASTING: Record<string, (sleep: string) => string> = {
  "in the background": (sleep) => `sleep ${sleep} & sleep ${sleep} &`,
  "in a session of its own, twice removed": (sleep) => `(setsid sh -c 'sleep ${sleep} & sleep ${sleep}' &); sleep 0.2`,
  "with nohup": (sleep) => `nohup setsid sleep ${sleep} > /dev/null 2>&1 < /dev/null &`,
  "deaf to signals": (sleep) => `(trap '' TERM INT HUP QUIT; setsid sleep ${sleep} & sleep ${sleep}) &`,
};

/** That nothing of a command is left, however it ends. */
export function endings(sandbox: Sandbox): void {
  it.each(Object.keys(LASTING))("a process left %s ends with its command", async (how) => {
    const { run } = commandFolder(sandbox);
    const sleep = uniqueSleep();
    const { output, failed } = await run(`${LASTING[how]?.(sleep)}\necho done`);
    expect([output.split("\n").at(-1), failed]).toEqual(["done", undefined]);
    await untilGone(sleep);
  });

  it("a command that takes too long ends, with all it started, and says so", async () => {
    const { run } = commandFolder(sandbox);
    const sleep = uniqueSleep();
    const lasting = Object.values(LASTING).map((make) => make(sleep));
    const { output, failed } = await run(`echo begun; ${lasting.join("\n")}\ntrap '' TERM; sleep ${sleep}`, {
      timeoutSeconds: 1,
    });
    expect(output).toMatch(
      /^Killed after \d+(?:\.\d)? s, with its child processes: it exceeded its limit of 1 s\.\nbegun$/,
    );
    expect(failed).toBe(true);
    await untilGone(sleep);
  });

  it("a command whose run is cancelled ends, with all it started", async () => {
    const { run } = commandFolder(sandbox);
    const sleep = uniqueSleep();
    const cancel = new AbortController();
    const lasting = Object.values(LASTING).map((make) => make(sleep));
    const running = run(`${lasting.join("\n")}\nsleep ${sleep}`, { signal: cancel.signal });
    await eventually(
      () => processesNaming(sleep),
      ({ length }) => length > 4,
    );
    cancel.abort(new Error("cancelled by a person"));
    await expect(running).rejects.toThrow("cancelled by a person");
    await untilGone(sleep);
  });

  it("a command that is cancelled before it stands never starts", async () => {
    const { run } = commandFolder(sandbox);
    const sleep = uniqueSleep();
    const cancels = Array.from({ length: 10 }, () => new AbortController());
    const running = cancels.map(({ signal }) => run(`sleep ${sleep}`, { signal }));
    for (const [at, cancel] of cancels.entries()) setTimeout(() => cancel.abort(new Error("soon")), at * 5);
    await Promise.allSettled(running);
    await untilGone(sleep);
  });
}
