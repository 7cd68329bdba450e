import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Budget } from "../../contract/documents/budget.ts";
import { Files } from "../../store/files/files.ts";
import { CallBudget, type CallBudgetPorts, isBill, type PaidCall, type Warning } from "./call-budget.ts";
import { Ledger } from "./ledger.ts";

const signal = new AbortController().signal;
const dollar = { usd: 1, input: 10, output: 10, cacheRead: 0, cacheWrite: 0 };
const call: PaidCall = {
  request: { model: "own/m", thinking: "off", system: "", tools: [], messages: [], maxTokens: 100 },
  model: "own/m",
  price: { input: 0, output: 10_000 },
  projectId: "shop",
  runId: "run-1",
};

async function openLedger(
  root: string,
  time = { now: "2026-03-01T23:59:00.000Z" },
  files = new Files(root),
): Promise<Ledger> {
  let number = 0;
  const ledger = await Ledger.open({
    files,
    clock: () => new Date(time.now),
    nextId: () => `call-${number++}`,
    isOpen: () => true,
    onTrouble: () => undefined,
  });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** Each call of it costs a dollar, and it has two of them for a day. */
async function openBudget(
  files: (root: string) => Files = (root) => new Files(root),
  more: Partial<CallBudgetPorts> = {},
) {
  const root = mkdtempSync(join(tmpdir(), "guildhall-budget-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const time = { now: "2026-03-01T23:59:00.000Z" };
  const warnings: Warning[] = [];
  const ledger = await openLedger(root, time, files(root));
  const hall = Budget.parse({ dayUsd: 2 });
  const budget = new CallBudget({
    ledger,
    limits: () => ({ hall, project: {} }),
    treeOf: (runId) => runId,
    onWarning: (warning) => warnings.push(warning),
    onTrouble: () => undefined,
    ...more,
  });
  onTestFinished(() => budget.close());
  const spend = () => {
    const bill = budget.admit(call);
    if (isBill(bill)) bill.answered(dollar);
    return isBill(bill);
  };
  return { root, budget, ledger, time, spend, warnings, hall };
}

describe("the limit of a day", () => {
  it("is there anew at midnight, and who waited goes on without being asked", async () => {
    const { budget, time, spend } = await openBudget();
    expect([spend(), spend(), spend()]).toEqual([true, true, false]);
    let isFree = false;
    const room = budget.room(call, signal).then(() => {
      isFree = true;
    });
    time.now = "2026-03-01T23:59:59.999Z";
    budget.look();
    await Promise.resolve();
    expect(isFree).toBe(false);
    time.now = "2026-03-02T00:00:00.000Z";
    budget.look();
    await room;
    expect([spend(), spend(), spend()]).toEqual([true, true, false]);
  });

  it("is not there anew for a clock that is put back", async () => {
    const { spend, time } = await openBudget();
    expect([spend(), spend()]).toEqual([true, true]);
    time.now = "2026-02-20T12:00:00.000Z";
    expect(spend()).toBe(false);
  });

  it("counts a call for the day on which it began", async () => {
    const { budget, ledger, time, warnings } = await openBudget();
    const bill = budget.admit(call);
    time.now = "2026-03-02T00:00:01.000Z";
    if (isBill(bill)) bill.answered(dollar);
    expect(ledger.tally.balance({ scope: "day", id: "2026-03-02" }).spent.usd).toBe(0);
    expect(ledger.tally.balance({ scope: "total" })).toMatchObject({ spent: { usd: 1 }, held: { usd: 0 } });
    expect(warnings).toMatchObject([{ percent: 50, account: { scope: "day", id: "2026-03-01" } }]);
  });
});

describe("a call that cannot be written down", () => {
  it("is not let through, and nothing is held for it", async () => {
    const { root, budget, ledger } = await openBudget();
    rmSync(join(root, "costs"), { recursive: true });
    writeFileSync(join(root, "costs"), "in the way");
    expect(() => budget.admit(call)).toThrow(/^The call was not sent: the ledger cannot be written/);
    expect(ledger.tally.balance({ scope: "total" })).toMatchObject({ spent: { usd: 0 }, held: { usd: 0 } });
  });

  it("at its end counts all the same, and is written when that is possible again", async () => {
    const { root, budget, ledger } = await openBudget();
    const bill = budget.admit(call);
    const costs = join(root, "costs");
    rmSync(costs, { recursive: true });
    writeFileSync(costs, "in the way");
    if (isBill(bill)) bill.answered(dollar);
    expect(ledger.tally.balance({ scope: "total" })).toMatchObject({ spent: { usd: 1 }, held: { usd: 0 } });
    rmSync(costs);
    mkdirSync(costs);
    expect(isBill(budget.admit(call))).toBe(true);
    const [opened] = readFileSync(join(costs, "2026-03-01.jsonl"), "utf8").split("\n");
    expect(JSON.parse(opened ?? "")).toMatchObject({ type: "opened", carried: { total: { usd: 1 } } });
    await ledger.close();
    const again = await openLedger(root);
    // The second is still under way, and counts as estimated.
    expect(again.tally.balance({ scope: "total" }).spent.usd).toBe(2);
  });
});

describe("a ledger that cannot be written", () => {
  /** Every line is refused with the code while there is one. */
  class FailingFiles extends Files {
    code: string | undefined;

    override openLineFile(...of: Parameters<Files["openLineFile"]>) {
      const file = super.openLineFile(...of);
      const refuse = <Args extends unknown[]>(work: (...args: Args) => void) => {
        const bound = work.bind(file);
        return (...args: Args) => {
          if (this.code !== undefined) throw Object.assign(new Error(this.code), { code: this.code });
          bound(...args);
        };
      };
      return Object.assign(file, { append: refuse(file.append), probe: refuse(file.probe) });
    }
  }

  it.each(["ENOSPC", "EROFS", "EIO"])("has calls wait for the disk, and loses nothing (%s)", async (code) => {
    let files: FailingFiles | undefined;
    const { budget, ledger } = await openBudget((root) => {
      files = new FailingFiles(root);
      return files;
    });
    if (files === undefined) throw new Error("The ledger was not opened.");
    const bill = budget.admit(call);
    files.code = code;
    expect(budget.admit(call)).toMatchObject({ reason: "disk", text: expect.stringContaining(code) });
    if (isBill(bill)) bill.answered(dollar);
    expect(ledger.tally.balance({ scope: "total" }).spent.usd).toBe(1);
    const writable = budget.writable(signal);
    files.code = undefined;
    await writable;
    expect(isBill(budget.admit(call))).toBe(true);
    const again = await openLedger(files.root);
    // The call that is open is counted as lost; the one that was answered meanwhile once.
    expect(again.tally.balance({ scope: "total" }).spent.usd).toBe(2);
  });

  it("is not waited for by one who is cancelled", async () => {
    const { budget } = await openBudget();
    await expect(budget.writable(AbortSignal.abort())).rejects.toThrow();
  });
});

describe("the budget of a team", () => {
  /** A team of two runs with two dollars; each call costs one. */
  async function openTeam() {
    const root = mkdtempSync(join(tmpdir(), "guildhall-budget-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const team = { cap: 2 as number | null };
    const warnings: Warning[] = [];
    const open = async (time?: { now: string }) => {
      const ledger = await openLedger(root, time);
      const budget = new CallBudget({
        ledger,
        limits: (_, teamId) => ({ hall: Budget.parse({}), project: {}, teamUsd: teamId === "t1" ? team.cap : null }),
        treeOf: (runId) => runId,
        teamOf: (runId) => (runId === "run-3" ? undefined : "t1"),
        onWarning: (warning) => warnings.push(warning),
        onTrouble: () => undefined,
      });
      onTestFinished(() => budget.close());
      return { ledger, budget };
    };
    return { ...(await open()), open, team, warnings };
  }

  it("is spent by all its runs together, and by no other, before a call is sent", async () => {
    const { budget, warnings } = await openTeam();
    const bills = ["run-1", "run-2"].map((runId) => budget.admit({ ...call, runId }));
    expect(bills.map(isBill)).toEqual([true, true]);
    expect(budget.admit(call)).toMatchObject({
      reason: "budget",
      text: "team budget of $2.00 reached: $0.00 spent, $2.00 reserved for open calls, up to $1.00 needed for the next call",
    });
    for (const bill of bills) if (isBill(bill)) bill.answered(dollar);
    expect(budget.admit(call)).toMatchObject({ reason: "budget", text: "team budget of $2.00 reached" });
    expect(isBill(budget.admit({ ...call, runId: "run-3" }))).toBe(true);
    expect(warnings.map(({ account, percent }) => [account.scope, account.id, percent])).toEqual([
      ["team", "t1", 50],
      ["team", "t1", 100],
    ]);
  });

  it("has room again when it is raised, and remembers over days and restarts what was spent", async () => {
    const { budget, ledger, team, open } = await openTeam();
    for (const runId of ["run-1", "run-2"]) {
      const bill = budget.admit({ ...call, runId });
      if (isBill(bill)) bill.answered(dollar);
    }
    const room = budget.room(call, signal);
    team.cap = 3;
    budget.look();
    await room;
    await ledger.close();
    const later = await open({ now: "2026-03-03T08:00:00.000Z" });
    const bill = later.budget.admit(call);
    if (isBill(bill)) bill.answered(dollar);
    expect(later.ledger.tally.balance({ scope: "team", id: "t1" }).spent.usd).toBe(3);
    expect(isBill(later.budget.admit(call))).toBe(false);
    const last = await open({ now: "2026-03-04T08:00:00.000Z" });
    expect(last.ledger.tally.balance({ scope: "team", id: "t1" }).spent.usd).toBe(3);
  });
});

it("counts the calls of work that was begun for the orchestrator on its day, and no others of the project", async () => {
  const { budget, ledger } = await openBudget(undefined, { isLed: (_, { treeId }) => treeId === "run-1" });
  for (const runId of ["run-1", "run-2", undefined]) {
    const bill = budget.admit({ ...call, runId });
    if (isBill(bill)) bill.answered({ ...dollar, usd: 0.5 });
  }
  const spent = (account: Parameters<typeof ledger.tally.balance>[0]) => ledger.tally.balance(account).spent.usd;
  expect(spent({ scope: "day", id: ledger.day })).toBe(1.5);
  expect(spent({ scope: "orchestrator-day", id: ledger.day })).toBe(0.5);
});
