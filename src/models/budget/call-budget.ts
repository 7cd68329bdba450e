import { setTimeout as delay } from "node:timers/promises";
import type { BudgetReport, ModelWait } from "../../contract/documents/budget.ts";
import type { Price } from "../../contract/documents/config.ts";
import type { Reservation, Spent } from "../../contract/runs/ledger.ts";
import { ModelFailure, type ModelRequest } from "../../contract/runs/model-call.ts";
import { storageTrouble } from "../../store/files/storage-failure.ts";
import {
  countedIn,
  type Limits,
  limitsOf,
  markOf,
  type Refusal,
  reachedMark,
  refusalOf,
  type Unit,
  WARNED_AT,
} from "./budget-rules.ts";
import { refusalHint, refusalText, spentText } from "./budget-text.ts";
import { atLeast, type Estimate, estimateCall, guessBroken, pricedCall } from "./call-estimate.ts";
import type { Ledger, Party } from "./ledger.ts";
import { type Account, accountsOf, keyOf, sumOf } from "./tally.ts";

/** How often those who wait look whether a limit was raised in config.yml, or a new day has begun. */
const LOOK_MS = 1_000;
/** How often they look whether the disk takes lines again. */
const DISK_LOOK_MS = 500;

export interface Warning {
  account: Account;
  unit: Unit;
  percent: (typeof WARNED_AT)[number];
  spent: number;
  limit: number;
  text: string;
}

/** What a run belongs to. */
export interface LedWork {
  treeId?: string;
  teamId?: string;
}

export interface CallBudgetPorts {
  ledger: Ledger;
  limits: (projectId: string, teamId?: string) => Limits;
  /** The run that all of its tree come from. */
  treeOf: (runId: string) => string;
  /** The team that a run belongs to. */
  teamOf?: (runId: string) => string | undefined;
  /** Whether a payer works for the orchestrator now, or this work of it was begun for the orchestrator. */
  isLed?: (payer: string, work: LedWork) => boolean;
  /** As it is at the moment: it may be set while a call waits. */
  priceOf?: (model: string) => Price | undefined;
  onWarning: (warning: Warning) => void;
  onTrouble: (what: string, error: unknown) => void;
}

export interface PaidCall {
  request: ModelRequest;
  /** As the house knows it. */
  model: string;
  price: Price | undefined;
  projectId: string;
  runId: string | undefined;
}

/** A call that may be sent; told what came of it exactly once. */
export interface Bill {
  answered(spent: Spent): void;
  /** Answered by somebody who does not say how much was read; `output` is a guess of what was written. */
  uncounted(output: number): void;
  /** `receivedBytes`: how much of an answer had come. undefined: the provider refused it, and nothing is paid. */
  broken(receivedBytes: number | undefined): void;
}

interface Waiting {
  call: PaidCall;
  resolve: () => void;
}

/** Lets a call through when every limit has room for the most it may cost. */
export class CallBudget {
  readonly #ports: CallBudgetPorts;
  readonly #waiting = new Set<Waiting>();
  #looking: NodeJS.Timeout | undefined;

  constructor(ports: CallBudgetPorts) {
    this.#ports = ports;
  }

  /** A bill, with the money held for it, or what it has to wait for. Throws ModelFailure when it can neither be sent nor wait. */
  admit(call: PaidCall): Bill | ModelWait {
    const party = this.#partyOf(call);
    const estimate = this.#estimate(call, party);
    const refusal = this.#refusal(party, estimate);
    if (refusal !== undefined) {
      if (refusal.isSpent) this.#warn(refusal.account, refusal, 100);
      const hintAction = refusalHint(refusal);
      return { reason: "budget", text: refusalText(refusal), ...(hintAction === undefined ? {} : { hintAction }) };
    }
    try {
      return this.#billFor(this.#ports.ledger.reserve(party, estimate), call);
    } catch (error) {
      const trouble = storageTrouble(error);
      if (trouble === undefined)
        throw new ModelFailure("broken", `The call was not sent: the ledger cannot be written (${String(error)}).`);
      return { reason: "disk", text: `the cost of the next call can't be recorded, because ${trouble}` };
    }
  }

