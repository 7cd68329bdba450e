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

/** What is in the way, and what a person can do about it. */
export function refusalText({ account, unit, limit, spent, held, wanted, isAssumed, ...more }: Refusal): string {
  const reserved = held === 0 ? "" : `, ${amountText(unit, held)} held for calls under way`;
  const assumed = isAssumed ? " (its price is not known; set it under models.prices)" : "";
  const room = more.isSpent ? raising({ account, unit, limit, spent, wanted, isOwn: more.isOwn }) : "";
  return (
    `the next call may take ${amountText(unit, wanted)}${assumed}; of the ${amountText(unit, limit)} for ` +
    `${accountText(account)}, ${amountText(unit, spent)} are spent${reserved}${room}`
  );
}

/** The command that makes room for this call and for some more. */
function raising({
  account,
  unit,
  limit,
  spent,
  wanted,
  isOwn,
}: Omit<Refusal, "held" | "isSpent" | "isAssumed">): string {
  const { scope, projectId = "" } = account;
  const span = scope === "run" ? "run" : scope.endsWith("day") ? "day" : "total";
  const enough = Math.ceil(Math.max(2 * limit, spent + wanted));
  const project = isOwn ? ` -p ${projectId}` : "";
  return `. Raise it with: guildhall budget${project} --${span}-${unit} ${enough}`;
}
