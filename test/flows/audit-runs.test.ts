import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import type { JournalEntry } from "../../src/contract/runs/journal.ts";
import type { LedgerLine } from "../../src/contract/runs/ledger.ts";
import { commandLine } from "../harness/command-line.ts";
import type { Hall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { untilDoing, untilOver } from "../harness/spawned-runs.ts";

const prices = { "own/m": { input: 50, output: 10 } };
const DOLLAR = { input: 19_800, output: 1_000 };
const overrides = { model: "own/m", skills: ["read", "list", "spawn_subagent"] };

/** A parent that is refused a path and a tool, starts a child, and runs out of money; the child answers at once. */
function turnOf({ turns, text }: SeenRequest): Turn {
  if (turns === 0 && text.includes("Look around")) return { text: "Looked.", usage: DOLLAR };
  const child = { role: "coder", title: "Look around", description: "Look." };
  const calls = [
    [
      { name: "read", input: { path: "../../../outside" } },
      { name: "write", input: { path: "a.md", content: "x" } },
    ],
    [{ name: "spawn_subagent", input: child }],
  ][turns] ?? [{ name: "list", input: { path: ".", offset: turns } }];
  return { calls, usage: DOLLAR };
}

async function worked() {
  const config = { models: { default: "own/m", prices }, budget: { runUsd: 4.5, dayUsd: null } };
  const { hall, spawn } = await scriptedHall(turnOf, { config });
  await hall.call("POST", "/api/projects/shop/team", { roleId: "coder" });
  const { sessionId } = (await spawn({ overrides, task: { title: "Write a note" } })).body;
  await untilDoing(hall, sessionId, { kind: "waiting", for: "budget" });
  await hall.call("POST", `/api/runs/${sessionId}/stop`);
  await untilOver(hall, sessionId);
  return { hall, runId: sessionId as string };
}

const verify = async (hall: Hall) => (await hall.call("GET", "/api/audit/verify")).body;
const linesIn = (hall: Hall, path: string) => readFileSync(join(hall.workspace, path), "utf8").split("\n").slice(0, -1);

describe("the log of a hall whose agents worked", () => {
  it("leads from each run to its steps and to what each of them cost [S0-SEC-05]", async () => {
    const { hall, runId } = await worked();
    const events: HallEvent[] = (await hall.call("GET", "/api/events/log?tail=100")).body.events;
    const ended = events.filter(({ type }) => type === "run.ended");
    expect(ended).toHaveLength(2);
    const child = events.find(({ type, after }) => type === "run.created" && after?.parentRunId === runId);
    expect(ended.map(({ subject }) => subject.id)).toEqual([child?.subject.id, runId]);
    expect(ended[1]).toMatchObject({ after: { status: "cancelled", costUsd: 3 } });
    const steps = linesIn(hall, pathOf(ended[1])).map((line) => JSON.parse(line));
    const told = (steps as JournalEntry[]).flatMap((step) =>
      step.type === "result" ? [`${step.name} ${step.failed === true}`] : step.type === "waiting" ? [step.reason] : [],
    );
    expect(told).toEqual(["read true", "write true", "spawn_subagent false", "list false", "budget"]);
    const ledger = costsOf(hall);
    for (const { subject, after } of ended) {
      const calls = ledger.flatMap((line) => (line.type === "reserved" && line.runId === subject.id ? [line.id] : []));
      const spent = ledger.filter((line) => line.type === "settled" && calls.includes(line.id)) as { usd: number }[];
      expect(spent.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(after?.costUsd as number, 9);
    }
    const tail = await commandLine(["events", "tail", "-n", "100"], { workspace: hall.workspace });
    expect(tail.stdout).toMatch(new RegExp(`run\\.ended +shop/${runId}`));
    const logs = await commandLine(["run", "logs", runId], { workspace: hall.workspace });
    expect(logs.stdout).toContain("is refused: it leaves the folder");
    const said = await commandLine(["audit", "verify"], { workspace: hall.workspace });
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("2 journals, 1 day of costs") });
  });

  it("names file and line of whatever is changed in it, in a journal or in the ledger [S0-SEC-05]", async () => {
    const { hall } = await worked();
    const log = `events/${readdirSync(join(hall.workspace, "events")).find((name) => name.endsWith(".jsonl"))}`;
    const costs = `costs/${readdirSync(join(hall.workspace, "costs"))[0]}`;
    const { events } = (await hall.call("GET", "/api/events/log?tail=100&type=run.ended")).body;
    const journal = String((events[1]?.after?.journal as { path: string } | undefined)?.path);
    expect(await verify(hall)).toMatchObject({ ok: true, journals: 2, ledgers: 1, faults: [] });
    for (const path of [journal, costs, log]) {
      const before = readFileSync(join(hall.workspace, path));
      const lines = linesIn(hall, path);
      expect(lines.length).toBeGreaterThan(6);
      for (const [how, line, changed] of tampered(lines)) {
        writeFileSync(join(hall.workspace, path), changed);
        const { ok, faults } = await verify(hall);
        expect([path, how, ok]).toEqual([path, how, false]);
        const named = faults
          .filter(({ file }: { file: string }) => file === path)
          .map((fault: { line: number }) => fault.line);
        expect(named, `${how} in ${path}: ${JSON.stringify(faults)}`).toContain(line);
      }
      writeFileSync(join(hall.workspace, path), before);
    }
    expect(await verify(hall)).toMatchObject({ ok: true });
  });
});

function pathOf(event: HallEvent | undefined): string {
  return (event?.after?.journal as { path: string } | undefined)?.path ?? "";
}

/** What may be done to lines, and the first that is then not as it was. */
function tampered(lines: readonly string[]): [how: string, line: number, changed: string][] {
  const text = (changed: readonly string[]) => `${changed.join("\n")}\n`;
  const third = lines[2] as string;
  const digit = third.search(/\d(?=[^\d]*$)/);
  const other = `${third.slice(0, digit)}${(Number(third[digit]) + 1) % 10}${third.slice(digit + 1)}`;
  return [
    ["one digit", 3, text(lines.with(2, other))],
    ["one removed", 3, text(lines.toSpliced(2, 1))],
    ["one twice", 4, text(lines.toSpliced(2, 0, third))],
    ["two swapped", 3, text(lines.with(2, lines[3] as string).with(3, third))],
    ["cut off", lines.length, text(lines.slice(0, -1))],
    ["cut within", lines.length, text(lines).slice(0, -9)],
  ];
}

function costsOf(hall: Hall): LedgerLine[] {
  return readdirSync(join(hall.workspace, "costs")).flatMap((name) =>
    linesIn(hall, `costs/${name}`).map((line) => JSON.parse(line) as LedgerLine),
  );
}