  /** Resolves when the ledger can be written again. */
  async writable(signal: AbortSignal): Promise<void> {
    do await delay(DISK_LOOK_MS, undefined, { signal });
    while (!this.#ports.ledger.isWritable());
  }

  /** Resolves when there may be room for the call. */
  room(call: PaidCall, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.hasRoom(call, this.#estimate(call))) return Promise.resolve();
    this.#looking ??= setInterval(() => this.look(), LOOK_MS).unref();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { call, resolve: () => leave(resolve) };
      const giveUp = () => leave(() => reject(signal.reason));
      const leave = (then: () => void) => {
        signal.removeEventListener("abort", giveUp);
        this.#waiting.delete(waiting);
        then();
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(waiting);
    });
  }

  /** What the call needs that a run waits with; undefined when it waits with none. */
  neededBy(runId: string): Estimate | undefined {
    const waiting = [...this.#waiting].find(({ call }) => call.runId === runId);
    return waiting && this.#estimate(waiting.call);
  }

  /** Whether a call that needs this would be let through. Holds no money for it. */
  hasRoom(party: Pick<PaidCall, "projectId" | "runId" | "model">, needs: Estimate): boolean {
    return this.#refusal(this.#partyOf(party), needs) === undefined;
  }

  /** Whoever waits goes on when there is room: something was settled, a limit was raised, or another day has begun. */
  look(): void {
    for (const { call, resolve } of [...this.#waiting]) if (this.hasRoom(call, this.#estimate(call))) resolve();
    if (this.#waiting.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** `limited`: projects that are told of although they may have spent nothing yet. */
  report(limits: Limits["hall"], limited: readonly string[] = []): Pick<BudgetReport, "scopes" | "unpriced"> {
    const { ledger } = this.#ports;
    const { day } = ledger;
    const always: Account[] = [{ scope: "day", id: day }, { scope: "total" }];
    const booked = ledger.tally.accounts().filter(({ scope, id }) => !scope.endsWith("day") || id === day);
    const others = booked.filter(({ scope }) => scope !== "day" && scope !== "total");
    const known = new Set(others.map(keyOf));
    const unspent = limited
      .flatMap((projectId) => accountsOf({ at: day, projectId }).filter(({ scope }) => scope.startsWith("project")))
      .filter((account) => !known.has(keyOf(account)));
    const scopes = [...always, ...others, ...unspent].map((account) => this.#standing(account, limits));
    const unpriced = ledger.tally.unpriced(day).filter(({ model }) => this.#ports.priceOf?.(model) === undefined);
    return { scopes, unpriced };
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #standing({ scope, id, projectId }: Account, hall: Limits["hall"]): BudgetReport["scopes"][number] {
    const { spent, held } = this.#ports.ledger.tally.balance({ scope, id, projectId });
    const teamId = scope === "team" ? id : undefined;
    const most = limitsOf(
      scope,
      projectId === undefined && teamId === undefined && scope !== "orchestrator-day"
        ? { hall, project: {} }
        : this.#ports.limits(projectId ?? "", teamId),
    );
    const of = (unit: Unit) => {
      const limit = most[unit];
      const [used, reserved] = [countedIn(unit, spent), countedIn(unit, held)];
      return { limit, spent: used, reserved, left: limit === null ? null : Math.max(0, limit - used - reserved) };
    };
    return {
      scope,
      ...(id === undefined ? {} : { id }),
      ...(projectId === undefined ? {} : { projectId }),
      assumedUsd: spent.assumed,
      usd: of("usd"),
      tokens: of("tokens"),
    };
  }

  #refusal(payer: Party, estimate: Estimate): Refusal | undefined {
    const { ledger, limits } = this.#ports;
    const party = { ...payer, at: ledger.day };
    const price = estimate.usd === null ? this.#ports.priceOf?.(payer.model) : undefined;
    const wanted = sumOf(price === undefined ? estimate : pricedCall(estimate, price));
    return refusalOf({ party, wanted }, limits(payer.projectId, payer.teamId), (account) =>
      ledger.tally.balance(account),
    );
  }

  #estimate(call: PaidCall, party = this.#partyOf(call)): Estimate {
    return atLeast(estimateCall(call.request, call.price), this.#ports.ledger.tally.lastOf(party));
  }

  #partyOf({ projectId, runId, model }: Parameters<CallBudget["hasRoom"]>[0]): Party {
    const ledIn = (work: LedWork) => (this.#ports.isLed?.(projectId, work) === true ? { led: true as const } : {});
    if (runId === undefined) return { projectId, ...ledIn({}), model };
    const teamId = this.#ports.teamOf?.(runId);
    const work = { treeId: this.#ports.treeOf(runId), ...(teamId === undefined ? {} : { teamId }) };
    return { projectId, runId, ...work, ...ledIn(work), model };
  }

  #billFor(reservation: Reservation, call: PaidCall): Bill {
    const { ledger, limits } = this.#ports;
    const settle = (how: "answered" | "broken", spent: Spent) => {
      ledger.settle({ id: reservation.id, how, ...spent });
      const hall = limits(call.projectId, reservation.teamId);
      for (const account of accountsOf(reservation)) this.#warnReached(account, hall);
      this.look();
    };
    return {
      answered: (spent) => settle("answered", spent),
      uncounted: (output) =>
        settle("answered", { ...pricedCall({ ...reservation, output }, call.price), cacheRead: 0, cacheWrite: 0 }),
      broken: (received) => {
        const nothing: Estimate = { usd: 0, input: 0, output: 0 };
        const guess = received === undefined ? nothing : guessBroken(reservation, received, call.price);
        settle("broken", { ...guess, cacheRead: 0, cacheWrite: 0 });
      },
    };
  }

  #warnReached(account: Account, limits: Limits): void {
    const { spent } = this.#ports.ledger.tally.balance(account);
    const most = limitsOf(account.scope, limits);
    for (const unit of ["usd", "tokens"] as const) {
      const limit = most[unit];
      const percent = limit === null ? undefined : reachedMark(countedIn(unit, spent), limit);
      if (limit !== null && percent !== undefined)
        this.#warn(account, { unit, limit, spent: countedIn(unit, spent) }, percent);
    }
  }

  /** Once for each mark; one that was passed over counts as told. */
  #warn(
    account: Account,
    { unit, limit, spent }: Pick<Refusal, "unit" | "limit" | "spent">,
    percent: Warning["percent"],
  ) {
    const { ledger, onWarning } = this.#ports;
    const isNews = ledger.warn(markOf(account, { unit, limit, percent }));
    if (!isNews) return;
    for (const lower of WARNED_AT) if (lower < percent) ledger.warn(markOf(account, { unit, limit, percent: lower }));
    const text = spentText({ account, unit, limit, spent }, percent);
    onWarning({ account, unit, percent, spent, limit, text });
  }
}

export function isBill(outcome: Bill | ModelWait): outcome is Bill {
  return "answered" in outcome;
}
