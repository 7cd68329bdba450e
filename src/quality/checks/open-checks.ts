import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import { Files } from "../../store/files/files.ts";
import { makeFolder } from "../../store/files/folders.ts";
import type { GitTrees } from "../trees/git-trees.ts";
import { CheckCache } from "./check-cache.ts";
import { CheckRunner } from "./check-runner.ts";
import { installedTools } from "./installed-tools.ts";
import type { LocalChecks } from "./local-checks.ts";
import { SandboxedChecks } from "./sandboxed-checks.ts";

const USUAL = { memoryMb: 4_096, processes: 512 };
const PROBE_MS = 20_000;

interface Options {
  trees: GitTrees;
  probe: SandboxProbe;
  /** A private folder, absolute and without links on its way; its content goes with the process. */
  scratch: string;
  /** Where results are kept for the next process; absolute. Without one they last as long as this one. */
  cache?: string | undefined;
  /** Of the project. */
  limits?:
    | { memoryMb?: number | undefined; processes?: number | undefined; unsandboxed?: boolean | undefined }
    | undefined;
  /** Folders of which commands see nothing but what they work on: the workspace. */
  hidden: readonly string[];
  redact: (text: string) => string;
}

/** Compilers and test runners for the trees of one repository. */
export function openChecks({ trees, probe, scratch, cache, limits = {}, hidden, redact }: Options): LocalChecks {
  const runner = new CheckRunner({
    probe,
    isUnsandboxedAccepted: limits.unsandboxed === true,
    memoryMb: limits.memoryMb ?? USUAL.memoryMb,
    processes: limits.processes ?? USUAL.processes,
    hidden,
    lendFrom: trees.checkoutFolder,
    redact,
  });
  const canImport = async (python: string, module: string) => {
    const folder = `${scratch}/python`;
    makeFolder(folder);
    const found = `import importlib.util, sys; sys.exit(importlib.util.find_spec(${JSON.stringify(module)}) is None)`;
    const order = { root: folder, folder: "", writable: [], timeoutMs: PROBE_MS, signal: new AbortController().signal };
    const end = await runner.run({ ...order, command: `'${python.replaceAll("'", "'\\''")}' -c '${found}'` });
    // Where nothing can be run the check itself says so.
    return end.is !== "ended" || end.code === 0;
  };
  return new SandboxedChecks({
    trees,
    runner,
    installed: installedTools({ checkout: trees.checkoutFolder, canImport }),
    cache: cache === undefined ? new CheckCache() : new CheckCache(new Files(cache)),
    scratch,
    redact,
  });
}
