import { type ChildProcess, fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { adoptSearches, toolSearches } from "../agent/sandbox/tool-folders.ts";
import type { FetchRules } from "../contract/documents/web.ts";
import type { Fingerprints } from "../contract/fingerprint.ts";
import { knownShape } from "../contract/known-shape.ts";
import { FromProcess, type ToProcess } from "../contract/runs/protocol.ts";
import { pathWithout } from "../store/host/host-places.ts";
import { distrustSnapshot, isSnapshotFailure, snapshotFlags } from "../store/host/start-snapshot.ts";
import { exitOf, HEAP_MB, type ProcessExit } from "./process-exit.ts";

const READY_MS = 30_000;
const SHUTDOWN_MS = 30_000;
/** How long to wait, after a process ended, for its last words. */
const LAST_WORDS_MS = 500;
/**
 * There is one for each project: it gives memory back early, and may not take more than its share. Only flags that leave the code
 * usable which Node brings compiled: others make a start a fifth slower, and are set later in the process itself.
 */
const SMALL_HEAP = [`--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=2"];
/** Of glibc: its threads share their memory. Other systems do not heed it. */
const SMALL_MALLOC = { MALLOC_ARENA_MAX: "1" };
/** Everything a process needs from the environment to run; keys are not among it. */
const ENVIRONMENT = ["HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TERM", "NODE_COMPILE_CACHE"];

export interface ProcessOptions {
  entry: string;
  projectPath: string;
  workdir: string;
  toolSlots: number;
  web: FetchRules;
  envFiles?: string[];
  fingerprints?: Fingerprints;
  /** Where agents of any project can write: it takes no program from there. */
  agentFolders?: string[];
  /** How long it may take until it can take work. */
  readyMs?: number;
  onMessage: (message: FromProcess) => void;
  /** Called once. */
  onExit: (exit: ProcessExit) => void;
}

/** The process in which a project's agents work. It holds no keys and asks the daemon for everything that needs one. */
export class ProjectProcess {
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #onExit: (exit: ProcessExit) => void;
  /** Its program, as long as it is not known whether it can start from the snapshot. */
  #snapshotOf: string | undefined;
  #state: "running" | "stopping" | "ended" = "running";
  #stopped: Promise<void> | undefined;
  #killedBecause: string | undefined;
  #errors = "";
  #heardAt = performance.now();

  constructor({ readyMs = READY_MS, onMessage, onExit, ...options }: ProcessOptions) {
    const { entry, projectPath, workdir, toolSlots, web, envFiles = [] } = options;
    const { fingerprints = { salt: "", values: [] } } = options;
    this.#onExit = onExit;
    const flags = snapshotFlags(entry);
    this.#snapshotOf = flags.length === 0 ? undefined : entry;
    this.#child = fork(entry, [projectPath], {
      cwd: projectPath,
      env: environment(options.agentFolders),
      execArgv: [...SMALL_HEAP, "--disable-warning=ExperimentalWarning", ...flags],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#ready.promise.catch(() => undefined);
    const late = setTimeout(() => {
      if (this.#snapshotOf !== undefined) distrustSnapshot(this.#snapshotOf);
      this.kill(`it was not ready within ${readyMs / 1_000} seconds`);
    }, readyMs);
    this.#child.on("message", (said: unknown) => {
      this.#heardAt = performance.now();
      for (const each of Array.isArray(said) ? said : [said]) {
        const message = knownShape(FromProcess, each);
        if (message === undefined) {
          if (isOurs(each)) this.kill(`it sent an invalid message (${each.type})`);
          continue;
        }
        if (message.type === "ready") {
          clearTimeout(late);
          this.#snapshotOf = undefined;
          this.#ready.resolve();
        }
        if (message.type === "searched") adoptSearches(message.searches);
        this.#hand(message, onMessage);
      }
    });
    this.#listenForItsEnd(late);
    const searches = toolSearches();
    this.send({ type: "init", projectPath, workdir, toolSlots, web, envFiles, fingerprints, searches });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Milliseconds since it last said anything. */
  get silentFor(): number {
    return performance.now() - this.#heardAt;
  }

  /** From now on its silence counts anew: it had nothing to say before. */
  expectWord(): void {
    this.#heardAt = performance.now();
  }

  /** Resolves when it can take work; rejects when it ends before. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  send(message: ToProcess): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Asks it to finish what it does and end; kills it when it does not within the time. Idempotent. */
  stop(withinMs = SHUTDOWN_MS): Promise<void> {
    this.#stopped ??= this.#stop(withinMs);
    return this.#stopped;
  }

  kill(because: string): void {
    this.#killedBecause ??= because;
    this.#child.kill("SIGKILL");
  }

  /** Whatever a process says must not bring down those who listen. */
  #hand(message: FromProcess, onMessage: (message: FromProcess) => void): void {
    try {
      onMessage(message);
    } catch {
      this.kill(`it sent an unexpected message (${message.type})`);
    }
  }

  async #stop(withinMs: number): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "stopping";
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), withinMs);
    this.send({ type: "shutdown" });
    await this.#ended.promise;
    clearTimeout(timer);
  }

  #listenForItsEnd(late: NodeJS.Timeout): void {
    this.#child.stderr?.on("data", (chunk) => {
      this.#errors = `${this.#errors}${String(chunk)}`.slice(-8_000);
    });
    let how = "it could not be started";
    const end = () => {
      if (this.#state === "ended") return;
      const killed = this.#killedBecause;
      const why = killed === undefined ? exitOf(how, this.#errors) : { kind: "crashed" as const, cause: killed };
      const exit = { ...why, expected: this.#state === "stopping" };
      this.#state = "ended";
      clearTimeout(late);
      this.#ready.reject(new Error(`The project's process ended: ${exit.cause}.`));
      this.#ended.resolve();
      this.#onExit(exit);
    };
    this.#child.once("error", (error) => {
      this.#errors ||= error.message;
      if (this.#child.pid === undefined) end();
    });
    this.#child.once("exit", (code, signal) => {
      how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      if (this.#snapshotOf !== undefined && isSnapshotFailure(code, signal)) distrustSnapshot(this.#snapshotOf);
      setTimeout(end, LAST_WORDS_MS);
    });
    this.#child.once("close", end);
  }
}

function environment(agentFolders: readonly string[] = []): Record<string, string> {
  const kept = ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const cache = getCompileCacheDir();
  const path = pathWithout(agentFolders);
  return {
    ...Object.fromEntries(kept),
    ...SMALL_MALLOC,
    PATH: path,
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

const TYPES: ReadonlySet<unknown> = new Set(FromProcess.options.map(({ shape }) => shape.type.value));

/** Whether a message means to be one of ours; what libraries send over the same channel is ignored. */
function isOurs(message: unknown): message is Pick<FromProcess, "type"> {
  return typeof message === "object" && message !== null && "type" in message && TYPES.has(message.type);
}
