import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DaemonOptions } from "../../src/daemon.ts";
import { BUILT_PROJECT } from "./built-program.ts";
import { client } from "./daemon.ts";

/** A daemon of its own that can be ended without warning. */
export async function killableDaemon(workspace: string, options: Pick<DaemonOptions, "env" | "parkAfterMs"> = {}) {
  const words = [workspace, BUILT_PROJECT, JSON.stringify(options)];
  const child = fork(join(import.meta.dirname, "forked-daemon.ts"), words, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  onTestFinished(kill);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { hall: client({ url, workspace, stop: kill }), kill };
}
