import { type Hint, hint } from "../../contract/words/hint.ts";
import type { Refusal, Unit } from "./budget-rules.ts";
import type { Account } from "./tally.ts";

export function amountText(unit: Unit, amount: number): string {
  if (unit === "tokens") return `${amount} tokens`;
  const cents = amount !== 0 && amount < 0.1 ? 4 : 2;
  return `$${amount.toFixed(cents)}`;
}

export function accountText({ scope, id, projectId }: Account): string {
  switch (scope) {
    case "run":
      return `run ${id} with all it started`;
    case "project-day":
      return `project ${projectId} on ${id}`;
    case "project":
      return `project ${projectId}`;
    case "day":
      return `all runs on ${id}`;
    case "total":
      return "all runs ever";
  }
}

/** What is in the way. */
export function refusalText({ account, unit, limit, spent, held, wanted, isAssumed }: Refusal): string {
  const mark = isAssumed ? "≈ " : "";
  const reserved = held === 0 ? "" : `, ${amountText(unit, held)} reserved for open calls`;
  return (
    `${limitName(account)} of ${amountText(unit, limit)} reached: ${mark}${amountText(unit, spent)} spent${reserved}, ` +
    `and the next call may take up to ${mark}${amountText(unit, wanted)}`
  );
}

function limitName({ scope, projectId }: Account): string {
  switch (scope) {
    case "run":
      return "run budget";
    case "project-day":
      return `daily budget of project ${projectId}`;
    case "project":
      return `budget of project ${projectId}`;
    case "day":
      return "daily budget";
    case "total":
      return "total budget";
  }
}

/** What makes room for this call and for some more; nothing while calls under way only hold what they may not take. */
export function refusalHint({ account, unit, limit, spent, wanted, isOwn, isSpent }: Refusal): Hint | undefined {
  if (!isSpent) return undefined;
  const { scope, projectId } = account;
  const span = scope === "run" ? "run" : scope.endsWith("day") ? "day" : "total";
  const enough = Math.ceil(Math.max(2 * limit, spent + wanted));
  const project = isOwn ? { project: projectId } : {};
  return hint("budget-raise", { ...project, limit: `--${span}-${unit}`, amount: String(enough) });
}
