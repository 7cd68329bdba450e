import { chmodSync, existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { type SandboxProbe, sandboxProbe } from "./agent/sandbox/probe.ts";
import { Importer } from "./autonomy/import/importer.ts";
import { openAutonomy } from "./autonomy/open-autonomy.ts";
import type { CheckRequest } from "./contract/check-request.ts";
import type { DetectedCheck, GateReport } from "./contract/documents/quality/gate.ts";
import type { QualityGates } from "./contract/documents/quality/quality-gates.ts";
import { HallError } from "./contract/errors.ts";
import type { FirstLook, FirstSettings } from "./contract/first-look.ts";
import type { Problem } from "./contract/problem.ts";
import type { HealthCheck } from "./contract/routes/settings-routes.ts";
import type { BegunProject, ProjectBeginning } from "./contract/routes/welcome-routes.ts";
import { openPeople } from "./people/open-people.ts";
import { endLeftoverProcesses, openProcesses } from "./processes/open-processes.ts";
import { PROGRAM_FOLDER, programFile } from "./program.ts";
import { beginAtRest as begin, lookFirst as look } from "./projects/first-run.ts";
import { openLiving } from "./projects/open-living.ts";
import { openPolicies } from "./projects/open-policies.ts";
import { telegramSecrets } from "./projects/telegram/open-telegram.ts";
import { openWelcome } from "./projects/welcome.ts";
import { checkAtRest as checkGate, detectAtRest as detectChecks } from "./quality/gates/gate-at-rest.ts";
import type { GateEngine } from "./quality/loop/gate-engine.ts";
import { CHECKS_FOLDER, openQuality } from "./quality/open-quality.ts";
import { examineAtRest as examine } from "./runs/admin/examination-at-rest.ts";
import { openRuns } from "./runs/open-runs.ts";
import { type KeysAtRest, withKeysAtRest } from "./runs/record/keys-at-rest.ts";
import { openRecord } from "./runs/record/open-record.ts";
import type { Gatekeeper } from "./runs/results/gatekeeper.ts";
import type { RunsOptions } from "./runs/wire-runs.ts";
import { startServer } from "./server/server.ts";
import { Files } from "./store/files/files.ts";
import { realPlaceOf } from "./store/files/folders.ts";
import { keepPort, lastPort } from "./store/host/last-port.ts";
import { loadCertificate } from "./store/host/tls-files.ts";
import { openWebFolder } from "./store/host/web-folder.ts";
import { WorkspaceLock } from "./store/host/workspace-lock.ts";
import type { Clock } from "./store/ids.ts";
import { Devices } from "./store/secrets/devices.ts";
import { namedSecrets } from "./store/secrets/env-files.ts";
import { KeyRing } from "./store/secrets/key-ring.ts";
import { OwnSecrets } from "./store/secrets/own-secrets.ts";
import { loadSecrets, makeSecrets, withSecrets } from "./store/secrets/secrets.ts";
import { loadToken } from "./store/secrets/token.ts";
import { openTeams } from "./teams/open-teams.ts";
import { writeFirstSettings } from "./workspace/config-edit.ts";
import { keysIn, loadConfig } from "./workspace/config-file.ts";
import { QueueNotes } from "./workspace/escalations/queue-notes.ts";
import { loggedDevices } from "./workspace/events/logged-devices.ts";
import { openHall } from "./workspace/hall/open-hall.ts";
import { openWorkspace, workspaceFolder } from "./workspace/hall/workspace-place.ts";
import { buildWorkspace } from "./workspace/hall/workspace-scaffold.ts";
import { SECRETS_FILE, STATE_FOLDER } from "./workspace/layout.ts";
import { migrationText } from "./workspace/migrations/notice.ts";
import { Decisions } from "./workspace/policies/decisions.ts";
import type { IndexedRun } from "./workspace/records.ts";

export interface DaemonOptions {
  workspace: string;
  /** Overrides config.yml; 0 takes any free port. Unless one of them says, that of the last time is taken if it is free. */
  port?: number | undefined;
  /** How the program is called, for whoever is told what to type. */
  calledAs?: string | undefined;
  /** Whoever started it starts another when this one has stopped for a restart; else a restart is refused. */
  restartable?: boolean | undefined;
  /** What judges results before they count; the review loop unless given. */
  gates?: Gatekeeper | undefined;
  /** What judges trees for the review loop; the quality gates unless given. */
  engine?: GateEngine | undefined;
  /** How long a model call may wait before its run is parked; half a minute unless given. */
  parkAfterMs?: RunsOptions["parkAfterMs"];
  /** How often old branches are looked for; every six hours unless given. */
  archiveEveryMs?: RunsOptions["archiveEveryMs"];
  /** The machine's own unless given. */
  clock?: Clock | undefined;
  /** Programs with tokens of their own, by name; none unless given. */
  clients?: Readonly<Record<string, string>> | undefined;
  /** What a project's process starts with; the program's own file unless given. */
  entry?: string | undefined;
  /** The folder of the built dashboard; the program's own unless given. */
  web?: string | undefined;
  /** Where keys and switches are looked for; the process's own environment unless given. */
  env?: Record<string, string | undefined> | undefined;
  /** Where the person stands who starts it; what lies there may become a first project. */
  folder?: string | undefined;
  /** Which sandbox works here, for whoever starts several daemons and knows; found out anew unless given. */
  sandbox?: SandboxProbe;
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
  /** Whether it stops, or has stopped, to be started again. */
  wantsRestart(): boolean;
}

const machineClock: Clock = () => new Date();
/** What the person's own files are made with. */
const theirUmask = process.umask();
const PORT_KEY = "server.port";

/** Wires the floors together, in start order; stop takes them down in reverse. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  // Nothing the daemon writes is for other users of the machine, whatever their shell's default says.
  process.umask(0o077);
  const clock = options.clock ?? machineClock;
  const folder = options.folder ?? ownFolder();
  const files = openWorkspace(options.workspace);
  const state = join(files.root, STATE_FOLDER);
  await files.ensureFolder(STATE_FOLDER);
  chmodSync(state, 0o700);
  const settings = loadConfig(files);
  const holder = { pid: process.pid, startedAt: clock().toISOString(), version: packageJson.version };
  const lock = WorkspaceLock.take(state, holder);
  try {
    const tls = settings.server.tls && { ...settings.server.tls, ...loadCertificate(settings.server.tls, files.root) };
    const { sandbox = sandboxProbe() } = options;
    // In a process of its own beside this start: the first run would wait for it.
    void sandbox.settle();
    const { token, warning } = loadToken(join(state, "token"));
    makeSecrets(join(files.root, SECRETS_FILE));
    const environment = options.env ?? process.env;
    const own = new OwnSecrets([{ name: "token", value: token }]);
    const ring = new KeyRing({ files, path: SECRETS_FILE, environment, own });
    const { keys } = ring;
    own.add([...namedSecrets(environment), ...telegramSecrets(settings, keys)]);
    const log: DaemonOptions["log"] = (entry) => options.log(own.redactor().deep(entry));
    const warnings = [...warningAbout("token", warning), ...warningAbout("secrets", ring.warning)];
    const open = await openHall({
      workspace: files.root,
      clock,
      version: packageJson.version,
      warnings,
      secrets: own,
    });
    if (open.migration !== undefined) log({ level: "info", message: migrationText(open.migration) });
    // A migration may have written its version.
    const config = open.migration === undefined ? settings : loadConfig(files);
    const onTrouble = (message: string, error: unknown) => log({ level: "warn", message, error: String(error) });
    const decisions = new Decisions(open.core.files);
    const common = { core: open.core, hall: open.hall, config, keys, decisions, onTrouble };
    const notes = await endLeftoverProcesses(open.core);
    const record = await openRecord({ ...common, ring, own }).catch(async (error) => {
      await open.close();
      throw error;
    });
    open.attach(record.part);
    const processes = openProcesses({
      ...common,
      own,
      secrets: open.secrets,
      entry: options.entry ?? programFile("project", "cjs"),
      notes,
      gate: record.models.gate,
    });
    open.attach(processes.part);
    const queue = new QueueNotes(open.core);
    const runs = await openRuns({
      ...common,
      queue,
      record,
      processes,
      umask: theirUmask,
      sandbox,
      parkAfterMs: options.parkAfterMs,
      archiveEveryMs: options.archiveEveryMs,
    });
    const planOf = (run: IndexedRun) => record.book.planOf(run);
    const living = openLiving({
      ...{ ...common, models: record.models, processes, runs, planOf },
      redactor: () => own.redactor(),
    });
    open.attach(runs.part);
    open.attach(living.part);
    const people = openPeople({
      ...common,
      models: record.models,
      processes,
      runs,
      voice: living.voice,
      moments: living.moments,
      channels: living.reach,
      guardAgents: living.guardAnew,
      planOf,
      settings: record.money.settings,
      redactorOf: (id) => (id === undefined ? own.redactor() : open.secrets.of(id)),
      notes: queue,
      redactInput: (input, id) => open.secrets.of(id).json(input),
      redact: (text, id) => (id === undefined ? own.redactor() : open.secrets.of(id)).text(text),
    });
    open.attach(people.part);
    const quality = openQuality({
      ...common,
      runs,
      models: record.models,
      gate: processes.gate,
      secrets: open.secrets,
      redactorOf: (id) => (id === undefined ? own.redactor() : open.secrets.of(id)),
      planOf,
      engine: options.engine,
    });
    open.attach(quality.part);
    const teams = openTeams({ ...common, runs, quality, redactorOf: (id) => open.secrets.of(id) });
    open.attach(teams.part);
    const autonomy = openAutonomy({
      ...{ ...common, runs, teams, token, planOf, people, living },
      voice: living.voice,
      secretOf: (name) => keys[name],
      models: record.models,
      gate: processes.gate,
      ledger: record.ledger,
      led: record.money.led,
      channels: living.reach,
      processes: processes.processes,
    });
    open.attach(autonomy.part);
    runs.gates.attach(options.gates ?? quality.keeper);
    open.core.attachments.close();
    await runs.start();
    living.start();
    await people.start();
    await quality.start();
    await teams.start();
    await autonomy.start();
    const stopAsked = Promise.withResolvers<void>();
    let isRestart = false;
    const server = await startServer({
      hall: open.hall,
      runs: { ...runs.desk, stop: (projectId, change) => runs.stopAll(projectId, change, living.stopAnswers) },
      admin: runs.admin,
      talk: living.talk,
      escalations: people.desk,
      grants: people.grants,
      learning: people.learning,
      hooks: people.hooks,
      gates: quality.desk,
      integration: quality.integration,
      teams: teams.desk,
      triggers: autonomy.triggers,
      leads: autonomy.leads.api,
      imports: new Importer({
        core: open.core,
        hall: open.hall,
        roles: runs.admin.roleFiles,
        triggers: autonomy.triggers,
        ask: people.desk.ask,
        redactor: () => own.redactor(),
      }),
      webhooks: autonomy.webhooks,
      lessons: teams.lessons,
      briefings: autonomy.desk,
      orchestrator: autonomy.orchestrator,
      welcome: openWelcome({
        hall: open.hall,
        root: files.root,
        program: PROGRAM_FOLDER,
        folder,
        keys,
        models: runs.admin.models.report,
      }),
      host: config.server.host,
      tls,
      reach: config.server,
      devices: loggedDevices(new Devices(join(state, "devices.json")), common),
      port: options.port ?? config.server.port,
      preferredPort:
        options.port === undefined && !keysIn(files, [PORT_KEY]).has(PORT_KEY) ? lastPort(state) : undefined,
      token,
      clients: options.clients,
      version: packageJson.version,
      workspace: files.root,
      isUsualWorkspace: files.root === realPlaceOf(join(homedir(), ".guildhall")),
      calledAs: options.calledAs ?? packageJson.name,
      startedAt: new Date(holder.startedAt),
      clock,
      web: openWebFolder(options.web ?? join(PROGRAM_FOLDER, "web/dist")),
      openIn: people.openIn,
      requestStop: async () => {
        const open = await people.openWork().catch(() => []);
        stopAsked.resolve();
        return open;
      },
      requestRestart: () => {
        if (options.restartable !== true) throw new HallError("restart_refused", "This daemon cannot restart itself.");
        // What the next start would refuse is refused now.
        const { server: next } = loadConfig(files);
        if (next.tls !== undefined) loadCertificate(next.tls, files.root);
        isRestart = true;
        stopAsked.resolve();
      },
      log,
    }).catch(async (error) => {
      await autonomy.close();
      await teams.close();
      await quality.close();
      await people.close();
      await living.close();
      await processes.processes.close();
      await runs.close();
      await open.close();
      throw portRefused(error) ?? error;
    });
    const policies = openPolicies({
      core: open.core,
      hall: open.hall,
      config: config.projects,
      voice: living.voice,
      moments: living.moments,
      onTrouble,
    });
    people.notify(server.url);
    await autonomy.notify(server.url);
    lock.tell({ ...holder, url: server.url });
    keepPort(state, server.port);
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
        // Every run is handed back as it stands; requests that still come are answered as long as nothing is closed.
        await Promise.all([
          server.close(),
          living.close(),
          autonomy
            .close()
            .then(() => teams.close())
            .then(() => quality.close()),
          people.close(),
          processes.processes.close(),
        ]);
        await living.settle();
        await runs.close();
        await queue.close();
        await open.close();
        lock.release();
        finished();
      })();
      return done;
    };
    void stopAsked.promise.then(stop);
    const wantsRestart = () => isRestart;
    return { url: server.url, dashboardLink: server.dashboardLink, stop, stopping, stopped, wantsRestart };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A folder that is gone since is as good as none. */
function ownFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
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

/** What the doctor can see of a workspace that no daemon runs in. Creates nothing. */
export function examineAtRest(options: {
  workspace: string;
  named?: string | undefined;
  env: Record<string, string | undefined>;
}): Promise<HealthCheck[]> {
  const { workspace, named, env } = options;
  return examine({ workspace, named, clock: machineClock, begin: () => beginning(new Files(workspace), env) });
}

/** Makes the workspace where there is none, and writes what was chosen into its config.yml. */
export async function initWorkspace(options: {
  workspace: string;
  settings?: FirstSettings | undefined;
}): Promise<{ created: boolean; path: string }> {
  const files = openWorkspace(options.workspace);
  await files.ensureFolder(STATE_FOLDER);
  loadToken(join(files.root, STATE_FOLDER, "token"));
  makeSecrets(join(files.root, SECRETS_FILE));
  const { isNew, texts } = await buildWorkspace(files, packageJson.version);
  for (const { path, content } of texts) await files.replace(path, content);
  await writeFirstSettings(files, options.settings ?? {});
  return { created: isNew, path: files.root };
}

/** What a person who sets up a hall has at hand. Creates nothing; a folder that cannot be a workspace is refused. */
export async function lookFirst(options: {
  workspace: string;
  folder: string;
  env: Record<string, string | undefined>;
}): Promise<FirstLook> {
  const workspace = workspaceFolder(options.workspace);
  const files = existsSync(workspace) ? new Files(workspace) : undefined;
  const begun = beginning(files, options.env);
  return look({
    workspace,
    files,
    ...begun,
    clock: machineClock,
    program: PROGRAM_FOLDER,
    folder: options.folder,
    home: homedir(),
  });
}

/** What a daemon would begin with here. */
function beginning(files: Files | undefined, env: Record<string, string | undefined>) {
  const config = loadConfig(files ?? { exists: () => false, text: () => "" });
  const secrets = files === undefined ? {} : loadSecrets(join(files.root, SECRETS_FILE), { isLooking: true }).values;
  return { config, keys: withSecrets(env, secrets) };
}

/** Judges a change without a daemon: in any repository, by what can be checked on this machine. */
export function checkAtRest(request: CheckRequest): Promise<GateReport> {
  return checkGate({ ...request, ...gateAtRest(request.workspace) });
}

/** What a gate would run in a folder, and the settings that it would follow. */
export async function detectAtRest(options: {
  workspace: string;
  folder: string;
}): Promise<{ checks: DetectedCheck[]; settings: QualityGates }> {
  return detectChecks({ ...options, ...gateAtRest(options.workspace) });
}

/** The settings of the workspace, where there is one. */
function gateAtRest(workspace: string) {
  const files = existsSync(workspace) ? new Files(workspace) : undefined;
  const config = loadConfig(files ?? { exists: () => false, text: () => "" });
  const hasState = files?.exists(STATE_FOLDER) === true;
  return {
    ...{ settings: config.agentTeams.qualityGates, clock: machineClock, umask: theirUmask },
    ...(files !== undefined && hasState && { cache: join(files.root, CHECKS_FOLDER) }),
  };
}

/** Sets, tests or removes keys in a workspace whose daemon is down. */
export async function keysAtRest<Result>(
  options: { workspace: string; env: Record<string, string | undefined> },
  work: (keys: KeysAtRest) => Promise<Result>,
): Promise<Result> {
  process.umask(0o077);
  await initWorkspace({ workspace: options.workspace });
  const files = openWorkspace(options.workspace);
  const { version } = packageJson;
  return withKeysAtRest(
    { files, config: loadConfig(files), environment: options.env, clock: machineClock, version },
    work,
  );
}

/** Makes a project in a workspace whose daemon is down. */
export async function beginAtRest(options: { workspace: string; body: ProjectBeginning }): Promise<BegunProject> {
  process.umask(0o077);
  const files = openWorkspace(options.workspace);
  return begin({ files, home: homedir(), clock: machineClock, version: packageJson.version }, options.body);
}
