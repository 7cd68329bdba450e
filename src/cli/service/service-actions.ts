import { existsSync } from "node:fs";
import { HallError } from "../../contract/errors.ts";
import { advice, type Hint, hint } from "../../contract/words/hint.ts";
import type { Context } from "../context.ts";
import { commandFor, isAlive, readDaemonNote, workspaceWord } from "../http/connection.ts";
import { fieldLines } from "../text/text-card.ts";
import { removeServiceFile, serviceFileState, writeServiceFile } from "./service-file.ts";
import { findServiceManager, launchd, type ServiceManager, type Starts, systemd } from "./service-manager.ts";
import { servicePlan } from "./service-plan.ts";

const START_PATIENCE_MS = 20_000;
const STEP_MS = 100;

/** Needs no service manager: a person may want the unit for another machine. */
export async function printService(port: number | undefined, context: Context): Promise<number> {
  const plan = servicePlan(port, context);
  const isMac = process.platform === "darwin";
  const manager = findServiceManager(plan, context.host) ?? (isMac ? launchd : systemd)(plan, context.host);
  const { kind, file, text } = manager;
  context.output.row({ manager: kind, file, text }, () => text.trimEnd());
  return 0;
}

export async function installService(port: number | undefined, context: Context): Promise<number> {
  const { output, workspace, host } = context;
  const manager = await usableManager(servicePlan(port, context), context);
  refuseForeign(manager);
  const isOwn = await manager.isRunning();
  if (!isOwn) refuseRunningDaemon(context);
  writeServiceFile(manager.file, manager.text);
  const before = isOwn ? readDaemonNote(workspace)?.pid : undefined;
  const begun = await manager.start();
  if (!begun.ok) throw notStarted(manager, begun.problem);
  const url = await startedAt(before, context);
  if (url === undefined) throw notStarted(manager, "the daemon does not respond");
  const starts = await manager.starts();
  const answer = { manager: manager.kind, file: manager.file, workspace, url, starts };
  output.answer(answer, () =>
    [
      `Guildhall is running as a service at ${url}`,
      ...fieldLines(
        [
          ["unit", manager.file],
          ["workspace", workspace],
          ["starts", startsText(starts)],
          ["dashboard", commandFor("open", workspace, host)],
          ["log", manager.logCommand],
          ["remove", commandFor("service remove", workspace, host)],
        ],
        output.paint,
      ),
    ].join("\n"),
  );
  for (const note of notes(manager.kind, starts, context)) output.note(note);
  return 0;
}

export async function removeService(context: Context): Promise<number> {
  const { output, workspace } = context;
  const manager = await usableManager(servicePlan(undefined, context), context);
  const { file } = manager;
  if (serviceFileState(file) === "missing") {
    output.answer({ removed: false, file }, () => `No service is installed for ${workspace}.`);
    return 0;
  }
  refuseForeign(manager);
  const ended = await manager.stop();
  if (!ended.ok)
    throw new HallError("service_failed", `${manager.kind} can't stop the service: ${ended.problem}`, {
      hint: `Its unit is still at ${file}. Try again, or stop the service yourself and delete the file.`,
    });
  removeServiceFile(file);
  await manager.forget();
  output.answer({ removed: true, file }, () => `Stopped the service and removed ${file}\nThe workspace is unchanged.`);
  return 0;
}

export async function showService(context: Context): Promise<number> {
  const { output, workspace } = context;
  const manager = await usableManager(servicePlan(undefined, context), context);
  const { kind, file, logCommand } = manager;
  const installed = serviceFileState(file) !== "missing";
  if (!installed) {
    output.answer({ installed, manager: kind, file, workspace, running: false }, () =>
      [
        `No service is installed for ${workspace}.`,
        `Install it with: ${commandFor("service install", workspace, context.host)}`,
      ].join("\n"),
    );
    return 0;
  }
  const [running, starts] = [await manager.isRunning(), await manager.starts()];
  const url = running ? daemonAddress(context)?.url : undefined;
  output.answer({ installed, manager: kind, file, workspace, running, starts, url }, () =>
    [
      running
        ? `The service is ${output.paint("green", "running")}.`
        : `The service is ${output.paint("yellow", "stopped")}.`,
      ...fieldLines(
        [
          ["address", url],
          ["unit", file],
          ["workspace", workspace],
          ["starts", startsText(starts)],
          ["log", logCommand],
        ],
        output.paint,
      ),
    ].join("\n"),
  );
  return 0;
}

