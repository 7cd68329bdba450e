import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DaemonOptions } from "../../src/daemon.ts";
import { BUILT_PROJECT, client } from "./daemon.ts";

/** A daemon of its own whose runs wait, and that can be ended without warning. */
export async function killableDaemon(workspace: string, options: Pick<DaemonOptions, "env" | "parkAfterMs"> = {}) {
  const words = [workspace, BUILT_PROJECT, JSON.stringify(options)];
  const child = fork(join(import.meta.dirname, "escalating-daemon.ts"), words, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  onTestFinished(kill);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  const answer = async (given: { runId: string; output: string; callId: string }) => {
    child.send(given);
    return ((await once(child, "message")) as [{ answered: boolean }])[0].answered;
  };
  return { hall: client({ url, workspace, stop: kill }), answer, kill };
}
