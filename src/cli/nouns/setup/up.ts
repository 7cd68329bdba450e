import { HallError } from "../../../contract/errors.ts";
import { command } from "../../command.ts";
import type { Context } from "../../context.ts";
import type { LogEntry, RunningDaemon } from "../../host.ts";
import { commandFor, readDaemonNote } from "../../http/connection.ts";
import { harmlessJson, oneLine } from "../../text/plain-text.ts";

const HIGHEST_PORT = 65_535;

export const commands = {
  /** Runs the daemon until it is stopped by a signal or by 'guildhall down'. */
  up: command(
    {
      summary: "Start the daemon in the foreground",
      detail:
        "Creates the workspace if it doesn't exist. Without --port or a port in config.yml, reuses the last port if it " +
        "is free, so open pages reconnect. Ctrl-C or SIGTERM stops it after pending writes; a second one exits immediately. " +
        "Prints a sign-in link to the dashboard and, on a terminal, opens it. In a source checkout, a missing or outdated " +
        "dashboard is built first; the daemon already responds meanwhile.",
      options: {
        port: { kind: "number", value: "PORT", help: "Port to listen on (0 picks a free one)" },
        open: { kind: "off", help: "Don't open the browser" },
        build: { kind: "off", help: "Don't build the dashboard" },
      },
      examples: ["up", "up --port 0 --no-open --workspace ./hall"],
    },
    async ({ port, open, build }, context) => {
      const stopping = stopOnSignal(context);
      let listenOn = port;
      for (let isFirst = true; ; isFirst = false) {
        const daemon = await start(listenOn, context);
        if (!stopping.started(daemon)) {
          if (isFirst) greet(daemon, context);
          else say(`Guildhall restarted at ${daemon.url}`, context);
          if (isFirst)
            void show(
              daemon,
              { opens: open !== false, builds: build !== false, isStopping: stopping.isAsked },
              context,
            );
        }
        await Promise.race([daemon.stopped, stopping.failed]);
        if (daemon.wantsRestart?.() !== true || stopping.isAsked()) break;
        // Open pages look for it where it was.
        if (port === 0) listenOn = Number(new URL(daemon.url).port);
      }
      say("Guildhall stopped.", context);
      return 0;
    },
  ),
};

/** The document has the link at once; a person gets it when there are pages that it leads to. */
function greet(daemon: RunningDaemon, { host, output, workspace }: Context): void {
  const { url } = daemon;
  const place = { pid: host.pid, workspace };
  output.row(output.json ? { url, dashboard: daemon.dashboardLink(), ...place } : {}, () =>
    [
      `Guildhall is up at ${url}`,
      `Workspace: ${oneLine(workspace)}`,
      `Stop with Ctrl-C, or from another terminal with '${oneLine(commandFor("down", workspace, host))}'.`,
    ].join("\n"),
  );
}

interface Showing {
  opens: boolean;
  builds: boolean;
  /** Ctrl-C ends the build too, which is then no failure. */
  isStopping: () => boolean;
}

/** The daemon answers all the while; the link and the browser wait for pages that are being built. */
async function show(daemon: RunningDaemon, how: Showing, context: Context): Promise<void> {
  const { host, output, workspace } = context;
  const build = how.builds ? await host.buildDashboard() : undefined;
  if (build !== undefined) {
    say("Building the dashboard…", context);
    const done = await build.ended;
    if (how.isStopping()) return;
    if ("ms" in done) say(`Dashboard built (${(done.ms / 1000).toFixed(1)} s).`, context);
    else say(`Can't build the dashboard (run 'npm run build' for details): ${oneLine(done.problem)}`, context);
  }
  if (output.json) return;
  const again = oneLine(commandFor("open", workspace, host));
  const link = daemon.dashboardLink();
  output.row({}, () => `Dashboard: ${link} (works once, within ten minutes; for a new link run '${again}')`);
  // A new link: whoever is quicker may have used the one that was printed.
  if (how.opens && host.out.isTerminal) await host.openBrowser(daemon.dashboardLink());
}

async function start(port: number | undefined, { host, output, workspace }: Context): Promise<RunningDaemon> {
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= HIGHEST_PORT)) {
    throw new HallError("usage", `--port must be a whole number from 0 to ${HIGHEST_PORT}.`);
  }
  const { startDaemon } = await host.loadDaemon();
  const log = (entry: LogEntry) => output.note(output.json ? harmlessJson(JSON.stringify(entry)) : logLine(entry));
  try {
    return await startDaemon({
      workspace,
      calledAs: host.calledAs,
      log,
      restartable: true,
      ...(port === undefined ? {} : { port }),
    });
  } catch (error) {
    throw withAddress(error, workspace, host);
  }
}

/** Whoever starts a second daemon mostly wants to know where the first one is. */
function withAddress(error: unknown, workspace: string, host: Context["host"]): unknown {
  if (!(error instanceof HallError) || error.code !== "workspace_busy") return error;
  const note = readDaemonNote(workspace);
  if (note?.isStopping)
    return new HallError("workspace_busy", `${error.message} It is stopping.`, { hint: "Try again in a moment." });
  const url = note?.url?.origin;
  if (url === undefined) return error;
  const [open, down] = ["open", "down"].map((words) => commandFor(words, workspace, host));
  const hint = `It is up at ${url}. Open its dashboard with '${open}', stop it with '${down}', or use another --workspace.`;
  return new HallError("workspace_busy", error.message, { hint });
}

/** Something to know beside the log, which is all JSON with --json. */
function say(message: string, { output }: Context): void {
  output.note(output.json ? JSON.stringify({ level: "info", message } satisfies LogEntry) : message);
}

interface Stopping {
  /** Whether it was told to stop while it started, and therefore stops right now. */
  started: (daemon: RunningDaemon) => boolean;
  /** Whether a signal asked for the end. */
  isAsked: () => boolean;
  /** Rejects when the daemon could not be stopped in order. */
  failed: Promise<never>;
}

/** The first signal stops the daemon in order, even one that comes while it starts; the second ends the process at once. */
function stopOnSignal(context: Context): Stopping {
  const { host } = context;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let daemon: RunningDaemon | undefined;
  let asked = false;
  let isStopping = false;
  host.onSignal(() => {
    if (asked || (isStopping && daemon?.wantsRestart?.() !== true)) return host.exit(130);
    asked = true;
    if (daemon === undefined) return say(stoppingWords(0), context);
    daemon.stop().catch(reject);
  });
  return {
    failed,
    isAsked: () => asked,
    started: (running) => {
      daemon = running;
      isStopping = false;
      const wasAsked = asked;
      void running.stopping.then(({ commands }) => {
        isStopping = true;
        if (!wasAsked) say(running.wantsRestart?.() === true ? "Restarting…" : stoppingWords(commands), context);
      });
      if (asked) running.stop().catch(reject);
      return asked;
    },
  };
}

function stoppingWords(commands: number): string {
  if (commands === 0) return "Stopping… Press Ctrl-C again to quit immediately.";
  const which = commands === 1 ? "1 command" : `${commands} commands`;
  return `Stopping… Waiting up to 5 s for ${which}. Press Ctrl-C again to quit immediately.`;
}

function logLine({ level, message, ...more }: LogEntry): string {
  const details = Object.entries(more).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return oneLine([`${level}:`, message, ...details].join(" "));
}
