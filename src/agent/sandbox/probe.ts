import { tmpdir } from "node:os";
import type { RunSandbox, SandboxName, SandboxState } from "../../contract/documents/sandbox.ts";
import { realPlaceOf } from "../../store/files/folders.ts";
import { callFilters } from "../../store/host/process-tree.ts";
import { bwrap } from "./bwrap.ts";
import { start } from "./launch.ts";
import type { CommandOrder, Sandbox } from "./sandbox.ts";
import { seatbelt } from "./seatbelt.ts";
import { unsandboxed } from "./unsandboxed.ts";
import { unshare } from "./unshare.ts";

const PROBE_MS = 10_000;
/** Says so only if neither the machine's users nor its first process can be seen, then what the kernel says of itself. */
const PROBE_COMMAND =
  'test ! -e /etc/shadow && test ! -e /proc/1/root/etc/shadow && echo contained && while read -r line; do echo "$line"; done < /proc/self/status';

export function sandboxNamed(name: SandboxName): Sandbox {
  return { bwrap, unshare, seatbelt, none: unsandboxed }[name];
}

/** Those that can work on this system, the quicker ones first. */
export function sandboxesHere(platform = process.platform): Sandbox[] {
  if (platform === "linux") return [bwrap, unshare];
  return platform === "darwin" ? [seatbelt] : [];
}

export interface SandboxProbe {
  /** As far as it is known; begins to find out. */
  state(): SandboxState;
  settle(): Promise<SandboxState>;
}

/** Finds out once, when first asked, by running a command in each. */
export function sandboxProbe(candidates = sandboxesHere()): SandboxProbe {
  let known: SandboxState = { name: "probing", detail: "check in progress" };
  let settled: Promise<SandboxState> | undefined;
  const settle = () => {
    settled ??= firstWorking(candidates).then((state) => {
      known = state;
      return state;
    });
    return settled;
  };
  return {
    settle,
    state: () => {
      void settle();
      return known;
    },
  };
}

async function firstWorking(candidates: readonly Sandbox[]): Promise<SandboxState> {
  const refusals: string[] = [];
  for (const sandbox of candidates) {
    const refusal = await whyNot(sandbox);
    const before = refusals.length === 0 ? "" : ` (${refusals.join("; ")})`;
    const open = sandbox.whyUnfiltered?.();
    const unfiltered = open === undefined ? "" : `, without a system call filter: ${open}`;
    if (refusal === undefined)
      return { name: sandbox.name, detail: `commands run in ${sandbox.name}${before}${unfiltered}` };
    refusals.push(`${sandbox.name}: ${refusal}`);
  }
  const tried = refusals.length === 0 ? "not available on this system" : refusals.join("; ");
  return { name: "none", detail: `no sandbox works here: ${tried}` };
}

/** A command in a folder, and nothing else of the machine but its programs. */
export function plainOrder(sandbox: Sandbox, { command, workdir }: Pick<CommandOrder, "command" | "workdir">) {
  const places = { readable: [], writable: [], envFiles: [], hidden: [] };
  const policy: RunSandbox = { name: sandbox.name, network: false, memoryMb: 1_024, processes: 64, ...places };
  return { command, workdir, policy, masked: [], protectedPaths: [], lent: [] } satisfies CommandOrder;
}

/** Why commands cannot be run in it; undefined when they can. */
export async function whyNot(sandbox: Sandbox): Promise<string | undefined> {
  let said = "";
  const workdir = realPlaceOf(tmpdir());
  const order: CommandOrder = {
    ...plainOrder(sandbox, { command: PROBE_COMMAND, workdir }),
    isOwn: true,
    skipsSearch: true,
  };
  const probe = start(sandbox, order, (chunk) => {
    said += chunk.toString();
  });
  const timer = setTimeout(probe.kill, PROBE_MS);
  const { isSetUp, trouble } = await probe.done;
  clearTimeout(timer);
  const isContained = isSetUp && said.startsWith("contained\n");
  if (isContained && (mayBeUnfiltered(sandbox) || isFiltered(said))) return undefined;
  const unmet = isContained ? "its system call filter is not active" : "it does not isolate commands";
  return (trouble || unmet).split("\n")[0]?.slice(0, 200);
}

function mayBeUnfiltered({ whyUnfiltered }: Sandbox): boolean {
  return process.platform !== "linux" || whyUnfiltered === undefined || whyUnfiltered() !== undefined;
}

function isFiltered(status: string): boolean {
  const inside = callFilters(status);
  return inside === undefined ? /^Seccomp:\s*2/m.test(status) : inside > (callFilters() ?? 0);
}
