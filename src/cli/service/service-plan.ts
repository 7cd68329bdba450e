import { createHash } from "node:crypto";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { PROGRAM_FOLDER } from "../../program.ts";
import type { Context } from "../context.ts";
import { chooseWorkspace } from "../http/connection.ts";

/** How long the daemon may take to stop; longer than it ever does. */
export const STOP_SECONDS = 40;

/** The first words of every file that this program writes for a service manager. */
export const WRITTEN_BY = "Written by 'guildhall service install'";

/** What a service manager is to run. */
export interface ServicePlan {
  /** One for each workspace: `guildhall`, or `guildhall-work-1a2b3c4d` for any other than the usual one. */
  name: string;
  workspace: string;
  /** The words of the command. A shell runs the launcher: its path may hold characters that no unit file allows there. */
  command: string[];
  /** The PATH of the person who installs: agents run the programs on it. */
  path: string;
}

export function servicePlan(port: number | undefined, { workspace, host }: Context): ServicePlan {
  if (/\p{Cc}/u.test(workspace))
    throw new HallError("usage", "The workspace path contains control characters. Rename the folder.");
  const ports = port === undefined ? [] : ["--port", String(port)];
  const launcher = join(PROGRAM_FOLDER, "bin/guildhall");
  return {
    name: nameFor(workspace, workspace === chooseWorkspace(undefined, {})),
    workspace,
    command: ["/bin/sh", launcher, "up", "--no-open", "--workspace", workspace, ...ports],
    path: pathFor(host.env, process.execPath),
  };
}

function nameFor(workspace: string, isUsual: boolean): string {
  if (isUsual) return "guildhall";
  const words = basename(workspace)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const mark = createHash("sha256").update(workspace).digest("hex").slice(0, 8);
  return ["guildhall", words, mark].filter((part) => part !== "").join("-");
}

/** Without what npm adds for the time of a command, and with this Node.js, unless the launcher finds its own. */
export function pathFor(env: NodeJS.ProcessEnv, node: string): string {
  const isLasting = (folder: string) =>
    isAbsolute(folder) &&
    !/\p{Cc}/u.test(folder) &&
    !(env.npm_execpath !== undefined && folder.includes("/node_modules/"));
  const folders = (env.PATH ?? "").split(delimiter).filter(isLasting);
  const own = node.includes("/node_modules/") ? [] : [dirname(node)];
  return [...new Set([...folders, ...own])].join(delimiter);
}
