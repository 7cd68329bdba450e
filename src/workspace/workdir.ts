import { HallError } from "../contract/errors.ts";
import { realPlaceOf } from "../store/folders.ts";
import { projectRoot } from "./layout.ts";

/**
 * Refuses a folder in which agents would reach what is not theirs: the workspace with its token and keys, or another
 * project. A project's own folder is fine.
 */
export function assertWorkdir(workdir: string | null | undefined, of: { root: string; projectId: string }): void {
  if (workdir === null || workdir === undefined) return;
  const place = realPlaceOf(workdir);
  const refuse = (reason: string) =>
    new HallError("invalid", `workdir: agents cannot work in '${workdir}': ${reason}.`, {
      hint: "Name the folder of the code, outside the workspace.",
    });
  if (isWithin(of.root, place)) throw refuse("it holds the workspace, with the token and every project in it");
  if (isWithin(place, of.root) && !isWithin(place, `${of.root}/${projectRoot(of.projectId)}`))
    throw refuse("it is a part of the workspace that belongs to the hall or to another project");
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}
