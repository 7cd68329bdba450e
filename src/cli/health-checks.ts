import { accessSync, constants, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { HallError } from "../contract/errors.ts";
import type { Status } from "../contract/hall-routes.ts";
import type { ModelsReport } from "../contract/model-routes.ts";
import type { Problem } from "../contract/problem.ts";
import { count, localTime } from "./text-card.ts";

/** `unknown`: it could not be looked at now, which is nothing bad by itself. */
export interface Check {
  name: string;
  state: "ok" | "warning" | "failed" | "unknown";
  detail: string;
  hint?: string;
}

/** What the doctor heard from the daemon. */
export type DaemonReport =
  | { state: "up"; status: Status; problems: Problem[]; models: ModelsReport }
  | { state: "away"; reason: string }
  | { state: "refusing"; reason: string; hint: string };

interface Examined {
  workspace: string;
  /** Throws when config.yml would stop a start. */
  checkConfig: () => void;
  /** The command that starts the daemon, and creates the workspace with it. */
  start: string;
}

/** What can be seen without the daemon. */
export function localChecks({ workspace, checkConfig, start }: Examined): Check[] {
  const folder = statOf(workspace);
  if (folder === undefined) {
    const hint = `Create it and start the daemon with: ${start}`;
    return [
      nodeCheck(process.versions.node),
      { name: "workspace", state: "failed", detail: `there is none at ${workspace}`, hint },
    ];
  }
  return [
    nodeCheck(process.versions.node),
    workspaceCheck(workspace, folder),
    privacyCheck(workspace, ".guildhall", 0o700),
    privacyCheck(workspace, ".guildhall/token", 0o600),
    configCheck(workspace, checkConfig),
  ];
}

export function nodeCheck(version: string): Check {
  const enough = Number.parseInt(version, 10) >= 24;
  return enough
    ? { name: "node", state: "ok", detail: version }
    : {
        name: "node",
        state: "failed",
        detail: `${version} is too old`,
        hint: "Install Node.js 24 or newer, or run 'npm ci' again.",
      };
}

function workspaceCheck(workspace: string, folder: Stats): Check {
  if (!folder.isDirectory()) return { name: "workspace", state: "failed", detail: `${workspace} is not a folder` };
  try {
    accessSync(workspace, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name: "workspace", state: "ok", detail: workspace };
  } catch {
    const hint = "Give yourself the right to read and write it.";
    return { name: "workspace", state: "failed", detail: `${workspace} cannot be read and written`, hint };
  }
}

/** Other users of the machine must not read what holds the token. */
function privacyCheck(workspace: string, path: string, mode: number): Check {
  const name = path === ".guildhall" ? "secrets" : "token";
  const stats = statOf(join(workspace, path));
  if (stats === undefined) {
    return { name, state: "warning", detail: `${path} is not there`, hint: "'guildhall up' creates it." };
  }
  const actual = stats.mode & 0o777;
  const shown = actual.toString(8).padStart(4, "0");
  if (process.platform === "win32" || (actual & 0o077) === 0)
    return { name, state: "ok", detail: `${path} has mode ${shown}` };
  const hint = `chmod ${mode.toString(8)} '${join(workspace, path)}'`;
  return { name, state: "failed", detail: `${path} has mode ${shown}: others can reach it`, hint };
}

function configCheck(workspace: string, checkConfig: () => void): Check {
  if (statOf(join(workspace, "config.yml")) === undefined) {
    return { name: "config", state: "ok", detail: "there is no config.yml; every setting has its default" };
  }
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(join(workspace, "config.yml")));
    checkConfig();
    return { name: "config", state: "ok", detail: "config.yml is valid" };
  } catch (error) {
    if (error instanceof HallError) return { name: "config", state: "failed", detail: placed(error), hint: error.hint };
    const hint = "It must be a readable file of UTF-8 text.";
    return { name: "config", state: "failed", detail: "config.yml cannot be read", hint };
  }
}

function placed({ message, file, line }: HallError): string {
  return file === undefined ? message : `${message} (${line === undefined ? file : `${file}:${line}`})`;
}

/** What the daemon says of itself. */
export function daemonChecks(report: DaemonReport, start: string): Check[] {
  if (report.state === "refusing")
    return [{ name: "daemon", state: "failed", detail: report.reason, hint: report.hint }];
  if (report.state === "away") {
    const hint = `To have the files checked as well, start it with: ${start}`;
    return [{ name: "daemon", state: "unknown", detail: report.reason, hint }];
  }
  const { url, version, index, containment, sandbox } = report.status;
  const built = index.rebuiltAt === undefined ? "" : `, built ${localTime(index.rebuiltAt)}`;
  const weak = "paths are checked before they are opened, which another program could race";
  return [
    { name: "daemon", state: "ok", detail: `${version} at ${url}` },
    { name: "index", state: "ok", detail: `schema ${index.schema}${built}` },
    containment === "descriptor"
      ? { name: "containment", state: "ok", detail: "files are opened through their folder" }
      : { name: "containment", state: "warning", detail: weak },
    sandboxCheck(sandbox),
    filesCheck(report.problems.filter(({ kind }) => kind !== "run")),
    ...runChecks(report.problems),
  ];
}

function sandboxCheck({ name, detail }: Status["sandbox"]): Check {
  if (name !== "none") return { name: "sandbox", state: "ok", detail };
  const hint = "Install bubblewrap, or accept commands without a sandbox with sandbox.unsandboxed in a project.";
  return {
    name: "sandbox",
    state: "warning",
    detail: `${detail}; agents run no commands, but in projects that set sandbox.unsandboxed`,
    hint,
  };
}

/** Runs that stand still, which no file is to blame for. */
function runChecks(problems: readonly Problem[]): Check[] {
  return problems.flatMap(({ kind, reason }) =>
    kind === "run" ? [{ name: "runs", state: "warning", detail: reason } satisfies Check] : [],
  );
}

function filesCheck(problems: readonly Problem[]): Check {
  const invalid = problems.filter(({ severity }) => severity === "invalid").length;
  const warnings = problems.length - invalid;
  if (problems.length === 0) return { name: "files", state: "ok", detail: "every file can be read" };
  if (invalid === 0) return { name: "files", state: "warning", detail: count(warnings, "warning") };
  const hint = "Mend the files named below; they are read again as soon as they are saved.";
  return { name: "files", state: "failed", detail: `${count(invalid, "file")} cannot be understood`, hint };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
