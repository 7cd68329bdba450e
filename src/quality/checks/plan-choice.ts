import type { TreeChange } from "../trees/tree-source.ts";
import { isBelow } from "./detection/detect.ts";
import type { Plan } from "./detection/plan.ts";
import { isDocument } from "./document-paths.ts";

interface Wanted {
  check: Plan["check"];
  changes: readonly TreeChange[];
  scope: "affected" | "full";
  only?: readonly string[] | undefined;
}

/** The plans that a change, or these test files, need. `full`: all of them, but for those that another one includes. */
export function chosenPlans(plans: readonly Plan[], { check, changes, scope, only }: Wanted): Plan[] {
  const own = plans.filter((plan) => plan.check === check);
  if (only !== undefined) return own.filter((plan) => only.some((path) => isFor(plan, path, own)));
  if (scope === "full" || changes.length === 0) return own.filter((plan) => !isIncluded(plan, own));
  const paths = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const users = packagesUsing(plans, paths);
  // Tests may read what no runner knows, such as a table or a template.
  const isRead = (path: string) => check === "tests" && !isDocument(path) && !own.some((plan) => isCovered(plan, path));
  const chosen = own.filter(
    (plan) =>
      (plan.unit !== undefined && users.has(plan.unit.name)) ||
      paths.some((path) => isFor(plan, path, own) || (isRead(path) && isNearest(plan, path, own))),
  );
  if (chosen.length > 0 || check === "syntax") return chosen;
  // Documents alone: where they have to be judged, code reads them.
  return own.filter((plan) => paths.some((path) => isNearest(plan, path, own)));
}

/** Names of the packages of a workspace that use one of those that are changed. */
function packagesUsing(plans: readonly Plan[], paths: readonly string[]): ReadonlySet<string> {
  const units = plans.flatMap(({ folder, unit }) => (unit === undefined ? [] : [{ folder, ...unit }]));
  const innermost = units.toSorted((left, right) => right.folder.length - left.folder.length);
  const changed = paths
    .filter((path) => !isDocument(path))
    .flatMap((path) => innermost.find(({ folder }) => isBelow(path, folder))?.name ?? []);
  const users = new Set<string>();
  for (let next = changed; next.length > 0; ) {
    next = units
      .filter(({ name, uses }) => !users.has(name) && next.some((used) => uses.has(used)))
      .map(({ name }) => name);
    for (const name of next) users.add(name);
  }
  return users;
}

/** A file belongs to the innermost folder that has a check for it. */
function isFor(plan: Plan, path: string, own: readonly Plan[]): boolean {
  return (
    isCovered(plan, path) &&
    isNearest(
      plan,
      path,
      own.filter((other) => isSame(other, plan)),
    )
  );
}

function isCovered({ folder, covers }: Plan, path: string): boolean {
  return isBelow(path, folder) && covers.test(path);
}

function isNearest({ folder }: Plan, path: string, all: readonly Plan[]): boolean {
  if (!isBelow(path, folder)) return false;
  return !all.some((other) => other.folder.length > folder.length && isBelow(path, other.folder));
}

function isIncluded(plan: Plan, own: readonly Plan[]): boolean {
  return own.some(
    (other) =>
      other !== plan && isSame(other, plan) && other.folder !== plan.folder && isBelow(plan.folder, other.folder),
  );
}

function isSame(left: Plan, right: Plan): boolean {
  return left.tool === right.tool;
}
