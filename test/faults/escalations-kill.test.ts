import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import type { EscalationStatus } from "../../src/contract/documents/escalation-status.ts";
import { openHall } from "../../src/workspace/hall/open-hall.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";
import { fieldsAt, versionOf } from "./escalation-load.ts";

const CYCLES = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 2);
const LONGEST_LOAD_MS = 150;

interface Line {
  id: string;
  version: number;
  is: "begun" | "durable";
}

/** What may be there of each escalation: from the last version that was acknowledged to the last that was begun. */
type Ledger = Map<string, { from: number; to: number }>;

describe("a process that is killed while it writes escalations", () => {
  it(`loses and doubles none that it acknowledged (${CYCLES} kills)`, { timeout: 600_000 }, async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const random = numbersFrom(Number(process.env.GUILDHALL_FAULT_SEED ?? 1));
    const ledger: Ledger = new Map();
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      await writeAndKill(workspace, ledger, random() * LONGEST_LOAD_MS);
      await assertWhole(workspace, ledger);
    }
    expect(ledger.size).toBeGreaterThan(CYCLES);
  });
});

/** The time counts from the first change that was acknowledged. */
async function writeAndKill(workspace: string, ledger: Ledger, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "escalation-writer.ts"), workspace], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let timer: NodeJS.Timeout | undefined;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (text) => {
    timer ??= setTimeout(() => child.kill("SIGKILL"), afterMs);
    if (text.endsWith("}")) note(ledger, JSON.parse(text) as Line);
  });
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  expect(child.signalCode).toBe("SIGKILL");
}

function note(ledger: Ledger, { id, version, is }: Line): void {
  const known = ledger.get(id) ?? { from: 0, to: 0 };
  ledger.set(id, is === "durable" ? { from: version, to: version } : { ...known, to: version });
}

async function assertWhole(workspace: string, ledger: Ledger): Promise<void> {
  const grown = await stateOf(workspace);
  const files = (["draft", "pending", "resolved"] as const).flatMap((folder) => filesIn(workspace, folder));
  expect(new Set(files.map(({ id }) => id)).size).toBe(files.length);
  expect(files.filter(({ status, folder }) => status !== folder)).toEqual([]);
  expect(grown.invalid).toEqual([]);
  const found = new Map(grown.escalations.map((escalation) => [escalation.id, escalation]));
  for (const [id, { from, to }] of ledger) {
    const escalation = found.get(id);
    const version = escalation === undefined ? -1 : versionOf(escalation);
    expect(version >= from && version <= to, `${id} has version ${version}, not ${from} to ${to}`).toBe(true);
    expect(escalation).toMatchObject(expected(version));
  }
  rmSync(join(workspace, ".guildhall/index.db"), { force: true });
  expect(await stateOf(workspace)).toEqual(grown);
}

function expected(version: number): object {
  const { status, context, resolution } = fieldsAt(version);
  return { status, context, resolution };
}

/** Everything the documents say after a start, and that the log is whole. */
async function stateOf(workspace: string) {
  const { hall, close } = await openHall({ workspace, clock: () => new Date(), version: "0" });
  try {
    expect(await hall.events.verify()).toMatchObject({ ok: true });
    const events = await hall.events.read({ after: 0, limit: 1_000_000 });
    expect(events.filter(({ actor }) => actor.via === "file")).toEqual([]);
    const { escalations, invalid } = hall.escalations.list({ limit: 100_000, snoozed: true });
    const open = hall.escalations.open().map(({ id }) => id);
    return { escalations, invalid, open: open.sort() };
  } finally {
    await close();
  }
}

function filesIn(workspace: string, folder: EscalationStatus) {
  const path = join(workspace, "escalations", folder);
  return readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const { id, status } = JSON.parse(readFileSync(join(path, name), "utf8")) as { id: string; status: string };
      return { id, status, folder };
    });
}
