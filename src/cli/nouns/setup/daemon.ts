import { HallError } from "../../../contract/errors.ts";
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

export const commands = {
  open: command(
    {
      summary: "open the dashboard in a browser, signed in",
      detail:
        "Prints a link that works once, within ten minutes, and stays good for 30 days in the browser that it was opened in. " +
        "On a terminal the browser is opened with it.",
      options: { print: { kind: "flag", help: "only print the link" } },
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
      summary: "stop the daemon",
      detail: "Returns when its process is gone, at the latest after 15 seconds.",
      examples: ["down"],
    },
    async (_, context) => {
      const { host, call, output, workspace } = context;
      const note = readDaemonNote(workspace);
      if (note?.isStopping && isAlive(note.pid)) {
        await untilGone(note.pid, context);
        output.answer({ success: true }, () => "Guildhall is down.");
        return 0;
      }
      const { pid } = findDaemon(workspace, host);
      const answer = await call("stopDaemon", {});
      await untilGone(pid, context);
      output.answer(answer, () => "Guildhall is down.");
      return 0;
    },
  ),

  restart: command(
    {
      summary: "restart the daemon with the options it was started with",
      detail:
        "Stops it as 'down' does: requests and commands under way may finish, and runs continue after the restart. " +
        "It keeps its process, terminal and port. To run a newly installed version, use 'down' and 'up' instead.",
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
      summary: "end every run and its processes at once",
      detail:
        "Runs are cancelled for good, within two seconds, also those that do not answer; their tasks are pending again. " +
        "The daemon stays up, and what is spawned afterwards is carried out.",
      options: {
        all: { kind: "flag", help: "of all projects" },
        project: onlyProject,
      },
      examples: ["stop --all", "stop -p shop --json"],
    },
    async ({ all, project }, { call, output }) => {
      if ((all === true) === (project !== undefined))
        throw new HallError("usage", "What is to be stopped?", { hint: "Give --all, or a project with -p." });
      const answer = await call("stopRuns", { query: { project } });
      output.answer(answer, () => {
        const { runs, processes } = answer;
        if (runs.length === 0) return `No run was at work; ${count(processes, "process", "processes")} ended.`;
        const settling = runs.filter((run) => run.settling === true);
        const rows = runs.map(({ id, projectId, title, ...run }) => {
          const status = run.settling === true ? "ending" : run.status;
          return [id, projectId, status, oneLine(title)];
        });
        const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ""))));
        const lines = rows.map((row) => `  ${row.map((text, at) => padText(text, widths[at] ?? 0)).join("  ")}`);
        const first = `Ended ${count(runs.length, "run")} and ${count(processes, "process", "processes")}:`;
        const more =
          settling.length === 0 ? [] : [`What ${count(settling.length, "run")} had done is still being saved.`];
        return [first, ...lines, ...more].join("\n");
      });
      return 0;
    },
  ),
};

/** Resolves with the address of the daemon that took the place of the earlier one. */
async function untilBack(earlier: string | undefined, { host, output, workspace }: Context): Promise<string> {
  for (let waited = 0; waited < RESTART_MS; waited += STEP_MS) {
    const note = readDaemonNote(workspace);
    const isBack = note !== undefined && note.startedAt !== earlier && !note.isStopping && isAlive(note.pid);
    if (isBack && note.url !== undefined) return note.url.origin;
    if (waited === SILENT_MS && !output.json)
      output.note("Restarting: requests and commands under way may finish first.");
    await host.time.pause(STEP_MS);
  }
  throw new HallError("daemon_unreachable", `The daemon was not back after ${RESTART_MS / 1000} seconds.`, {
    hint: hint("doctor"),
  });
}

async function untilGone(pid: number, { host, output }: Context): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += STEP_MS) {
    if (waited >= PATIENCE_MS) throw stillThere(pid);
    if (waited === SILENT_MS && !output.json)
      output.note("Stopping: requests and commands under way may finish within 5 seconds.");
    await host.time.pause(STEP_MS);
  }
}

function stillThere(pid: number): HallError {
  const message = `The daemon (process ${pid}) is still stopping after ${PATIENCE_MS / 1000} seconds.`;
  return new HallError("stopping", message, { hint: `'kill ${pid}' ends it at once; its files stay whole.` });
}
