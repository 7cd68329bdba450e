import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start as launch } from "../src/agent/sandbox/launch.ts";
import { plainOrder, sandboxesHere, whyNot } from "../src/agent/sandbox/probe.ts";
import type { Sandbox } from "../src/agent/sandbox/sandbox.ts";
import type { Bench } from "./kit/bench.ts";
import { median, ms, timed } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

const GOALS_MS: Record<string, number> = { bwrap: 15, unshare: 70 };

/** What a sandbox adds to a command that does nothing, against starting the same shell by itself. */
export async function sandbox({ quick }: Bench): Promise<Table> {
  const rounds = quick ? 20 : 60;
  const workdir = mkdtempSync(join(tmpdir(), "guildhall-bench-"));
  try {
    const bare = await sampled(rounds, () => bareCommand(workdir));
    const lines: Line[] = [{ cells: ["sh -c true, bare", ms(bare), ""] }];
    for (const one of sandboxesHere()) lines.push(await line(one, { bare, rounds, workdir }));
    return { title: "Commands in a sandbox", columns: ["", "median", "added"], lines };
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}

async function line(one: Sandbox, at: { bare: number; rounds: number; workdir: string }): Promise<Line> {
  const refusal = await whyNot(one);
  if (refusal !== undefined) return { cells: [`${one.name}: not on this machine (${refusal})`, "", ""] };
  const value = await sampled(at.rounds, () => contained(one, at.workdir));
  const goal = atMost(GOALS_MS[one.name] ?? Number.POSITIVE_INFINITY, value - at.bare, "ms added");
  return { cells: [one.name, ms(value), ms(value - at.bare)], goal };
}

async function sampled(rounds: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await timed(work));
  return median(samples);
}

function bareCommand(cwd: string): Promise<void> {
  return new Promise((resolve) => {
    spawn("sh", ["-c", "true"], { cwd, stdio: ["ignore", "pipe", "pipe"] }).once("close", () => resolve());
  });
}

function contained(one: Sandbox, workdir: string): Promise<unknown> {
  return launch(one, plainOrder(one, { command: "true", workdir }), () => undefined).done;
}
