import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LedgerLine } from "../../contract/runs/ledger.ts";
import { Files } from "../../store/files/files.ts";
import { Ledger } from "./ledger.ts";

const answered = { how: "answered" as const, cacheRead: 0, cacheWrite: 0 };
const estimate = { usd: 2, input: 100, output: 100 };
const real = { usd: 1, input: 90, output: 10 };
const party = { projectId: "shop", runId: "run-2", treeId: "run-1", model: "own/m" };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "guildhall-ledger-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** No id comes twice, in whichever life of a ledger. */
let number = 0;

/** A ledger whose time is the test's. */
async function openLedger(root: string, time = { now: "2026-03-01T12:00:00.000Z" }) {
  const ledger = await Ledger.open({
    files: new Files(root),
    clock: () => new Date(time.now),
    nextId: () => `${time.now} ${number++}`,
    isOpen: (treeId) => treeId === "run-1",
    onTrouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  onTestFinished(() => ledger.close());
  const spend = (of = party) => ledger.settle({ id: ledger.reserve(of, estimate).id, ...answered, ...real });
  const spent = (scope: "run" | "day" | "total" | "project" | "project-day") =>
    ledger.tally
      .accounts()
      .filter((account) => account.scope === scope)
      .map(({ spent: { usd } }) => usd);
  return { ledger, spend, spent, time };
}

describe("the ledger", () => {
  it("holds the estimate while a call is under way, and keeps what it cost", async () => {
    const { ledger } = await openLedger(folder());
    const { id } = ledger.reserve(party, estimate);
    const account = { scope: "run", id: "run-1", projectId: "shop" } as const;
    expect(ledger.tally.balance(account)).toMatchObject({
      spent: { usd: 0, tokens: 0 },
      held: { usd: 2, tokens: 200 },
    });
    ledger.settle({ id, ...answered, ...real });
    ledger.settle({ id, ...answered, ...real });
    expect(ledger.tally.balance(account)).toMatchObject({
      spent: { usd: 1, tokens: 100 },
      held: { usd: 0, tokens: 0 },
    });
    expect(ledger.runSum("run-2")).toMatchObject({ usd: 1, input: 90, output: 10, unpriced: 0 });
  });

  it("counts the calls of a model without a price as costs do: those with a response", async () => {
    const { ledger } = await openLedger(folder());
    for (const how of ["answered", "broken", "lost"] as const)
      ledger.settle({ id: ledger.reserve(party, estimate).id, ...answered, how, ...real, usd: null });
    expect(ledger.tally.unpriced("2026-03-01")).toEqual([{ model: "own/m", calls: 1, tokens: 300 }]);
  });

  it("has every line in its file at once", async () => {
    const root = folder();
    const { ledger } = await openLedger(root);
    ledger.reserve(party, estimate);
    const lines = readFileSync(join(root, "costs/2026-03-01.jsonl"), "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as LedgerLine).type)).toEqual(["opened", "reserved"]);
  });

  it("counts a call that a crash left open as estimated, once, whatever stands behind a torn line", async () => {
    const root = folder();
    const first = await openLedger(root);
    first.spend();
    first.ledger.reserve(party, estimate);
    appendFileSync(join(root, "costs/2026-03-01.jsonl"), '{"type":"reserved","id":"to');
    for (let life = 0; life < 3; life++) {
      const { ledger, spent } = await openLedger(root);
      expect([spent("run"), spent("day"), spent("total")]).toEqual([[3], [3], [3]]);
      expect(ledger.tally.openCalls()).toEqual([]);
    }
  });

  it("begins another file each day with what came before, and needs no other", async () => {
    const root = folder();
    const { ledger, spend, spent, time } = await openLedger(root);
    spend();
    spend({ ...party, runId: "run-9", treeId: "run-9" });
    const open = ledger.reserve(party, estimate);
    expect(ledger.warn("total   usd 10 50")).toBe(true);
    time.now = "2026-03-02T00:00:01.000Z";
    spend();
    ledger.settle({ id: open.id, ...answered, ...real });
    expect(readdirSync(join(root, "costs"))).toHaveLength(2);
    expect(spent("run")).toEqual([3]);
    unlinkSync(join(root, "costs/2026-03-01.jsonl"));
    const again = await openLedger(root, { now: "2026-03-02T01:00:00.000Z" });
    expect([again.spent("total"), again.spent("project"), again.spent("run")]).toEqual([[4], [4], [3]]);
    expect(again.ledger.tally.balance({ scope: "day", id: "2026-03-02" }).spent.usd).toBe(1);
    expect(again.ledger.warn("total   usd 10 50")).toBe(false);
    expect(again.ledger.runSum("run-9")).toBeUndefined();
  });

  it("goes on in a new file when the old one is taken away", async () => {
    const root = folder();
    const { spend } = await openLedger(root);
    spend();
    unlinkSync(join(root, "costs/2026-03-01.jsonl"));
    spend();
    const again = await openLedger(root);
    expect([again.spent("total"), again.spent("day"), again.spent("project-day")]).toEqual([[2], [2], [2]]);
  });

  it("counts what has an end, and what has a beginning, when a line is damaged, and says so", async () => {
    const root = folder();
    const first = await openLedger(root);
    first.spend();
    first.spend();
    await first.ledger.close();
    const path = join(root, "costs/2026-03-01.jsonl");
    const lines = readFileSync(path, "utf8").split("\n");
    // The beginning of one call, and the end of the other.
    lines[1] = `\0\0${lines[1]?.slice(9)}`;
    lines[4] = "";
    writeFileSync(path, lines.join("\n"));
    const again = await openLedger(root);
    expect([again.spent("run"), again.spent("day"), again.spent("total"), again.spent("project")]).toEqual(
      Array(4).fill([1 + estimate.usd]),
    );
    expect(again.ledger.damaged).toEqual([{ file: "costs/2026-03-01.jsonl", line: 2 }]);
    expect(again.ledger.runSum("run-2")).toMatchObject({ usd: 1 + estimate.usd });
  });

  it("counts for the day it writes in when the clock is put back, and for no day twice", async () => {
    const root = folder();
    const { spend, ledger, time } = await openLedger(root);
    spend();
    time.now = "2026-02-27T12:00:00.000Z";
    spend();
    expect([ledger.day, ledger.isAhead]).toEqual(["2026-03-01", true]);
    expect(ledger.tally.balance({ scope: "day", id: ledger.day }).spent.usd).toBe(2);
    const again = await openLedger(root, time);
    again.spend();
    expect(again.ledger.tally.balance({ scope: "day", id: "2026-03-01" }).spent.usd).toBe(3);
    expect(readdirSync(join(root, "costs"))).toEqual(["2026-03-01.jsonl"]);
  });

  it("keeps a provider's pause until it is over, also from one day to the next", async () => {
    const root = folder();
    const { ledger, spend, time } = await openLedger(root);
    const pause = { provider: "own", until: "2026-03-02T01:00:00.000Z", reason: "Nothing left.", tries: 2 };
    ledger.paused(pause);
    ledger.paused({ ...pause, provider: "other" });
    ledger.resumed("other");
    time.now = "2026-03-02T00:00:01.000Z";
    spend();
    unlinkSync(join(root, "costs/2026-03-01.jsonl"));
    expect((await openLedger(root, time)).ledger.tally.paused()).toEqual([pause]);
  });

  it("remembers what the last call of a tree took, for the next estimate", async () => {
    const root = folder();
    const { spend } = await openLedger(root);
    spend();
    const again = await openLedger(root);
    expect(again.ledger.tally.lastOf(party)).toMatchObject(real);
    expect(again.ledger.tally.lastOf({ ...party, model: "other/m" })).toBeUndefined();
  });
});
