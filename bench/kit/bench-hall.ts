import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Client } from "./client.ts";
import { type Daemon, startDaemon } from "./daemon.ts";
import { childrenOf, pssOf, ticksOf } from "./process-figures.ts";
import type { Workspaces } from "./workspaces.ts";

const PROJECT_FILE = "line of a file that agents read\n".repeat(3);
const READING = ["list", "read", "search", "report"];
/** How often memory is looked at. */
const LOOK_MS = 50;
const TICK_MS = 10;
let tags = 0;

/** `coder` may write and run commands, the others may not. `claude-reader` asks over Anthropic's wire, the others over OpenAI's. */
export type BenchRole = "coder" | "reader" | "claude-reader";

const KEY_NAME = "GUILDHALL_BENCH_KEY";

/** A model without thinking time, and a hall that asks nobody else. */
export class BenchHall {
  readonly workspace: string;
  readonly modelUrl: string;
  /** The file that the model has read in every turn. */
  readonly file: string;
  readonly #server: ChildProcess;
  readonly #environment: Record<string, string>;
  #daemon: Daemon | undefined;
  #client: Client | undefined;

  private constructor(
    workspace: string,
    modelUrl: string,
    { server, environment }: { server: ChildProcess; environment: Record<string, string> },
  ) {
    this.#environment = environment;
    this.workspace = workspace;
    this.modelUrl = modelUrl;
    this.#server = server;
    this.file = join(workspace, "..", `${workspace.split("/").at(-1)}-note.txt`);
    writeFileSync(this.file, PROJECT_FILE);
  }

  /** `environment`: what the daemon has beside this process's own. */
  static async open(workspaces: Workspaces, environment: Record<string, string> = {}): Promise<BenchHall> {
    const server = spawn(process.execPath, [join(import.meta.dirname, "model-server.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const url = await new Promise<string>((resolve) => {
      createInterface({ input: server.stdout as NodeJS.ReadableStream }).once("line", resolve);
    });
    const workspace = workspaces.folder("agents");
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, "config.yml"), JSON.stringify(configOf(url)));
    const hall = new BenchHall(workspace, url, { server, environment });
    await hall.start();
    await hall.client.call("POST", "/api/roles", { template: "coder", id: "coder" });
    const reader = { template: "coder", skills: READING };
    await hall.client.call("POST", "/api/roles", { ...reader, id: "reader" });
    await hall.client.call("POST", "/api/roles", {
      ...reader,
      id: "claude-reader",
      modelConfig: { model: "claude/model" },
    });
    return hall;
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error("the daemon is not up");
    return this.#client;
  }

  get url(): string {
    return this.#daemon?.url ?? "";
  }

  get pid(): number {
    return this.#daemon?.pid ?? 0;
  }

  /** Answers how long it took. */
  async start(): Promise<number> {
    process.env[KEY_NAME] = "a-key-that-opens-nothing";
    this.#daemon = await startDaemon(this.workspace, this.#environment);
    this.#client = this.#daemon.connect(128);
    return this.#daemon.startMs;
  }

  async end(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.#client?.close();
    await this.#daemon?.end(signal);
  }

  async close(): Promise<void> {
    await this.end("SIGKILL");
    this.#server.kill();
  }

  /** A project of its own with the file that agents read in it. */
  async project(): Promise<string> {
    const id = `bench-${++tags}`;
    await this.client.call("POST", "/api/projects", { id, name: id });
    writeFileSync(join(this.workspace, "projects", id, "note.txt"), PROJECT_FILE);
    return id;
  }

  /** As project, whose agents work in a repository. */
  async gitProject(): Promise<string> {
    const id = `bench-${++tags}`;
    const workdir = `${this.workspace}-${id}`;
    mkdirSync(workdir);
    writeFileSync(join(workdir, "note.txt"), PROJECT_FILE);
    const git = (...words: string[]) => execFileSync("git", words, { cwd: workdir, stdio: "ignore" });
    git("init", "--initial-branch=main");
    git("add", ".");
    git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "--message=Begin");
    await this.client.call("POST", "/api/projects", {
      ...{ id, name: id, workdir },
      config: { constraints: { requireReview: false } },
    });
    return id;
  }

  /** Words that direct the model, and the tag to find them again by. */
  prompt(words: string): { tag: string; text: string } {
    const tag = `t${++tags}x`;
    return { tag, text: `Bench tag=${tag} ${words}` };
  }

  /** Resolves when the project's agent has answered. */
  async say(projectId: string, text: string): Promise<void> {
    const said = await this.client.call("POST", `/api/projects/${projectId}/messages?wait=60`, { text });
    const { answers } = said as { answers: { from: string; text: string }[] };
    if (answers[0]?.from !== "project") throw new Error(`no answer: ${JSON.stringify(said)}`);
  }

  /** Resolves when the run is over. */
  spawn(projectId: string, title: string, roleId: BenchRole = "coder"): Promise<unknown> {
    return this.#spawn(projectId, title, { roleId, waitForCompletion: true });
  }

  /** Resolves when the run is on disk. */
  begin(projectId: string, title: string): Promise<unknown> {
    return this.#spawn(projectId, title, { roleId: "coder", waitForCompletion: false });
  }

  #spawn(projectId: string, title: string, how: { roleId: BenchRole; waitForCompletion: boolean }): Promise<unknown> {
    const { roleId, waitForCompletion } = how;
    const options = { waitForCompletion };
    return this.client.call("POST", "/api/team/spawn", { projectId, roleId, task: { title }, options });
  }

  /** When the model's requests under a tag came, in milliseconds of the wall clock. */
  async seen(tag: string): Promise<number[]> {
    return (await fetch(`${this.modelUrl}/seen?tag=${tag}`)).json() as Promise<number[]>;
  }

  /** Waits until so many requests under a tag have come. */
  async arrival(tag: string, number = 1): Promise<number> {
    for (;;) {
      const at = (await this.seen(tag))[number - 1];
      if (at !== undefined) return at;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The most memory (PSS) in MB that the daemon and the processes it has started have together while the work is done. */
  async peakMemory(work: () => Promise<unknown>): Promise<{ daemon: number; projects: number }> {
    let peak = { daemon: 0, projects: 0 };
    const look = () => {
      const projects = childrenOf(this.pid).reduce((sum, pid) => sum + pssOf(pid), 0);
      const now = { daemon: pssOf(this.pid), projects };
      if (now.daemon + now.projects > peak.daemon + peak.projects) peak = now;
    };
    const timer = setInterval(look, LOOK_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    return peak;
  }

  /** Processor time in milliseconds that the daemon and the processes it has started have taken so far. */
  processorTime(): { daemon: number; projects: number } {
    const projects = childrenOf(this.pid).reduce((sum, pid) => sum + ticksOf(pid), 0);
    return { daemon: ticksOf(this.pid) * TICK_MS, projects: projects * TICK_MS };
  }
}

function configOf(url: string) {
  return {
    providers: {
      bench: { kind: "openai-compatible", baseUrl: `${url}/v1`, concurrency: 100 },
      claude: { kind: "anthropic", baseUrl: url, apiKeyEnv: KEY_NAME, concurrency: 100 },
    },
    models: {
      default: "bench/model",
      contextWindow: { "bench/model": 100_000_000, "claude/model": 100_000_000 },
    },
    limits: { modelCalls: 100, toolCalls: 100, runs: 100, runsPerProject: 100, turns: 10_000 },
  };
}

export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}
