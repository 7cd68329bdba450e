import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { type SandboxProbe, sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import type { GateEngine } from "../../src/quality/loop/gate-engine.ts";
import type { Gatekeeper } from "../../src/runs/results/gatekeeper.ts";
import type { Answer, AnswerTo } from "./answer.ts";
import { BUILT_PROJECT, builtDaemon } from "./built-program.ts";
import { assertDescribed } from "./described.ts";
import { NOBODY, withoutModels } from "./guildhall.ts";
import { type Cleaner, temporaryFolder } from "./temporary-folder.ts";

export type { Answer };
export { temporaryFolder };

export type Call = <const Method extends string, const Path extends string>(
  method: Method,
  path: Path,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<AnswerTo<Method, Path>>;

export interface Hall {
  url: string;
  workspace: string;
  token: string;
  /** Calls the API with the token; a body is sent as JSON. */
  call: Call;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");

export interface HallSetup {
  /** Written as config.yml before the start; YAML, or an object. */
  config?: string | object;
  /** Where the daemon looks for keys and switches; unless given, no model is within reach but the offline one. */
  env?: Record<string, string>;
  /** The folder of the built dashboard. */
  web?: string;
  /** Where the person stands who starts it. */
  folder?: string;
  /** It takes the port that it takes unless told, instead of a free one. */
  usualPort?: true;
  /** What judges results before they count. */
  gates?: Gatekeeper;
  /** What judges trees for the review loop. */
  engine?: GateEngine;
  /** How long a model call may wait before its run is parked. */
  parkAfterMs?: number;
  /** How often old branches are looked for. */
  archiveEveryMs?: number;
  /** Instead of the machine's. */
  clock?: () => Date;
  /** Programs with tokens of their own, by name. */
  clients?: Record<string, string>;
  /** Whoever started it would start it again; here, nobody does. */
  restartable?: true;
  /** Hears what the daemon logs. */
  log?: (entry: object) => void;
  /** When it is stopped; after the test unless told. */
  later?: Cleaner;
}

/** The whole daemon, in this process, on a workspace of its own (or one given) and a free port. Stopped after the test. */
export async function startHall(
  given?: string,
  {
    config,
    env,
    folder,
    web,
    usualPort,
    gates,
    engine,
    parkAfterMs,
    archiveEveryMs,
    clock,
    clients,
    restartable,
    log = () => undefined,
    later = onTestFinished,
  }: HallSetup = {},
): Promise<Hall> {
  const workspace = given ?? join(temporaryFolder(later), "workspace");
  if (config !== undefined) {
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, "config.yml"), typeof config === "string" ? config : JSON.stringify(config));
  }
  const own = { port: usualPort ? undefined : 0, env: env ?? { OLLAMA_HOST: NOBODY }, sandbox: sandboxHere() };
  const { startDaemon } = await builtDaemon();
  const daemon = await startDaemon({
    workspace,
    ...own,
    entry: BUILT_PROJECT,
    gates,
    engine,
    parkAfterMs,
    archiveEveryMs,
    clock,
    clients,
    restartable,
    folder,
    web,
    log,
  });
  later(() => daemon.stop());
  return client({ url: daemon.url, workspace, stop: () => daemon.stop() });
}

const probes = new Map<string, SandboxProbe>();

/** Trying one takes processes, and comes out the same for every hall of a test file that finds the same programs. */
function sandboxHere(path = process.env.PATH ?? ""): SandboxProbe {
  const probe = probes.get(path) ?? sandboxProbe();
  probes.set(path, probe);
  return probe;
}

export interface DaemonProcess extends Hall {
  pid: number;
  /** Ends it without warning and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** A daemon that was started, whether it comes up or not. */
export interface Launch {
  pid: number;
  /** Rejects with what it said when it ends before it is up. */
  ready: Promise<DaemonProcess>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** What it has written to its standard error so far. */
  errors(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the daemon as people do, as a process of its own from the launcher, and does not wait for it. */
export function launchHall(
  workspace = join(temporaryFolder(), "workspace"),
  args: string[] = [],
  later: Cleaner = onTestFinished,
): Launch {
  const words = ["up", "--workspace", workspace, "--port", "0", "--no-open", "--no-build", ...args];
  const env = withoutModels(process.env);
  const child = spawn(join(root, "bin/guildhall"), words, { env, stdio: ["ignore", "pipe", "pipe"] });
  later(() => end(child, "SIGKILL"));
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  const kill = (signal: NodeJS.Signals = "SIGKILL") => end(child, signal);
  const pid = child.pid as number;
  const ready = firstUrl(child, () => errors).then((url) => ({
    ...client({ url, workspace, stop: () => end(child, "SIGTERM") }),
    pid,
    kill,
  }));
  // Whoever waits for it hears of a failure; a launch that nobody waits for may fail in silence.
  ready.catch(() => undefined);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("close", (code, signal) => resolve(signal ?? code));
  });
  return { pid, ready, ended, errors: () => errors, kill };
}

/** The daemon as people run it: a process of its own, from the launcher. */
export async function spawnHall(workspace?: string, args?: string[]): Promise<DaemonProcess> {
  return launchHall(workspace, args).ready;
}

export function client(at: { url: string; workspace: string; stop: () => Promise<void> }): Hall {
  const token = readFileSync(join(at.workspace, ".guildhall/token"), "utf8").trim();
  return {
    ...at,
    token,
    call: async <const Method extends string, const Path extends string>(
      method: Method,
      path: Path,
      body?: unknown,
      headers?: Record<string, string>,
    ) =>
      (await call({ ...at, token }, { method, path, body: merging(method, path, body), headers })) as AnswerTo<
        Method,
        Path
      >,
  };
}

const PROJECT_PATH = /^\/api\/projects(\/[^/]+)?$/;

/**
 * Projects of tests merge results automatically unless the test names `requireReview`, be it as undefined, which leaves it to
 * the product's default.
 */
function merging(method: string, path: string, body: unknown): unknown {
  if (!(method === "POST" || method === "PUT") || !PROJECT_PATH.test(path)) return body;
  const given = body as { workdir?: unknown; config?: { constraints?: object } } | undefined;
  if (typeof given?.workdir !== "string") return body;
  const { constraints } = given.config ?? {};
  return { ...given, config: { ...given.config, constraints: { requireReview: false, ...constraints } } };
}

async function call(
  hall: { url: string; token: string },
  request: { method: string; path: string; body?: unknown; headers?: Record<string, string> | undefined },
): Promise<Answer> {
  const response = await fetch(hall.url + request.path, {
    method: request.method,
    headers: {
      authorization: `Bearer ${hall.token}`,
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const text = await response.text();
  const { status, headers } = response;
  const body = text.startsWith("{") ? JSON.parse(text) : text;
  assertDescribed({ method: request.method, path: request.path, status, headers, body });
  return { status, headers, body };
}

function firstUrl(child: ChildProcess, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("close", (code) => reject(new Error(`the daemon ended with ${code}: ${errors()}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const url = /^Guildhall is up at (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

const LONGEST_PAUSE_MS = 80;
/** A busy machine is not kept busier by asking: what an answer takes, times this, passes until the next question. */
const REST = 3;

/** Asks again until the answer is as wanted, more rarely as time passes, and fails with the last one after a time that no machine needs. */
export async function eventually<Result>(
  ask: () => Promise<Result> | Result,
  isWanted: (result: Result) => boolean,
  withinMs = 20_000,
): Promise<Result> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const asked = performance.now();
    const result = await ask();
    if (isWanted(result)) return result;
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${JSON.stringify(result)}`);
    const restMs = Math.min(REST * (performance.now() - asked), 5 * LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, restMs)));
  }
}

/** Resolves when what a new project's folder holds is recorded, which comes after the answer that made the project. */
export async function untilRecorded({ workspace }: Hall, projectId: string): Promise<void> {
  await eventually(() => existsSync(join(workspace, `skills/.accepted/${projectId}.json`)), Boolean);
}
