import type { Scope } from "../../contract/documents/budget.ts";
import { assumedUsd } from "../../contract/runs/assumed-price.ts";
import type {
  Carried,
  Charge,
  KeptPause,
  LedgerLine,
  Reservation,
  RunSum,
  Spent,
  Sum,
} from "../../contract/runs/ledger.ts";
import { TalkTally } from "./talk-tally.ts";

/** One thing that a limit can be about. */
export interface Account {
  scope: Scope;
  id?: string | undefined;
  projectId?: string | undefined;
}

export interface Balance {
  spent: Sum;
  held: Sum;
}

export type Party = Pick<Reservation, "at" | "projectId" | "treeId" | "teamId" | "led">;

/** Every account that a call is booked on, the narrowest first. A call counts for the day on which it began. */
export function accountsOf({ at, projectId, treeId, teamId, led }: Party): Account[] {
  const day = at.slice(0, 10);
  return [
    ...(treeId === undefined ? [] : [{ scope: "run" as const, id: treeId, projectId }]),
    ...(teamId === undefined ? [] : [{ scope: "team" as const, id: teamId, projectId }]),
    { scope: "project-day", id: day, projectId },
    { scope: "project", projectId },
    ...(led === undefined ? [] : [{ scope: "orchestrator-day" as const, id: day }]),
    { scope: "day", id: day },
    { scope: "total" },
  ];
}

export function keyOf({ scope, id = "", projectId = "" }: Account): string {
  return scope === "run" || scope === "team" ? `${scope} ${id}` : `${scope} ${projectId} ${id}`;
}

/** What the lines of the ledger come to. Knows nothing of limits. */
export class Tally {
  readonly talks = new TalkTally();
  readonly #balances = new Map<string, Account & Balance>();
  readonly #open = new Map<string, Reservation>();
  readonly #runs = new Map<string, RunSum & { treeId: string }>();
  readonly #unpriced = new Map<string, { day: string; calls: number; tokens: number }>();
  readonly #warned = new Set<string>();
  /** What the last call of a tree to a model really took. */
  readonly #last = new Map<string, Spent>();
  readonly #paused = new Map<string, KeptPause>();
  /** The call that was settled last. */
  #settled: string | undefined;

  apply(line: LedgerLine): void {
    switch (line.type) {
      case "opened":
        this.#carryIn(line.carried);
        break;
      case "reserved":
        this.#reserve(line);
        break;
      case "settled":
        this.#settle(line);
        break;
      case "warned":
        this.#warned.add(line.mark);
        break;
      case "paused":
        this.#pause(line);
        break;
      case "resumed":
        this.#paused.delete(line.provider);
        break;
    }
  }

  balance(account: Account): Balance {
    return this.#balances.get(keyOf(account)) ?? { spent: nothing(), held: nothing() };
  }

