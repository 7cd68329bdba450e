import { HallError } from "../../../contract/errors.ts";
import type { RouteResponse } from "../../../contract/routes/routes.ts";
import { hint } from "../../../contract/words/hint.ts";
import { command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { findDaemon, isAlive, readDaemonNote } from "../../http/connection.ts";
import { onlyProject } from "../../shared-options.ts";
import { oneLine } from "../../text/plain-text.ts";
import { count } from "../../text/text-card.ts";
import { padText, textWidth } from "../../text/text-width.ts";

/** Longer than the daemon itself waits for anybody. */
const PATIENCE_MS = 35_000;
/** A large workspace takes a while to open. */
const RESTART_MS = 120_000;
const STEP_MS = 25;
/** Who waits longer wants to know what for. */
const SILENT_MS = 1_000;
const MOST_SHOWN = 10;

export const commands = {
  open: command(
    {
      summary: "Open the dashboard in a browser, signed in",
      detail:
        "Prints a sign-in link that works once, within ten minutes. The browser stays signed in for 30 days. " +
        "On a terminal, also opens the browser.",
      options: { print: { kind: "flag", help: "Print the link without opening the browser" } },
      examples: ["open", "open --print", "open --json"],
    },
    async ({ print }, { call, host, output }) => {
      const { url } = await call("createBrowserLink", {});
      const opens = print !== true && host.out.isTerminal && !output.json;
      output.answer({ url }, () => (opens ? `Opening ${url}\nThe link works once, within ten minutes.` : url));
      if (opens) await host.openBrowser(url);
      return 0;
    },
  ),

  down: command(
    {
      summary: "Stop the daemon",
      detail: "Returns when the process has exited, after at most 15 seconds. Lists what is still open.",
      examples: ["down"],
    },
    async (_, context) => {
      const { host, call, output, workspace } = context;
      const note = readDaemonNote(workspace);
      if (note?.isStopping && isAlive(note.pid)) {
        await untilGone(note.pid, context);
        output.answer({ success: true }, () => "Guildhall stopped.");
        return 0;
      }
      const { pid } = findDaemon(workspace, host);
      const answer = await call("stopDaemon", {});
      await untilGone(pid, context);
      output.answer(answer, () => ["Guildhall stopped.", ...openLines(answer)].join("\n"));
      return 0;
    },
  ),

  restart: command(
    {
      summary: "Restart the daemon with the same options",
      detail:
        "Lets current requests and commands finish first, as 'down' does. Runs continue after the restart. " +
        "The process, terminal and port stay the same. To switch to a newly installed version, use 'down' and 'up' instead.",
      examples: ["restart"],
    },
    async (_, context) => {
      const { host, call, output, workspace } = context;
      findDaemon(workspace, host);
      const before = readDaemonNote(workspace);
      const answer = await call("restartDaemon", {});
      const url = await untilBack(before?.startedAt, context);
      output.answer({ ...answer, url }, () => `Guildhall restarted and is up at ${url}`);
      return 0;
    },
  ),

  stop: command(
    {
      summary: "Stop all runs immediately",
      detail:
        "Cancels the runs and kills their processes within two seconds. Their tasks become pending again. " +
        "The daemon keeps running and accepts new runs.",
      options: {
        all: { kind: "flag", help: "Runs of all projects" },
        project: { ...onlyProject, help: "Runs of this project" },
      },
      examples: ["stop --all", "stop -p shop --json"],
    },
    async ({ all, project }, { call, output }) => {
      if ((all === true) === (project !== undefined))
        throw new HallError("usage", "Missing scope.", { hint: "Pass --all, or a project with -p." });
      const answer = await call("stopRuns", { query: { project } });
      output.answer(answer, () => {
        const { runs, processes } = answer;
        if (runs.length === 0) return `No runs were running. Stopped ${count(processes, "process", "processes")}.`;
        const settling = runs.filter((run) => run.settling === true);
        const rows = runs.map(({ id, projectId, title, ...run }) => {
          const status = run.settling === true ? "ending" : run.status;
          return [id, projectId, status, oneLine(title)];
        });
        const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ""))));
        const lines = rows.map((row) => `  ${row.map((text, at) => padText(text, widths[at] ?? 0)).join("  ")}`);
        const first = `Stopped ${count(runs.length, "run")} and ${count(processes, "process", "processes")}:`;
        const more = settling.length === 0 ? [] : [`Work of ${count(settling.length, "run")} is still being saved.`];
        return [first, ...lines, ...more].join("\n");
      });
      return 0;
    },
  ),
};

/** What is open is not lost: it continues after the next start. A daemon of an earlier version does not say. */
function openLines({ open = [] }: Partial<RouteResponse<"stopDaemon">>): string[] {
  if (open.length === 0) return [];
  const shown = open.slice(0, MOST_SHOWN).map(({ projectId, text }) => {
    const where = projectId === undefined ? "" : `${projectId}: `;
    return `  ${where}${oneLine(text)}`;
  });
  const left = open.length - shown.length;
  return ["Still open; it continues after the next start:", ...shown, ...(left > 0 ? [`  and ${left} more`] : [])];
}

/** Resolves with the address of the daemon that took the place of the earlier one. */
async function untilBack(earlier: string | undefined, { host, output, workspace }: Context): Promise<string> {
  for (let waited = 0; waited < RESTART_MS; waited += STEP_MS) {
    const note = readDaemonNote(workspace);
    const isBack = note !== undefined && note.startedAt !== earlier && !note.isStopping && isAlive(note.pid);
    if (isBack && note.url !== undefined) return note.url.origin;
    if (waited === SILENT_MS && !output.json) output.note("Restarting. Waiting for requests and commands to finish…");
    await host.time.pause(STEP_MS);
  }
  throw new HallError("daemon_unreachable", `The daemon did not come back within ${RESTART_MS / 1000} seconds.`, {
    hint: hint("doctor"),
  });
}

async function untilGone(pid: number, { host, output }: Context): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += STEP_MS) {
    if (waited >= PATIENCE_MS) throw stillThere(pid);
    if (waited === SILENT_MS && !output.json)
      output.note("Stopping. Waiting up to 5 seconds for requests and commands to finish…");
    await host.time.pause(STEP_MS);
  }
}

function stillThere(pid: number): HallError {
  const message = `The daemon (process ${pid}) is still stopping after ${PATIENCE_MS / 1000} seconds.`;
  return new HallError("stopping", message, { hint: `'kill ${pid}' stops it immediately. Files stay intact.` });
}
