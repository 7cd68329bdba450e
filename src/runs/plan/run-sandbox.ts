import type { Project } from "../../contract/documents/project.ts";
import type { RunSandbox, SandboxState } from "../../contract/documents/sandbox.ts";
import { sandboxPlace } from "../../workspace/projects/workdir.ts";

const USUAL = { network: false, memoryMb: 4_096, processes: 512 };

/** How the commands of a run are kept in; a text says why none are run. */
export function sandboxFor(project: Project, state: SandboxState, root: string): RunSandbox | string {
  const { sandbox = {}, envFiles = [] } = project.config;
  const { network = USUAL.network, memoryMb = USUAL.memoryMb, processes = USUAL.processes } = sandbox;
  if (state.name === "probing") return "the sandbox has not been checked yet";
  if (state.name === "none" && sandbox.unsandboxed !== true)
    return `${state.detail}, and the project does not set sandbox.unsandboxed`;
  const places = (key: "readable" | "writable") => (sandbox[key] ?? []).map((path) => sandboxPlace(path, key, root));
  return {
    name: state.name,
    network,
    memoryMb,
    processes,
    readable: places("readable"),
    writable: places("writable"),
    envFiles,
    hidden: [root],
  };
}
