import { type Budget, NO_LIMIT, type ProjectBudget, type Scope } from "../../contract/documents/budget.ts";
import type { Sum } from "../../contract/runs/ledger.ts";
import { type Account, accountsOf, type Balance, keyOf, type Party } from "./tally.ts";

export interface Limits {
  hall: Budget;
  project: ProjectBudget;
  /** What the team of the call may spend in all; null or absent where it has no limit, or the call no team. */
  teamUsd?: number | null | undefined;
  /** Of a day, for the work that the orchestrator started. */
  orchestratorUsd?: number | null | undefined;
}

export type Unit = "usd" | "tokens";

/** null: there is no limit. */
export type AccountLimits = Record<Unit, number | null>;

/** A limit that a call would go beyond. */
export interface Refusal {
  account: Account;
  unit: Unit;
  limit: number;
  spent: number;
  held: number;
  wanted: number;
  /** Not only because of what is held for calls under way: waiting for those to end will not do. */
  isSpent: boolean;
  /** Nobody knows what the call costs. */
  isAssumed: boolean;
  /** It is the project's limit, not the hall's. */
  isOwn: boolean;
}

export const WARNED_AT = [100, 80, 50] as const;
/** Amounts are sums of many small ones. */
const ROUNDING = 1e-9;

/** A project's run limits take the place of the hall's. Its other limits are about the project alone. */
export function limitsOf(
  scope: Scope,
  { hall, project, teamUsd = null, orchestratorUsd = null }: Limits,
): AccountLimits {
  switch (scope) {
    case "team":
      return { usd: teamUsd, tokens: null };
    case "orchestrator-day":
      return { usd: orchestratorUsd, tokens: null };
    case "run":
      return { usd: ownOr(project.runUsd, hall.runUsd), tokens: ownOr(project.runTokens, hall.runTokens) };
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

function isOwn({ scope }: Account, unit: Unit, { project }: Limits): boolean {
  const ofRun = unit === "usd" ? project.runUsd : project.runTokens;
  return scope.startsWith("project") || (scope === "run" && ofRun !== undefined);
}

function ownOr(own: number | typeof NO_LIMIT | undefined, hall: number | null): number | null {
  return own === NO_LIMIT ? null : (own ?? hall);
}

/** How much of a sum a limit is about. Where a price is unknown, the estimate counts. */
export function countedIn(unit: Unit, sum: Sum): number {
  return unit === "usd" ? sum.usd + sum.assumed : sum[unit];
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
      const limit = most[unit];
      const wanted = countedIn(unit, call.wanted);
      if (limit === null || wanted === 0) continue;
      const [spent, held] = [countedIn(unit, balance.spent), countedIn(unit, balance.held)];
      const isSpent = spent + wanted > limit + ROUNDING;
      const isAssumed = unit === "usd" && call.wanted.assumed > 0;
      if (isSpent || spent + held + wanted > limit + ROUNDING)
        refused.push({
          account,
          unit,
          limit,
          spent,
          held,
          wanted,
          isSpent,
          isAssumed,
          isOwn: isOwn(account, unit, limits),
        });
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
