import type { TreeChange } from "../trees/tree-source.ts";
import { isBelow } from "./detection/detect.ts";
import type { Plan } from "./detection/plan.ts";

interface Wanted {
  check: Plan["check"];
  changes: readonly TreeChange[];
  scope: "affected" | "full";
  only?: readonly string[] | undefined;
}

/** The plans that a change, or these test files, need. `full`: all of them, but for those that another one includes. */
export function chosenPlans(plans: readonly Plan[], { check, changes, scope, only }: Wanted): Plan[] {
  const own = plans.filter((plan) => plan.check === check);
  if (only === undefined && (scope === "full" || changes.length === 0))
    return own.filter((plan) => !isIncluded(plan, own));
  const paths = only ?? changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  return own.filter((plan) => paths.some((path) => isFor(plan, path, own)));
}

/** A file belongs to the innermost folder that has a check for it. */
function isFor(plan: Plan, path: string, own: readonly Plan[]): boolean {
  if (!isBelow(path, plan.folder) || !plan.covers.test(path)) return false;
  return !own.some(
    (other) =>
      isSame(other, plan) &&
      other.folder !== plan.folder &&
      isBelow(other.folder, plan.folder) &&
      isBelow(path, other.folder),
  );
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