async function usableManager(plan: ReturnType<typeof servicePlan>, { host }: Context): Promise<ServiceManager> {
  const manager = findServiceManager(plan, host);
  const trouble = manager === undefined ? "systemd and launchd are missing" : await manager.trouble();
  if (manager !== undefined && trouble === undefined) return manager;
  const what = manager === undefined ? "No service manager found" : `The ${manager.kind} user manager does not respond`;
  throw new HallError("service_failed", `${what}: ${trouble}`, { hint: otherWay(host.env) });
}

/** What helps depends on the kind of machine. */
function otherWay(env: NodeJS.ProcessEnv): Hint {
  if (env.WSL_DISTRO_NAME !== undefined)
    return advice(
      "On WSL, add 'systemd=true' under '[boot]' in /etc/wsl.conf, run 'wsl --shutdown' in Windows, and try again.",
    );
  const isContainer = existsSync("/.dockerenv") || existsSync("/run/.containerenv");
  const text = isContainer
    ? "In a container, have the container runtime start and restart this command:"
    : "Log in as this user directly instead of with su or sudo, or keep this command running with tmux or your init system:";
  return hint("service-foreground", { text });
}

function refuseForeign({ file }: ServiceManager): void {
  if (serviceFileState(file) !== "foreign") return;
  throw new HallError("already_exists", `${file} was not written by Guildhall.`, {
    hint: "Stop that service, move its file, and try again.",
  });
}

function refuseRunningDaemon(context: Context): void {
  const running = daemonAddress(context);
  if (running === undefined) return;
  const { host, workspace } = context;
  throw new HallError("workspace_busy", `A daemon is already running for this workspace (process ${running.pid}).`, {
    hint: hint("daemon-stop-first", { workspace: workspaceWord(workspace, host.env) }),
  });
}

function daemonAddress({ workspace }: Context): { pid: number; url: string | undefined } | undefined {
  const note = readDaemonNote(workspace);
  return note !== undefined && isAlive(note.pid) ? { pid: note.pid, url: note.url?.origin } : undefined;
}

/** The address of the new daemon, as soon as it listens. `before`: the process that it replaces. */
async function startedAt(before: number | undefined, context: Context): Promise<string | undefined> {
  for (let waited = 0; waited < START_PATIENCE_MS; waited += STEP_MS) {
    const now = daemonAddress(context);
    if (now?.url !== undefined && now.pid !== before) return now.url;
    await context.host.time.pause(STEP_MS);
  }
  return undefined;
}

function notStarted({ kind, logCommand, file }: ServiceManager, problem: string): HallError {
  return new HallError("service_failed", `${kind} can't start the service: ${problem}`, {
    hint: hint("service-log", { text: logCommand, path: file }),
  });
}

function startsText(starts: Starts): string {
  return { boot: "at boot", login: "when you log in", never: "manually" }[starts];
}

function notes(kind: ServiceManager["kind"], starts: Starts, { host, output }: Context): string[] {
  if (output.json) return [];
  const keys = Object.keys(host.env).filter((name) => name.endsWith("_API_KEY") && host.env[name] !== "");
  const user = host.env.USER || "$USER";
  return [
    ...(starts === "login" && kind === "systemd"
      ? [`To start it at boot as well: sudo loginctl enable-linger ${user}`]
      : []),
    ...(keys.length === 0
      ? []
      : [`The service can't read ${keys.join(", ")} from this shell. Save keys with: ${output.calledAs} key set`]),
  ];
}