  /** Every account on which something was booked. */
  accounts(): (Account & Balance)[] {
    return [...this.#balances.values()];
  }

  runSum(runId: string): RunSum | undefined {
    return this.#runs.get(runId);
  }

  lastOf({ treeId = "", model }: Pick<Reservation, "treeId" | "model">): Spent | undefined {
    return this.#last.get(`${treeId} ${model}`);
  }

  unpriced(day: string): { model: string; calls: number; tokens: number }[] {
    return [...this.#unpriced]
      .filter(([, of]) => of.day === day)
      .map(([model, { calls, tokens }]) => ({ model, calls, tokens }));
  }

  isWarned(mark: string): boolean {
    return this.#warned.has(mark);
  }

  /** Providers whose quota was used up when last heard of. */
  paused(): KeptPause[] {
    return [...this.#paused.values()];
  }

  openCall(id: string): Reservation | undefined {
    return this.#open.get(id);
  }

  /** Reserved, and not settled. */
  openCalls(): Reservation[] {
    return [...this.#open.values()];
  }

  /** What the file of a new day has to know of all before it. */
  carried(day: string, isOpen: (treeId: string) => boolean): Carried {
    const of = (scope: Scope) => this.accounts().filter((account) => account.scope === scope);
    const byId = (accounts: (Account & Balance)[], id: (account: Account) => string | undefined) =>
      Object.fromEntries(accounts.map((account) => [id(account) ?? "", account.spent]));
    const trees = of("run").filter(({ id = "" }) => isOpen(id));
    const kept = new Set(trees.map(({ id }) => id));
    return {
      total: this.balance({ scope: "total" }).spent,
      day: {
        id: day,
        sum: this.balance({ scope: "day", id: day }).spent,
        projects: byId(
          of("project-day").filter(({ id }) => id === day),
          ({ projectId }) => projectId,
        ),
        led: this.balance({ scope: "orchestrator-day", id: day }).spent,
      },
      projects: byId(of("project"), ({ projectId }) => projectId),
      trees: byId(trees, ({ id }) => id),
      teams: byId(of("team"), ({ id }) => id),
      runs: Object.fromEntries([...this.#runs].filter(([, run]) => kept.has(run.treeId))),
      talks: this.talks.carried(day),
      open: this.openCalls(),
      paused: this.paused(),
      warned: [...this.#warned].filter(
        (mark) => /^(?:project|team|total) /.test(mark) || trees.some((tree) => mark.startsWith(`${keyOf(tree)} `)),
      ),
    };
  }

  /** What no limit of that day or later can be about any more. */
  forget(day: string, isOpen: (treeId: string) => boolean): void {
    for (const [key, { scope, id = "", held }] of this.#balances) {
      const isPast = scope === "run" ? !isOpen(id) : scope.endsWith("day") && id < day;
      if (isPast && held.tokens === 0) this.#balances.delete(key);
    }
    for (const [id, { treeId }] of this.#runs) if (!isOpen(treeId) && !isOpen(id)) this.#runs.delete(id);
    for (const kind of this.#last.keys()) if (!isOpen(kind.split(" ")[0] ?? "")) this.#last.delete(kind);
  }

  #carryIn({ total, day, projects, trees, teams = {}, runs, talks = [], open, warned, paused }: Carried): void {
    const put = (account: Account, spent: Sum) =>
      this.#balances.set(keyOf(account), { ...account, spent: { ...spent }, held: nothing() });
    put({ scope: "total" }, total);
    put({ scope: "day", id: day.id }, day.sum);
    if (day.led !== undefined) put({ scope: "orchestrator-day", id: day.id }, day.led);
    for (const [projectId, sum] of Object.entries(day.projects))
      put({ scope: "project-day", id: day.id, projectId }, sum);
    for (const [projectId, sum] of Object.entries(projects)) put({ scope: "project", projectId }, sum);
    for (const [id, sum] of Object.entries(trees)) put({ scope: "run", id }, sum);
    for (const [id, sum] of Object.entries(teams)) put({ scope: "team", id }, sum);
    for (const [id, run] of Object.entries(runs)) this.#runs.set(id, { ...run });
    for (const sum of talks) this.talks.put(sum);
    for (const mark of warned) this.#warned.add(mark);
    for (const reservation of open) this.#reserve(reservation);
    for (const pause of paused) this.#pause(pause);
  }

  #pause({ provider, until, reason, tries }: KeptPause): void {
    this.#paused.set(provider, { provider, until, reason, tries });
  }

  #reserve(reservation: Reservation): void {
    if (this.#open.has(reservation.id)) return;
    this.#open.set(reservation.id, reservation);
    for (const { held } of this.#booked(reservation)) add(held, sumOf(reservation), 1);
  }

  #settle(charge: Charge): void {
    const held = this.#open.get(charge.id);
    const reservation = held ?? reservationOf(charge);
    // A line that the disk took all but the last byte of is written again, right after itself.
    if (reservation === undefined || charge.id === this.#settled) return;
    this.#settled = charge.id;
    this.#open.delete(charge.id);
    for (const balance of this.#booked(reservation)) {
      if (held !== undefined) add(balance.held, sumOf(held), -1);
      add(balance.spent, sumOf(charge), 1);
    }
    if (charge.how === "answered") this.#last.set(`${reservation.treeId ?? ""} ${reservation.model}`, charge);
    if (reservation.runId === undefined) this.talks.add(reservation, charge);
    this.#noteRun(reservation, charge);
    if (charge.usd === null) this.#noteUnpriced(reservation, charge);
  }

  #booked(reservation: Reservation): Balance[] {
    return accountsOf(reservation).map((account) => {
      const key = keyOf(account);
      const balance = this.#balances.get(key) ?? { ...account, spent: nothing(), held: nothing() };
      // A tree that was carried over from another day does not name its project.
      balance.projectId ??= account.projectId;
      this.#balances.set(key, balance);
      return balance;
    });
  }

  #noteRun({ runId, treeId }: Reservation, { usd, input, output, cacheRead, cacheWrite }: Spent): void {
    if (runId === undefined || treeId === undefined) return;
    const none = { treeId, usd: 0, assumed: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, unpriced: 0 };
    const sum = this.#runs.get(runId) ?? none;
    sum.usd += usd ?? 0;
    sum.assumed += assumedUsd({ usd, input, output });
    sum.input += input;
    sum.output += output;
    sum.cacheRead += cacheRead;
    sum.cacheWrite += cacheWrite;
    if (usd === null && input + output > 0) sum.unpriced++;
    this.#runs.set(runId, sum);
  }

  /** Calls without a response may have used tokens, but are not among the calls that costs list. */
  #noteUnpriced({ model, at }: Reservation, { how, input, output }: Charge): void {
    const day = at.slice(0, 10);
    const known = this.#unpriced.get(model);
    const before = known?.day === day ? known : { calls: 0, tokens: 0 };
    this.#unpriced.set(model, {
      day,
      calls: before.calls + (how === "answered" ? 1 : 0),
      tokens: before.tokens + input + output,
    });
  }
}

export function sumOf(amount: Pick<Reservation, "usd" | "input" | "output">): Sum {
  return { usd: amount.usd ?? 0, tokens: amount.input + amount.output, assumed: assumedUsd(amount) };
}

function nothing(): Sum {
  return { usd: 0, tokens: 0, assumed: 0 };
}

/** What was reserved for it, when only its end can still be read. */
function reservationOf({ id, of }: Charge): Reservation | undefined {
  return of === undefined ? undefined : { id, ...of, usd: 0, input: 0, output: 0 };
}

/** Sums of many small amounts, taken away again, must come to nothing and not to a little less. */
function add(to: Sum, amount: Sum, sign: 1 | -1): void {
  for (const unit of ["usd", "assumed"] as const)
    to[unit] = Math.max(0, Math.round((to[unit] + sign * amount[unit]) * 1e12) / 1e12);
  to.tokens = Math.max(0, to.tokens + sign * amount.tokens);
}
