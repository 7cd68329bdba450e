import type { Action, Context } from "../context.ts";
import type { LogEntry, RunningDaemon } from "../host.ts";
import { oneLine } from "../plain-text.ts";
import { exchange } from "../wire.ts";

/** Runs the daemon until it is stopped by a signal or by 'guildhall down'. */
export const up: Action<"up"> = async ({ port, open }, context) => {
  const { host, output, workspace } = context;
  const { startDaemon } = await host.loadDaemon();
  const stopping = stopOnSignal(context);
  const log = (entry: LogEntry) => output.note(output.json ? JSON.stringify(entry) : logLine(entry));
  const daemon = await startDaemon({ workspace, log, ...(port === undefined ? {} : { port }) });
  stopping.started(daemon);
  output.row({ url: daemon.url, pid: host.pid, workspace }, () =>
    [
      `Guildhall is up at ${daemon.url}`,
      `The workspace is ${oneLine(workspace)}`,
      "Stop it with Ctrl-C, or from elsewhere with 'guildhall down'.",
    ].join("\n"),
  );
  const looksOn = open !== false && host.out.isTerminal && !output.json;
  if (looksOn && (await hasPage(daemon.url))) await host.openBrowser(daemon.url);
  await Promise.race([daemon.stopped, stopping.failed]);
  return 0;
};

interface Stopping {
  started: (daemon: RunningDaemon) => void;
  /** Rejects when the daemon could not be stopped in order. */
  failed: Promise<never>;
}

/** The first signal stops the daemon in order, even one that comes while it starts; the second ends the process at once. */
function stopOnSignal({ host, output }: Context): Stopping {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let daemon: RunningDaemon | undefined;
  let asked = false;
  host.onSignal(() => {
    if (asked) return host.exit(130);
    asked = true;
    output.note("Stopping; once more ends it at once.");
    daemon?.stop().catch(reject);
  });
  return {
    failed,
    started: (running) => {
      daemon = running;
      if (asked) running.stop().catch(reject);
    },
  };
}

function logLine({ level, message, ...more }: LogEntry): string {
  const details = Object.entries(more).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return oneLine([`${level}:`, message, ...details].join(" "));
}

async function hasPage(url: string): Promise<boolean> {
  try {
    const answer = await exchange({
      method: "GET",
      origin: new URL(url),
      path: "/",
      headers: { accept: "text/html" },
      silenceMs: 2_000,
    });
    for await (const _ of answer.body);
    return answer.status === 200 && answer.headers.get("content-type")?.startsWith("text/html") === true;
  } catch {
    return false;
  }
}
