import { isWithin } from "../agent/sandbox/layout.ts";
import { HallError } from "../contract/errors.ts";
import type { Project } from "../contract/project.ts";
import type { RunSandbox, SandboxState } from "../contract/sandbox.ts";
import { realPlaceOf } from "../store/folders.ts";

const USUAL = { network: false, memoryMb: 4_096, processes: 512 };

/** How the commands of a run are kept in; a text says why none are run. */
export function sandboxFor(project: Project, state: SandboxState, root: string): RunSandbox | string {
  const { sandbox = {}, envFiles = [] } = project.config;
  const { network = USUAL.network, memoryMb = USUAL.memoryMb, processes = USUAL.processes } = sandbox;
  if (state.name === "probing") return "the sandbox was not tried yet";
  if (state.name === "none" && sandbox.unsandboxed !== true)
    return `${state.detail}, and the project does not set sandbox.unsandboxed`;
  const places = (key: "readable" | "writable") => (sandbox[key] ?? []).map((path) => placeFor(path, key, root));
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

/** Refuses what would show commands the workspace, with the token and other projects. */
function placeFor(path: string, key: string, root: string): string {
  const place = realPlaceOf(path);
  if (!isWithin(root, place) && !isWithin(place, root)) return place;
  throw new HallError("invalid", `config.sandbox.${key}: '${path}' would show commands the workspace.`, {
    hint: "Name a folder that neither holds the workspace nor lies in it.",
  });
}
