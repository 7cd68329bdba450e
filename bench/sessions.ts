import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import { median, ms, times } from "./kit/figures.ts";
import type { Line, Table } from "./kit/report.ts";

const MEGABYTE = 2 ** 20;
const LARGE = 100 * MEGABYTE;
const GOAL_MS = 1_000;
const GOAL_MB = 50;
const SCRIPT = join(import.meta.dirname, "kit/session-opening.ts");

interface Opening {
  ms: number;
  mb: number;
}

/** Opening a session in a process of its own, against a bare read of as many bytes from the end and parsing their lines. */
export async function sessions({ workspaces, quick }: Bench): Promise<Table> {
  const lines: Line[] = [];
  const large = workspaces.folder("session-large");
  writeSession(large, LARGE);
  const small = workspaces.folder("session-small");
  writeSession(small, MEGABYTE / 2);
  for (const [name, folder] of [
    ["about 1,000 lines", small],
    ["100 MB without a summary", large],
  ] as const) {
    const floor = opened("bare", folder, quick);
    lines.push(lineOf(`${name}, bare read of its end`, floor, floor));
    lines.push(lineOf(`${name}, opened`, opened("session", folder, quick), floor));
  }
  return { title: "Opening a session", columns: ["", "time", "more memory", "of bare"], lines };
}

function opened(what: "bare" | "session", folder: string, quick: boolean): Opening {
  const rounds = Array.from({ length: quick ? 3 : 7 }, () => {
    const output = execFileSync(process.execPath, [SCRIPT, what, folder], { encoding: "utf8" });
    return JSON.parse(output) as Opening;
  });
  return { ms: median(rounds.map((round) => round.ms)), mb: median(rounds.map((round) => round.mb)) };
}

function lineOf(name: string, opening: Opening, floor: Opening): Line {
  const isMet = opening.ms < GOAL_MS && opening.mb < GOAL_MB;
  return {
    cells: [name, ms(opening.ms), `${opening.mb.toFixed(1)} MB`, times(opening.ms / floor.ms)],
    goal: opening === floor ? undefined : { text: `< ${GOAL_MS} ms, < ${GOAL_MB} MB`, isMet },
  };
}

/** Turns of five lines: a message, a call with its result, the answer, the end. */
function writeSession(folder: string, size: number): void {
  mkdirSync(join(folder, "session"), { recursive: true });
  const fd = openSync(join(folder, "session/current.jsonl"), "w", 0o600);
  const at = new Date(0).toISOString();
  const usage = { input: 900, output: 90, cacheRead: 800, cacheWrite: 0, reasoning: 0 };
  const charge = { model: "offline/rehearsal", usage, costUsd: 0, at };
  const channel = { type: "cli", id: "default" };
  for (let written = 0, turn = 0; written < size; turn++) {
    const id = `message-${turn}`;
    const text = `Turn ${turn}: ${"what was said ".repeat(20)}`;
    const calls = [{ id: `call-${turn}`, name: "read", input: '{"path":"note.txt"}' }];
    const entries = [
      { type: "message", id, from: "person", channel, text, at },
      { type: "answer", text: "", calls, finish: "calls", ...charge },
      { type: "result", id: `call-${turn}`, name: "read", output: "line of a file\n".repeat(50) },
      { type: "answer", text, finish: "end", ...charge },
      { type: "ended", messageId: id, outcome: "answered", at },
    ];
    written += writeSync(fd, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  }
  closeSync(fd);
}
