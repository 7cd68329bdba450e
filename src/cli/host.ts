import type { CheckRequest } from "../contract/check-request.ts";
import type { GateReport } from "../contract/documents/quality/gate.ts";
import type { FirstLook, FirstSettings } from "../contract/first-look.ts";
import type { KeyAnswer, KeyUpdate, ModelsReport, ProviderTest } from "../contract/routes/model-routes.ts";
import type { RouteResponse } from "../contract/routes/routes.ts";
import type { HealthCheck } from "../contract/routes/settings-routes.ts";
import type { BegunProject, ProjectBeginning } from "../contract/routes/welcome-routes.ts";

/** A stream of the process, as far as a command needs it. */
export interface Sink {
  write: (text: string) => void;
  isTerminal: boolean;
  /** As wide as it is at the moment: a person may resize it. */
  readonly columns: number | undefined;
  readonly rows?: number | undefined;
}

export interface LogEntry {
  level: "info" | "warn" | "error";
  message: string;
  [key: string]: unknown;
}

/** The daemon's doors that a command opens by itself; everything else goes over HTTP. */
export interface DaemonModule {
  startDaemon: (options: {
    workspace: string;
    port?: number;
    /** How the program is called, for whoever is told what to type. */
    calledAs: string;
    /** Another one is started when this one stops for a restart. */
    restartable?: boolean;
    log: (entry: LogEntry) => void;
  }) => Promise<RunningDaemon>;
  /** What the doctor can see without a daemon; `named` is the workspace as commands name it. Creates nothing. */
  examineAtRest: (options: {
    workspace: string;
    named?: string | undefined;
    env: NodeJS.ProcessEnv;
  }) => Promise<HealthCheck[]>;
  /** Judges a change in the folder of a repository, without a model. Keeps no report. */
  checkAtRest: (request: CheckRequest) => Promise<GateReport>;
  detectAtRest: (options: { workspace: string; folder: string }) => Promise<RouteResponse<"detectChecks">>;
  initWorkspace: (options: {
    workspace: string;
    settings?: FirstSettings;
  }) => Promise<{ created: boolean; path: string }>;
  /** Creates nothing. */
  lookFirst: (options: { workspace: string; folder: string; env: NodeJS.ProcessEnv }) => Promise<FirstLook>;
  /** Sets, tests or removes keys while the daemon is down. */
  keysAtRest: <Result>(
    options: { workspace: string; env: NodeJS.ProcessEnv },
    work: (keys: KeysAtRest) => Promise<Result>,
  ) => Promise<Result>;
  /** Makes a project while the daemon is down. */
  beginAtRest: (options: { workspace: string; body: ProjectBeginning }) => Promise<BegunProject>;
}

export interface RunningDaemon {
  url: string;
  /** A new link that signs one browser in. */
  dashboardLink: () => string;
  stop: () => Promise<void>;
  /** Resolves when it begins to stop, whoever asked for it. */
  stopping: Promise<{ commands: number }>;
  /** Settles when the daemon has stopped, whoever asked for it. */
  stopped: Promise<void>;
  /** Whether it stopped to be started again. */
  wantsRestart?: () => boolean;
}

/** What can be done with keys while no daemon runs. */
export interface KeysAtRest {
  set: (name: string, body: KeyUpdate) => Promise<Omit<KeyAnswer, "success">>;
  remove: (name: string) => Promise<{ provider: string; defaultModel: string }>;
  test: (name: string, model: string | undefined) => Promise<ProviderTest>;
  report: () => Promise<ModelsReport>;
}

/** How a build of the dashboard ended: after how long, or why it failed. */
export type DashboardBuild = { ms: number } | { problem: string };

/** A key that a person pressed; `text` is what it would type. */
export interface KeyPress {
  text?: string | undefined;
  /** `return`, `up`, `paste-start`, or the letter that was pressed with Ctrl. */
  name?: string | undefined;
  ctrl: boolean;
  meta: boolean;
}

/** What a person types, or what is piped in. */
export interface Input {
  /** Whether a person can answer a question. */
  readonly canAsk: boolean;
  ask: (question: string) => Promise<string>;
  /** All of standard input. */
  read: () => Promise<Buffer>;
  /**
   * What is piped in beside what was said on the command line. Undefined: nothing begins to come for a second, as where
   * whoever started the command keeps its standard input open.
   */
  readPiped: () => Promise<Buffer | undefined>;
  /**
   * Every key goes to the command as it is pressed, Ctrl-C too, and pasted text between `paste-start` and `paste-end`,
   * until the function it answers is called. `undefined`: the terminal is gone.
   */
  onKeys: (handler: (key: KeyPress | undefined) => void) => Promise<() => void>;
}

export interface Time {
  /** Milliseconds since 1970. */
  now: () => number;
  pause: (ms: number) => Promise<void>;
  /** Works again and again until the function it answers is called. */
  every: (ms: number, work: () => void) => () => void;
}

/** What the process around a command gives it. */
export interface Host {
  env: NodeJS.ProcessEnv;
  /** How this program is called, as a shell reads it. */
  readonly calledAs: string;
  pid: number;
  out: Sink;
  err: Sink;
  input: Input;
  time: Time;
  /**
   * Makes a service of the command: SIGINT, SIGTERM and SIGHUP go to this handler instead of ending the process, and
   * output that nobody reads any more is dropped.
   */
  onSignal: (handler: () => void) => void;
  /**
   * What Ctrl-C does instead of ending the process with 130; undefined takes that back. `signals`: others that do the same, for
   * a command that has something to clean up.
   */
  onInterrupt: (handler: (() => void) | undefined, signals?: readonly NodeJS.Signals[]) => void;
  exit: (code: number) => void;
  /**
   * Builds the dashboard of a source checkout where it is missing or older than its sources; undefined: nothing to do.
   * `ended` never rejects.
   */
  buildDashboard: () => Promise<{ ended: Promise<DashboardBuild> } | undefined>;
  openBrowser: (url: string) => Promise<void>;
  loadDaemon: () => Promise<DaemonModule>;
}
