import { availableParallelism } from "node:os";
import { watchOver } from "../../agent/sandbox/command-watch.ts";
import { start } from "../../agent/sandbox/launch.ts";
import { type SandboxProbe, sandboxNamed } from "../../agent/sandbox/probe.ts";
import { type CommandOrder, quoted } from "../../agent/sandbox/sandbox.ts";
import { plainOutput } from "../../agent/tools/command-output.ts";
import { canLend, type LentPlaces, lendPackages } from "../../agent/tools/lent-packages.ts";
import type { RunSandbox, SandboxName } from "../../contract/documents/sandbox.ts";
import { ScratchFolder } from "../../store/files/scratch-folder.ts";
import { placeKind } from "../../store/host/host-places.ts";
import { lackedPackages } from "../../store/host/installed-packages.ts";
import { type ProtectedPlaces, ProtectedSearch } from "../../store/secrets/protected-places.ts";
import { OutputKeeper } from "./output-keeper.ts";

/** Of what a command prints, for those who parse it. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Of a command that reports its results there. */
const MOST_REPORTED = 32 * 1024 * 1024;
/** Commands cannot write to what they are lent, so a search for secrets in it holds for a while. */
const SEARCH_AGAIN_MS = 60_000;

export interface RunnerOptions {
  probe: SandboxProbe;
  /** Whether the person accepted commands without a sandbox where none works. */
  isUnsandboxedAccepted: boolean;
  memoryMb: number;
  processes: number;
  /** Folders of which commands see nothing but what they work on; absolute. */
  hidden: readonly string[];
  /** Where packages are installed that a checkout lacks; absolute. */
  lendFrom?: string | undefined;
  redact: (text: string) => string;
}

export interface RunOrder {
  /** The checkout, and the folder in it where the command runs. */
  root: string;
  folder: string;
  command: string;
  env?: Readonly<Record<string, string>> | undefined;
  /** Folders that it may read, and the one for its report, which it may write. */
  readable?: readonly string[] | undefined;
  writable: readonly string[];
  /** Whether its results are in what it prints, without what it prints as errors; or also with that. */
  reports?: "stdout" | "both" | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

/** `unable`: it was not run, or not to its end. */
export type RunEnd = {
  /** The end of what it printed, and the bytes before it. */
  tail: string;
  leftOut: number;
  ms: number;
} & (
  | { is: "ended"; code: number; output: string; isWhole: boolean }
  | { is: "unable"; why: "no-sandbox" | "infra-failure" | "timeout" | "cancelled"; reason: string }
);

/** Runs commands on checked-out trees: in the sandbox, without network, within limits. Never rejects. */
export class CheckRunner {
  readonly #options: RunnerOptions;
  readonly #searches = new Map<string, { at: number; search: ProtectedSearch; found: ProtectedPlaces | undefined }>();
  #free = Math.max(1, Math.floor(availableParallelism() / 2));
  readonly #waiting: (() => void)[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** The name of the sandbox, or why there is none. */
  async sandbox(): Promise<{ name: SandboxName } | { reason: string }> {
    const { name, detail } = await this.#options.probe.settle();
    if (name === "probing") return { reason: "The sandbox has not been checked yet." };
    if (name === "none" && !this.#options.isUnsandboxedAccepted)
      return {
        reason: `Commands can't be run: ${detail}. Install bubblewrap, or set sandbox.unsandboxed in the project.`,
      };
    return { name };
  }

  async run(order: RunOrder): Promise<RunEnd> {
    const sandbox = await this.sandbox();
    const unable = (why: "no-sandbox" | "cancelled", reason: string): RunEnd => ({
      is: "unable",
      why,
      reason,
      tail: "",
      leftOut: 0,
      ms: 0,
    });
    if ("reason" in sandbox) return unable("no-sandbox", sandbox.reason);
    await this.#turn();
    try {
      if (order.signal.aborted) return unable("cancelled", "The check was cancelled.");
      return await this.#run(order, sandbox.name);
    } finally {
      this.#free++;
      this.#waiting.shift()?.();
    }
  }

  /** So many commands at once that each has a processor; the time limit counts from its start. */
  async #turn(): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#free--;
  }

