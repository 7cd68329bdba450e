import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LedgerLine } from "../../src/contract/runs/ledger.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import { timeSortedIds } from "../../src/store/ids.ts";
import { BUSY_PROJECTS } from "./busy-words.ts";

const DAY_MS = 86_400_000;
const AT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

type Line = { type: string; run?: Run; runId?: string; journal?: string };

/**
 * Gives a workspace that is not in use a past: every run of today that came to its end is told again for some earlier days,
 * with its journal, and what it cost is in the ledger. The log knows nothing of it, so the list of events does not show it.
 */
export function inventPast(workspace: string, days: number): void {
  for (const { id } of BUSY_PROJECTS) {
    const book = join(workspace, `projects/${id}/runs/index.jsonl`);
    if (!existsSync(book)) continue;
    const lines = readFileSync(book, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const merged = lines.filter((line) => isFinished(line));
    for (const line of lines) payRehearsed(workspace, JSON.parse(line) as Line);
    for (let ago = 1; ago <= days; ago++)
      for (const [place, settled] of merged.entries())
        for (let times = (ago * 7 + place * 5 + id.length) % 4; times > 0; times--)
          tellAgain({ workspace, book, lines, settled, ago });
  }
}

function isFinished(text: string): boolean {
  const { type, run } = JSON.parse(text) as Line;
  return (
    type === "settled" &&
    run?.status === "completed" &&
    run.delivery?.state !== "review" &&
    run.parentRunId === undefined
  );
}

interface Again {
  workspace: string;
  book: string;
  lines: readonly string[];
  settled: string;
  ago: number;
}

function tellAgain({ workspace, book, lines, settled, ago }: Again): void {
  const { run } = JSON.parse(settled) as { run: Run };
  const then = new Date(Date.parse(run.createdAt) - ago * DAY_MS);
  const id = `run-${timeSortedIds(() => then)()}`;
  const retold = (text: string) =>
    text
      .replaceAll(run.id, id)
      .replaceAll(AT, (at) => new Date(Date.parse(at) - ago * DAY_MS).toISOString())
      .replaceAll(`/runs/${run.createdAt.slice(0, 10)}/`, `/runs/${then.toISOString().slice(0, 10)}/`);
  const own = lines.filter((line) => {
    const { run: whole, runId } = JSON.parse(line) as Line;
    return (whole?.id ?? runId) === run.id;
  });
  const journal = (JSON.parse(own[0] ?? "{}") as Line).journal ?? "";
  const target = join(workspace, retold(journal));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, retold(readFileSync(join(workspace, journal), "utf8")));
  appendFileSync(book, `${own.map(retold).join("\n")}\n`);
  payAgain(workspace, JSON.parse(retold(settled)).run as Run);
}

/** The offline model is free, but here it has the prices of those it plays, and runs tell them: let the ledger agree. */
function payRehearsed(workspace: string, { type, run }: Line): void {
  if (type === "settled" && run?.model.startsWith("offline/")) payAgain(workspace, run);
}

/** In one call, for the sums of the project and the hall. */
function payAgain(workspace: string, { id, projectId, createdAt: at, model, usage }: Run): void {
  const costs = join(workspace, "costs");
  const newest = readdirSync(costs).sort().at(-1);
  if (newest === undefined) return;
  const paid = { usd: usage.costKnown ? usage.costUsd : null, input: usage.inputTokens, output: usage.outputTokens };
  const cached = { cacheRead: usage.cacheReadTokens, cacheWrite: usage.cacheWriteTokens };
  const lines: LedgerLine[] = [
    { type: "reserved", id, at, projectId, runId: id, model, ...paid },
    { type: "settled", id, at, how: "answered", ...paid, ...cached },
  ];
  appendFileSync(join(costs, newest), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
