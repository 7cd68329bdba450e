import { isAbsolute } from "node:path";
import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import type { CommandOrder } from "../../agent/sandbox/sandbox.ts";
import { CommandOrders } from "../../agent/tools/command-orders.ts";
import type { Project } from "../../contract/documents/project.ts";
import type { RunSandbox } from "../../contract/documents/sandbox.ts";
import { sandboxFor } from "../../runs/plan/run-sandbox.ts";
import { placeKind } from "../../store/host/host-places.ts";
import type { Core } from "../../workspace/core.ts";
import { STATE_FOLDER } from "../../workspace/layout.ts";
import type { HookInput } from "./hooks.ts";

export const HOOKS_FOLDER = "hooks";
/** Where hooks run that belong to no folder of a project. */
const EMPTY_FOLDER = `${STATE_FOLDER}/empty`;
/** Folders that are searched for secrets to hide: this happens in the daemon, so it must not take long. */
const MOST_FOLDERS = 10_000;
/** What is hidden is the person's; agents can't add to it. */
const SEARCH_AGAIN_MS = 5_000;
const NO_PROJECT = { config: {} } as Pick<Project, "config">;
const MOST = { memoryMb: 1_024, processes: 128 };

type Order = Omit<CommandOrder, "command">;

interface Parts {
  core: Core;
  project: (projectId: string) => Project | undefined;
  sandbox: SandboxProbe;
  /** The run's own working folder, where it is not the project's. */
  workdirOf: (runId: string) => string | undefined;
}

/** Where a hook's program runs, and what it sees there: the sandbox of the project's commands, with nothing writable. */
export class HookPlaces {
  readonly #parts: Parts;
  readonly #known = new Map<string, { at: number; orders: CommandOrders; made: Order | string }>();

  /** Files in hooks/ that commands named. One that is deleted is missing, whatever the working folder has under its name. */
  readonly #placed = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A text says why no program can be run. `source`: of a repository's own hook, that repository's folder is shown too. */
  async find(
    { project_id, run_id }: HookInput,
    { words, isOfRepository }: { words: readonly string[]; isOfRepository: boolean },
  ): Promise<{ order: Order; env: Record<string, string> } | string> {
    const { core, sandbox } = this.#parts;
    const project = project_id === undefined ? undefined : this.#parts.project(project_id);
    const found = sandboxFor((project ?? NO_PROJECT) as Project, await sandbox.settle(), core.files.root);
    if (typeof found === "string") return `programs can't be run: ${found}`;
    const checkout = project && placeOf(core, project);
    const workdir = (run_id === undefined ? undefined : this.#parts.workdirOf(run_id)) ?? checkout;
    const policy = readOnly(found, isOfRepository && checkout !== workdir ? checkout : undefined);
    const order = this.#order(policy, { workdir, checkout });
    const home = isOfRepository ? checkout : workdir;
    const modules = isOfRepository && home !== undefined ? `${home}/.claude/hooks` : this.#folder;
    const env = { ...(home === undefined ? {} : { CLAUDE_PROJECT_DIR: home }), ...pythonEnv(modules) };
    return { order: isOfRepository ? order : withPrograms(order, this.#programs(words)), env };
  }

  /** A program, or an argument, that names a file in hooks/ is that file; agents can't write there. */
  placed(words: readonly string[]): string[] {
    const { files } = this.#parts.core;
    const inHooks = (word: string): string | undefined => {
      const path = word.replace(/^\.\//, "").replace(/^hooks\//, "");
      if (path === "" || path.startsWith("-") || path.split("/").includes("..")) return undefined;
      if (files.stat(`${HOOKS_FOLDER}/${path}`)?.isFile() === true) this.#placed.add(path);
      return this.#placed.has(path) ? path : undefined;
    };
    return words.map((word, at) => {
      if (isAbsolute(word)) return word;
      const path = inHooks(word);
      if (path !== undefined) return `${this.#folder}/${path}`;
      return at === 0 && word.includes("/") ? `${this.#folder}/${word.replace(/^\.\//, "")}` : word;
    });
  }

  get #folder(): string {
    return `${this.#parts.core.files.root}/${HOOKS_FOLDER}`;
  }

  /** Files that the command names, wherever they are, and all of hooks/. */
  #programs(words: readonly string[]): string[] {
    const named = words.filter((word) => isAbsolute(word) && placeKind(word) === "file");
    return [...(placeKind(this.#folder) === "folder" ? [this.#folder] : []), ...named];
  }

  #order(policy: RunSandbox, where: { workdir: string | undefined; checkout: string | undefined }): Order {
    const { workdir, checkout } = where;
    const made = workdir === undefined ? "" : this.#searched(policy, { workdir, checkout });
    return { ...(typeof made === "string" ? this.#bare(policy) : made), openPaths: [] };
  }

  #searched(
    policy: RunSandbox,
    { workdir, checkout }: { workdir: string; checkout: string | undefined },
  ): Order | string {
    const key = JSON.stringify([workdir, checkout, policy]);
    const known = this.#known.get(key);
    const now = performance.now();
    if (known !== undefined && now - known.at < SEARCH_AGAIN_MS) return known.made;
    const setting = { policy, workdir, checkout: checkout === workdir ? undefined : checkout };
    const keepAt = () => ({ path: "", name: "" });
    const orders = known?.orders ?? new CommandOrders({ ...setting, keepAt, mostFolders: MOST_FOLDERS });
    const made = orders.make("", { stamps: new Map(), isPartial: true });
    for (const [other, { at }] of this.#known) if (now - at > 60_000) this.#known.delete(other);
    this.#known.set(key, { at: now, orders, made });
    return made;
  }

  /** Where the folder can't be shown: its secrets could not be hidden. */
  #bare(policy: RunSandbox): Order {
    const { files } = this.#parts.core;
    files.makeFolder(EMPTY_FOLDER);
    const workdir = `${files.root}/${EMPTY_FOLDER}`;
    return { workdir, policy: { ...policy, readable: [] }, masked: [], protectedPaths: [], lent: [] };
  }
}

/** Python looks for modules where it is started, which is the agent's folder: a json.py there would run instead of a check. */
function pythonEnv(modules: string): Record<string, string> {
  return { PYTHONSAFEPATH: "1", PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: "1" };
}

function placeOf(core: Core, project: Project): string | undefined {
  const place = core.workdirRecords.placeOf(project);
  return typeof place === "string" ? place : undefined;
}

function readOnly(policy: RunSandbox, shown: string | undefined): RunSandbox {
  return {
    ...policy,
    memoryMb: Math.min(policy.memoryMb, MOST.memoryMb),
    processes: Math.min(policy.processes, MOST.processes),
    readable: [...policy.readable, ...policy.writable, ...(shown === undefined ? [] : [shown])],
    writable: [],
  };
}

/** Bound after what is hidden, which the workspace is. */
function withPrograms(order: Order, programs: readonly string[]): Order {
  const { policy, protectedPaths } = order;
  return {
    ...order,
    policy: { ...policy, readable: [...policy.readable, ...programs] },
    protectedPaths: [...protectedPaths, ...programs],
  };
}
