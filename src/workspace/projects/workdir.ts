import { HallError } from "../../contract/errors.ts";
import { comingPlaceOf, isWithin } from "../../store/files/folders.ts";
import { projectRoot } from "../layout.ts";

interface SandboxPlaces {
  readable?: readonly string[] | null | undefined;
  writable?: readonly string[] | null | undefined;
}

/**
 * Refuses a folder in which agents would reach what is not theirs: the workspace with its token and keys, or another
 * project. A project's own folder is fine.
 */
export function assertWorkdir(workdir: string | null | undefined, of: { root: string; projectId: string }): void {
  if (workdir === null || workdir === undefined) return;
  const place = comingPlaceOf(workdir);
  const refuse = (reason: string) =>
    new HallError("invalid", `workdir: agents cannot work in '${workdir}': ${reason}.`, {
      hint: "Choose the folder with the code, outside the workspace.",
    });
  if (isWithin(of.root, place)) throw refuse("it contains the workspace, with its token and all projects");
  if (isWithin(place, of.root) && !isWithin(place, `${of.root}/${projectRoot(of.projectId)}`))
    throw refuse("it is part of the workspace and belongs to Guildhall or another project");
}

/** Refuses what would show commands the workspace, with the token and other projects. */
export function sandboxPlace(path: string, key: "readable" | "writable", root: string): string {
  const place = comingPlaceOf(path);
  if (!isWithin(root, place) && !isWithin(place, root)) return place;
  throw new HallError("invalid", `config.sandbox.${key}: '${path}' would expose the workspace to commands.`, {
    hint: "Choose a folder that neither contains the workspace nor is inside it.",
  });
}

/** The same for all that a project names. */
export function assertSandboxPlaces(settings: SandboxPlaces | null | undefined, root: string): void {
  for (const key of ["readable", "writable"] as const)
    for (const path of settings?.[key] ?? []) sandboxPlace(path, key, root);
}
