import { markOf } from "../../models/budget/budget-rules.ts";
import type { Ledger } from "../../models/budget/ledger.ts";
import { Attachment, type Attachments } from "../../workspace/attachments.ts";
import type { Change } from "../../workspace/change.ts";

/** Whoever knows the limits of teams. */
export interface TeamBudgets {
  /** What the runs of a team may spend together. null: there is no limit. Asked before every call, it answers from memory. */
  capOf(teamId: string): number | null;
  setCap(teamId: string, budgetUsd: number | null, change: Change): Promise<unknown>;
}

/** What calls of a team took. `known`: every price was. */
export interface TeamSpending {
  usd: number;
  known: boolean;
  /** Held for calls under way; not part of `usd`. */
  heldUsd: number;
}

/** The budgets of teams. A floor above knows the limits. */
export class TeamCaps extends Attachment<TeamBudgets> {
  readonly #ledger: Pick<Ledger, "tally">;
  readonly #look: () => void;

  constructor(attachments: Attachments, ledger: Pick<Ledger, "tally">, look: () => void) {
    super(attachments, "budgets of teams");
    this.#ledger = ledger;
    this.#look = look;
  }

  capOf(teamId: string): number | null {
    return this.part.capOf(teamId);
  }

  async setCap(teamId: string, budgetUsd: number | null, change: Change): Promise<void> {
    await this.part.setCap(teamId, budgetUsd, change);
  }

  /** A limit was raised: whoever waits for it goes on. */
  changed(): void {
    this.#look();
  }

  /** Whether a call was refused because of the limit as it is now, and not only while others are under way. */
  isReached(teamId: string): boolean {
    const limit = this.capOf(teamId);
    const account = { scope: "team" as const, id: teamId };
    return limit !== null && this.#ledger.tally.isWarned(markOf(account, { unit: "usd", limit, percent: 100 }));
  }

  spentOf(teamId: string): TeamSpending {
    const { spent, held } = this.#ledger.tally.balance({ scope: "team", id: teamId });
    return { usd: spent.usd + spent.assumed, known: spent.assumed === 0, heldUsd: held.usd + held.assumed };
  }
}
