import type { Account, Tally } from "./tally.ts";

/** What was spent on an account, estimates included. */
export function spentOn(tally: Pick<Tally, "balance">, account: Account): number {
  const { spent } = tally.balance(account);
  return spent.usd + spent.assumed;
}