  async #run(order: RunOrder, name: SandboxName): Promise<RunEnd> {
    const begun = performance.now();
    const kept = new OutputKeeper(order.reports === undefined ? MOST_OUTPUT : MOST_REPORTED);
    const errors = order.reports === "stdout" ? new OutputKeeper(MOST_OUTPUT) : undefined;
    const made = this.#order(order, name);
    const running = start(sandboxNamed(name), made, (chunk, stream) =>
      (stream === "out" ? kept : (errors ?? kept)).add(chunk),
    );
    let stopped: { why: "timeout" | "infra-failure" | "cancelled"; reason: string } | undefined;
    const stop = (found: NonNullable<typeof stopped>) => {
      stopped ??= found;
      running.kill();
    };
    const seconds = Math.round(order.timeoutMs / 1_000);
    const timer = setTimeout(
      () => stop({ why: "timeout", reason: `It took longer than ${seconds} s.` }),
      order.timeoutMs,
    );
    const onAbort = () => stop({ why: "cancelled", reason: "The check was cancelled." });
    order.signal.addEventListener("abort", onAbort, { once: true });
    const { memoryMb, processes } = made.policy;
    const endWatch = watchOver({
      pid: running.pid,
      memoryMb,
      processes,
      places: [order.root, ...order.writable],
      onOveruse: ({ reason }) => stop({ why: "infra-failure", reason: `The command was ended: ${reason}.` }),
    });
    const end = await running.done;
    clearTimeout(timer);
    endWatch();
    order.signal.removeEventListener("abort", onAbort);
    const ms = Math.round(performance.now() - begun);
    const tail = this.#options.redact(
      plainOutput([kept.end(), errors?.end() ?? ""].filter((part) => part !== "").join("\n")),
    );
    const said = { tail, leftOut: kept.leftOut + (errors?.leftOut ?? 0), ms };
    if (stopped !== undefined) return { is: "unable", ...stopped, ...said };
    if (!end.isSetUp)
      return {
        is: "unable",
        why: "infra-failure",
        reason: `The sandbox (${name}) could not be set up: ${end.trouble}.`,
        ...said,
      };
    return { is: "ended", code: end.code, output: kept.beginning(), isWhole: kept.isWhole, ...said };
  }

  #order(order: RunOrder, name: SandboxName): CommandOrder {
    const { memoryMb, processes, hidden } = this.#options;
    const readable = (order.readable ?? []).filter((path) => placeKind(path) !== undefined);
    const policy: RunSandbox = {
      name,
      network: false,
      memoryMb,
      processes,
      readable: [...readable],
      writable: [...order.writable],
      envFiles: [],
      hidden: [...hidden],
    };
    const packages = this.#lent(order.root, policy);
    return {
      command: commandOf(order),
      workdir: order.root,
      policy: { ...policy, readable: [...policy.readable, ...packages.readable] },
      masked: packages.masked,
      // Bound again after what is hidden, which they may lie in.
      protectedPaths: readable,
      lent: packages.lent,
      ...(order.reports === "stdout" ? { keepsErrors: true } : {}),
    };
  }

  #lent(root: string, policy: RunSandbox): LentPlaces {
    const { lendFrom } = this.#options;
    if (lendFrom === undefined) return { lent: [], readable: [], masked: [] };
    if (canLend(policy)) return lendPackages({ checkout: lendFrom, workdir: root }, (from) => this.#hiddenIn(from));
    // Nothing can be shown at another path here: a link leads to where it is.
    const paths = lackedPackages(lendFrom, root);
    const folder = new ScratchFolder(root);
    for (const path of paths) {
      if (placeKind(`${root}/${path}`) === undefined) folder.link(path, `${lendFrom}/${path}`);
    }
    return { lent: [], readable: paths.map((path) => `${lendFrom}/${path}`), masked: [] };
  }

  #hiddenIn(from: string): ProtectedPlaces | undefined {
    const known = this.#searches.get(from);
    if (known !== undefined && Date.now() - known.at < SEARCH_AGAIN_MS) return known.found;
    const search = known?.search ?? new ProtectedSearch(from, { now: Date.now, isOthers: true });
    const found = search.find();
    this.#searches.set(from, { at: Date.now(), search, found });
    return found;
  }
}

function commandOf({ folder, command, env = {} }: RunOrder): string {
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
  return [...variables, ...(folder === "" ? [] : [`cd ${quoted(folder)} || exit 126`]), command].join("\n");
}
