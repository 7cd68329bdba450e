import type { Budget, ProjectBudget, Scope } from "../contract/budget.ts";
import type { Sum } from "./ledger-line.ts";
import { type Account, accountsOf, type Balance, keyOf, type Party } from "./tally.ts";

export interface Limits {
  hall: Budget;
  project: ProjectBudget;
}

export type Unit = keyof Sum;

/** null: there is no limit. */
export type AccountLimits = Record<Unit, number | null>;

/** A limit that a call would go beyond. */
export interface Refusal {
  account: Account;
  unit: Unit;
  limit: number;
  balance: Balance;
  wanted: number;
  /** Not only because of what is held for calls under way: waiting for those to end will not do. */
  isSpent: boolean;
}

export const WARNED_AT = [100, 80, 50] as const;
/** Amounts are sums of many small ones. */
const ROUNDING = 1e-9;

/** A project's run limits take the place of the hall's. Its other limits are about the project alone. */
export function limitsOf(scope: Scope, { hall, project }: Limits): AccountLimits {
  switch (scope) {
    case "run":
      return { usd: project.runUsd ?? hall.runUsd, tokens: project.runTokens ?? hall.runTokens };
    case "project-day":
      return { usd: project.dayUsd ?? null, tokens: project.dayTokens ?? null };
    case "project":
      return { usd: project.totalUsd ?? null, tokens: project.totalTokens ?? null };
    case "day":
      return { usd: hall.dayUsd, tokens: hall.dayTokens };
    case "total":
      return { usd: hall.totalUsd, tokens: hall.totalTokens };
  }
}

/** The first limit that the call would go beyond; what costs nothing is never refused for money. */
export function refusalOf(
  call: { party: Party; wanted: Sum },
  limits: Limits,
  balanceOf: (account: Account) => Balance,
): Refusal | undefined {
  const refused: Refusal[] = [];
  for (const account of accountsOf(call.party)) {
    const balance = balanceOf(account);
    const most = limitsOf(account.scope, limits);
    for (const unit of ["usd", "tokens"] as const) {
      const [limit, wanted] = [most[unit], call.wanted[unit]];
      if (limit === null || wanted === 0) continue;
      const isSpent = balance.spent[unit] + wanted > limit + ROUNDING;
      if (isSpent || balance.spent[unit] + balance.held[unit] + wanted > limit + ROUNDING)
        refused.push({ account, unit, limit, balance, wanted, isSpent });
    }
  }
  return refused.find(({ isSpent }) => isSpent) ?? refused[0];
}

/** The highest of the marks that the account has reached, or undefined. */
export function reachedMark(spent: number, limit: number): (typeof WARNED_AT)[number] | undefined {
  if (spent === 0 || limit === 0) return undefined;
  return WARNED_AT.find((percent) => spent + ROUNDING >= (limit * percent) / 100);
}

/** Another limit is another mark: whoever raises it is warned anew. */
export function markOf(account: Account, { unit, limit, percent }: { unit: Unit; limit: number; percent: number }) {
  return `${keyOf(account)} ${unit} ${limit} ${percent}`;
}

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

export function refusalText({ account, unit, limit, balance, wanted }: Refusal): string {
  const { spent, held } = balance;
  const reserved = held[unit] === 0 ? "" : `, ${amountText(unit, held[unit])} held for calls under way`;
  return (
    `the next call may take ${amountText(unit, wanted)}; of the ${amountText(unit, limit)} for ` +
    `${accountText(account)}, ${amountText(unit, spent[unit])} are spent${reserved}`
  );
}
