import { type Hint, hint } from "../../contract/words/hint.ts";
import type { Refusal, Unit } from "./budget-rules.ts";
import type { Account } from "./tally.ts";

function amountText(unit: Unit, amount: number): string {
  if (unit === "tokens") return `${amount} tokens`;
  const cents = amount !== 0 && amount < 0.1 ? 4 : 2;
  return `$${amount.toFixed(cents)}`;
}

/** Which limit was reached; the amounts only where the limit itself is not spent, but too little is left. */
export function refusalText({ account, unit, limit, spent, held, wanted, isAssumed }: Refusal): string {
  const reached = `${limitName(account)} of ${amountText(unit, limit)} reached`;
  if (spent >= limit) return reached;
  const mark = isAssumed ? "≈ " : "";
  const reserved = held === 0 ? "" : `, ${amountText(unit, held)} reserved for open calls`;
  const [used, needed] = [spent, wanted].map((amount) => `${mark}${amountText(unit, amount)}`);
  return `${reached}: ${used} spent${reserved}, up to ${needed} needed for the next call`;
}

/** For a notice: how much of a limit is spent. */
export function spentText(
  { account, unit, limit, spent }: Pick<Refusal, "account" | "unit" | "limit" | "spent">,
  percent: number,
): string {
  const name = `${limitName(account)} of ${amountText(unit, limit)}`;
  return percent === 100
    ? `${name.charAt(0).toUpperCase()}${name.slice(1)} reached.`
    : `${percent}% of the ${name} spent (${amountText(unit, spent)}).`;
}

function limitName({ scope, projectId }: Account): string {
  switch (scope) {
    case "run":
      return "run budget";
    case "team":
      return "team budget";
    case "orchestrator-day":
      return "orchestrator's daily budget";
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
  const { scope, projectId, id } = account;
  const span = scope === "run" ? "run" : scope.endsWith("day") ? "day" : "total";
  const enough = Math.ceil(Math.max(2 * limit, spent + wanted));
  if (scope === "orchestrator-day") return hint("orchestrator-budget", { amount: String(enough) });
  if (scope === "team") return hint("team-budget-raise", { text: id ?? "", amount: String(enough) });
  const project = isOwn ? { project: projectId } : {};
  return hint("budget-raise", { ...project, limit: `--${span}-${unit}`, amount: String(enough) });
}
