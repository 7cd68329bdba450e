import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { type Hint, hint } from "../../contract/words/hint.ts";
import type { Host } from "../host.ts";

type Caller = Pick<Host, "env" | "calledAs">;

export interface Connection {
  pid: number;
  origin: URL;
  token: string;
}

/** What the daemon says of itself in .guildhall/lock while it runs; its address only once it listens. */
interface DaemonNote {
  pid: number;
  url: URL | undefined;
  isStopping: boolean;
  /** Differs after a restart. */
  startedAt: string | undefined;
}

/** --workspace, else GUILDHALL_WORKSPACE, else ~/.guildhall; always absolute. */
export function chooseWorkspace(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const chosen = option ?? (env.GUILDHALL_WORKSPACE || "~/.guildhall");
  if (chosen === "") throw new HallError("usage", "--workspace must be a folder.");
  return resolve(chosen.replace(/^~(?=\/|$)/, () => homedir()));
}

/** The command line that does something in a workspace, as short as it can be here: `run show run-1`. */
export function commandFor(words: string, workspace: string, caller: Caller): string {
  const named = workspaceWord(workspace, caller.env);
  return `${caller.calledAs} ${words}${named === undefined ? "" : ` --workspace ${named}`}`;
}

/** A workspace as a shell reads it; undefined where it is the usual one, which no command has to name. */
export function workspaceWord(workspace: string, env: NodeJS.ProcessEnv): string | undefined {
  if (workspace === chooseWorkspace(undefined, env)) return undefined;
  if (/^[\w./-]+$/.test(workspace)) return workspace;
  return /["$`\\!]/.test(workspace) ? `'${workspace.replaceAll("'", "'\\''")}'` : `"${workspace}"`;
}

export function startCommand(workspace: string, caller: Caller): string {
  return commandFor("up", workspace, caller);
}

/** Where nothing is yet, setting it up comes first. */
function startHint(workspace: string, { env }: Caller): Hint {
  return hint(existsSync(workspace) ? "daemon-start" : "workspace-init", { workspace: workspaceWord(workspace, env) });
}

/** Finds the daemon of a workspace; throws daemon_unreachable when none runs. */
export function findDaemon(workspace: string, caller: Caller): Connection {
  const note = readDaemonNote(workspace);
  const away = (message: string) =>
    new HallError("daemon_unreachable", message, { hint: startHint(workspace, caller) });
  if (note === undefined) throw away(`No daemon is running for ${workspace}.`);
  // The port of a daemon that died may belong to a stranger by now, who must not be sent the token.
  if (!isAlive(note.pid)) throw away(`The daemon of ${workspace} is no longer running (process ${note.pid}).`);
  if (note.isStopping) {
    throw new HallError("stopping", `The daemon of ${workspace} is stopping.`, {
      hint: "Try again in a moment, or start it again once it has stopped.",
    });
  }
  if (note.url === undefined) {
    throw new HallError("daemon_unreachable", `The daemon of ${workspace} is still starting.`, {
      hint: "Try again in a moment.",
    });
  }
  return { pid: note.pid, origin: note.url, token: readToken(workspace) };
}

/** Undefined when there is none, or none that can be understood. */
export function readDaemonNote(workspace: string): DaemonNote | undefined {
  const note = parseJson(readIfThere(join(workspace, ".guildhall", "lock")));
  if (typeof note !== "object" || note === null || !("pid" in note)) return undefined;
  const { pid } = note;
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 1) return undefined;
  const url = "url" in note && typeof note.url === "string" ? URL.parse(note.url) : null;
  const isStopping = "stopping" in note && note.stopping === true;
  const startedAt = "startedAt" in note && typeof note.startedAt === "string" ? note.startedAt : undefined;
  return { pid, url: url?.protocol === "http:" ? url : undefined, isStopping, startedAt };
}

/** Whether a process of this user runs under that number. One that has ended but was not yet collected does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === undefined || !/^\) Z /.test(stat.slice(stat.lastIndexOf(")")));
}

function readToken(workspace: string): string {
  const token = readIfThere(join(workspace, ".guildhall", "token"))?.trim();
  if (token !== undefined && token !== "") return token;
  throw new HallError("unauthorized", "Can't read the workspace token.", {
    file: ".guildhall/token",
    hint: hint("doctor"),
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
