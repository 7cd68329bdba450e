import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { EscalationStatus } from "../src/contract/documents/escalation-status.ts";
import type { Escalations } from "../src/workspace/escalations/escalations.ts";
import { openHall } from "../src/workspace/hall/open-hall.ts";
import { escalationId, escalationPath } from "../src/workspace/layout.ts";
import type { Bench } from "./kit/bench.ts";
import { count, median, ms, timed, times } from "./kit/figures.ts";
import type { Line, Table } from "./kit/report.ts";
import { pick, seededChance } from "./kit/words.ts";

const RESOLVED = 10_000;
const PENDING = 500;
const ALL = { limit: 1_000, snoozed: true };
const change = { actor: { kind: "person" as const, via: "http" as const } };

/** The documents of escalations, against what a program without an index does for the same. */
export async function escalations({ workspaces, quick }: Bench): Promise<Table> {
  const workspace = workspaces.folder("escalations");
  const coldMs = await timed(() => opened(workspace).then(({ close }) => close()));
  writeFiles(workspace);
  rmSync(join(workspace, ".guildhall/index.db"));
  const firstMs = await timed(() => opened(workspace).then(({ close }) => close()));
  const { hall, close } = await opened(workspace);
  const lines = await linesOf(hall.escalations, workspace, quick ? 30 : 200);
  await close();
  return {
    title: `Escalations: ${count(PENDING)} pending, ${count(RESOLVED)} resolved`,
    columns: ["", "time", "floor", "of floor"],
    lines: [
      ...lines,
      {
        cells: ["start without an index (floor: an empty workspace)", ms(firstMs), ms(coldMs), times(firstMs / coldMs)],
      },
    ],
  };
}

const opened = (workspace: string) => openHall({ workspace, clock: () => new Date(), version: "0" });

async function linesOf(board: Escalations, workspace: string, rounds: number): Promise<Line[]> {
  const pending = board.list({ ...ALL, status: "pending" }).escalations;
  const all = board.list({ ...ALL, limit: RESOLVED + PENDING }).escalations;
  const text = JSON.stringify(pending);
  const one = () => escalationId(1 + Math.floor(Math.random() * PENDING));
  const fileOf = (id: string) => join(workspace, escalationPath("pending", id));
  const line = async (name: string, work: () => unknown, floor: () => unknown): Promise<Line> => {
    const [taken, least] = [await sampled(work, rounds), await sampled(floor, rounds)];
    return { cells: [name, ms(taken), ms(least), times(taken / least)] };
  };
  let turn = 0;
  const raise = () =>
    board.change(one(), (now) => ({ ...now, context: `turn ${++turn}` }), { type: "escalation.updated" }, change);
  return [
    await line(
      "list the pending ones (floor: parse as much JSON)",
      () => board.list({ ...ALL, status: "pending" }),
      () => JSON.parse(text),
    ),
    await line(
      "all open ones, from memory (floor: copy the list)",
      () => board.open(),
      () => [...pending],
    ),
    await line(
      "find a word among all (floor: look through as many texts)",
      () => board.list({ ...ALL, q: "lighthouse", limit: 20 }),
      () => all.filter((each) => each.context.includes("lighthouse")),
    ),
    await line(
      "get one (floor: read and parse its file)",
      () => board.get(one()),
      () => JSON.parse(readFileSync(fileOf(one()), "utf8")),
    ),
    await line("change one (floor: a bare durable replace)", raise, () => replaceDurably(fileOf(one()), workspace)),
  ];
}

async function sampled(work: () => unknown, rounds: number): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await timed(work));
  return median(samples);
}

/** The same bytes beside the file, as a program would write them that must not lose them. */
async function replaceDurably(from: string, workspace: string): Promise<void> {
  const folder = join(workspace, "floor");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "esc.json");
  const file = await open(`${path}.tmp`, "w");
  await file.writeFile(readFileSync(from));
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
  const parent = await open(folder, "r");
  await parent.sync();
  await parent.close();
}

function writeFiles(workspace: string): void {
  const chance = seededChance(RESOLVED);
  const words = ["harbour", "lighthouse", "orchard", "ledger", "retry", "cache", "queue", "token", "invoice", "layout"];
  const text = (length: number) => Array.from({ length }, () => pick(chance, words)).join(" ");
  const write = (number: number, status: EscalationStatus) => {
    const id = escalationId(number);
    const at = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
    const answer = { outcome: "answered", resolution: text(12), resolvedBy: "person", resolvedAt: at };
    const document = {
      id,
      type: "decision",
      projectId: "harbour",
      question: `${text(8)} ${number}?`,
      context: text(60),
      suggestedAnswers: [
        { label: text(1), description: text(6) },
        { label: text(2), description: text(6) },
      ],
      priority: pick(chance, ["low", "medium", "high", "urgent"]),
      createdAt: at,
      updatedAt: at,
      status,
      ...(status === "resolved" ? answer : {}),
    };
    writeFileSync(join(workspace, escalationPath(status, id)), `${JSON.stringify(document, null, 2)}\n`);
  };
  for (let number = 1; number <= PENDING; number++) write(number, "pending");
  for (let number = PENDING + 1; number <= PENDING + RESOLVED; number++) write(number, "resolved");
}
