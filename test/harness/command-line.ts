import { runCommandLine } from "../../src/cli/run.ts";
import { fakeHost } from "../fakes/cli-host.ts";
import { environment, type Invocation, type Outcome } from "./guildhall.ts";

/** Runs the `guildhall` command in this very process, where another test already starts it as a process of its own. */
export async function commandLine(words: string[], { input, ...given }: Invocation = {}): Promise<Outcome> {
  const host = fakeHost({
    env: Object.fromEntries(Object.entries(environment(given)).flatMap(([name, text]) => (text ? [[name, text]] : []))),
    now: Date.now,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ...(input === undefined ? {} : { input }),
  });
  const code = await runCommandLine(words, { ...host, loadDaemon: () => import("../../src/daemon.ts") });
  return { code, stdout: host.printed.out, stderr: host.printed.err };
}
