import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { HallError } from "./contract/errors.ts";
import type { Problem } from "./contract/routes.ts";
import { openLiving } from "./projects/open-living.ts";
import { openPolicies } from "./projects/open-policies.ts";
import { telegramSecrets } from "./projects/open-telegram.ts";
import { openRuns } from "./runs/open-runs.ts";
import { startServer } from "./server/server.ts";
import { namedSecrets } from "./store/env-files.ts";
import { Files } from "./store/files.ts";
import { realPlaceOf } from "./store/folders.ts";
import { Redactor } from "./store/redaction.ts";
import { loadSecrets, withSecrets } from "./store/secrets.ts";
import { loadToken } from "./store/token.ts";
import { openWebFolder } from "./store/web-folder.ts";
import { WorkspaceLock } from "./store/workspace-lock.ts";
import { loadConfig } from "./workspace/config-file.ts";
import { STATE_FOLDER } from "./workspace/layout.ts";
import { openHall } from "./workspace/open-hall.ts";
import { buildWorkspace } from "./workspace/workspace-scaffold.ts";

export interface DaemonOptions {
  workspace: string;
  /** Overrides config.yml; 0 takes any free port. */
  port?: number | undefined;
  /** The folder of the built dashboard; the program's own unless given. */
  web?: string | undefined;
  /** Where keys and switches are looked for; the process's own environment unless given. */
  env?: Record<string, string | undefined> | undefined;
  log: (entry: { level: "info" | "warn" | "error"; message: string; [key: string]: unknown }) => void;
}

export interface Daemon {
  url: string;
  /** A new link that signs one browser in. */
  dashboardLink(): string;
  stop(): Promise<void>;
  /** Resolves when it begins to stop, whoever asked for it, with how many commands of agents are under way. */
  stopping: Promise<{ commands: number }>;
  /** Resolves when the daemon has stopped, whoever asked for it. */
  stopped: Promise<void>;
}

const clock = () => new Date();
/** What the person's own files are made with. */
const theirUmask = process.umask();
/** Shorter values are words that a text may well have for other reasons. */
const SHORTEST_OWN = 8;

/** Wires the floors together, in start order; stop takes them down in reverse. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  // Nothing the daemon writes is for other users of the machine, whatever their shell's default says.
  process.umask(0o077);
  const files = openWorkspace(options.workspace);
  const state = join(files.root, STATE_FOLDER);
  await files.ensureFolder(STATE_FOLDER);
  chmodSync(state, 0o700);
  const config = loadConfig(files);
  const holder = { pid: process.pid, startedAt: clock().toISOString(), version: packageJson.version };
  const lock = WorkspaceLock.take(state, holder);
  try {
    const { token, warning } = loadToken(join(state, "token"));
    const secrets = loadSecrets(join(state, "secrets"));
    const keys = withSecrets(options.env ?? process.env, secrets.values);
    const known = [
      { name: "token", value: token },
      ...Object.entries(secrets.values).map(([name, value]) => ({ name, value })),
      ...namedSecrets(options.env ?? process.env),
      ...telegramSecrets(config, keys),
    ].filter(({ value }) => value.length >= SHORTEST_OWN);
    const redactor = new Redactor(known);
    const log: DaemonOptions["log"] = (entry) => options.log(redactor.deep(entry));
    const warnings = [...warningAbout("token", warning), ...warningAbout("secrets", secrets.warning)];
    const open = await openHall({ workspace: files.root, clock, version: packageJson.version, warnings, redactor });
    const onTrouble = (message: string, error: unknown) => log({ level: "warn", message, error: String(error) });
    const living = openLiving({ core: open.core, hall: open.hall, config, keys, redactor, onTrouble });
    const runs = await openRuns({
      residents: living.residents,
      core: open.core,
      hall: open.hall,
      config,
      keys,
      secrets: known,
      entry: join(import.meta.dirname, "project.ts"),
      umask: theirUmask,
      log,
    });
    living.connect(runs);
    let requestStop: () => void = () => undefined;
    const server = await startServer({
      hall: open.hall,
      runs: runs.desk,
      talk: living.talk,
      host: config.server.host,
      port: options.port ?? config.server.port,
      token,
      version: packageJson.version,
      workspace: files.root,
      startedAt: new Date(holder.startedAt),
      clock,
      web: openWebFolder(options.web ?? join(import.meta.dirname, "../web/dist")),
      requestStop: () => requestStop(),
      log,
    }).catch(async (error) => {
      await living.close();
      await runs.close();
      await open.close();
      throw portRefused(error) ?? error;
    });
    const policies = openPolicies({
      core: open.core,
      hall: open.hall,
      config: config.projects,
      voice: living.voice,
      onTrouble,
    });
    lock.tell({ ...holder, url: server.url });
    let done: Promise<void> | undefined;
    const { promise: stopped, resolve: finished } = Promise.withResolvers<void>();
    const { promise: stopping, resolve: begun } = Promise.withResolvers<{ commands: number }>();
    const stop = () => {
      done ??= (async () => {
        begun({ commands: runs.commandsUnderWay() });
        lock.tryTell({ ...holder, url: server.url, stopping: true });
        runs.stopWaiting();
        living.stopWaiting();
        await policies.close();
        await Promise.all([server.close(), living.close(), runs.leave()]);
        await living.settle();
        await runs.close();
        await open.close();
        lock.release();
        finished();
      })();
      return done;
    };
    requestStop = () => void stop();
    return { url: server.url, dashboardLink: server.dashboardLink, stop, stopping, stopped };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const PORT_FAULTS: Record<string, string> = {
  EADDRINUSE: "is in use by another program",
  EACCES: "may not be used by this user",
  EADDRNOTAVAIL: "cannot be had at this address",
};

function portRefused(error: unknown): HallError | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  const fault = PORT_FAULTS[String(error.code)];
  return fault === undefined ? undefined : new HallError("port_taken", `The port ${fault} (${error.message}).`);
}

function warningAbout(name: string, reason: string | undefined): Problem[] {
  return reason === undefined
    ? []
    : [{ file: `${STATE_FOLDER}/${name}`, kind: "permissions", severity: "warning", reason }];
}

/** Throws config_invalid, with its place, when config.yml would stop a start. Creates nothing. */
export function checkConfig(options: { workspace: string }): void {
  if (existsSync(options.workspace)) loadConfig(new Files(options.workspace));
}

export async function initWorkspace(options: { workspace: string }): Promise<{ created: boolean; path: string }> {
  const files = openWorkspace(options.workspace);
  await files.ensureFolder(STATE_FOLDER);
  loadToken(join(files.root, STATE_FOLDER, "token"));
  return { created: (await buildWorkspace(files)).isNew, path: files.root };
}

/** A workspace is a folder of its own: not the root, not the home folder, and not one that holds other things. */
function openWorkspace(path: string): Files {
  const folder = realPlaceOf(resolve(path));
  const refuse = (reason: string) => new HallError("workspace_refused", `'${path}' cannot be a workspace: ${reason}.`);
  if (folder === "/" || folder === realPlaceOf(homedir()))
    throw refuse("it is the root or the home folder; name a folder inside");
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw refuse("it is a file");
  const isWorkspace = ["ROLES.json", "config.yml", STATE_FOLDER, "projects"].some((name) =>
    existsSync(join(folder, name)),
  );
  if (stats !== undefined && !isWorkspace && readdirSync(folder).length > 0)
    throw refuse("it holds other files; name an empty or new folder");
  try {
    return new Files(folder);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}
