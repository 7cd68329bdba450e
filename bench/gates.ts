import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sandboxProbe } from "../src/agent/sandbox/probe.ts";
import { QualityGates } from "../src/contract/documents/quality/quality-gates.ts";
import { openChecks } from "../src/quality/checks/open-checks.ts";
import { openPlainRepository } from "../src/quality/trees/plain-repository.ts";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { median, ms, timed } from "./kit/figures.ts";
import { atMost, type Table } from "./kit/report.ts";

const FILES = 5_000;
const CHANGED = 20;
/** Longer than a sandbox of git waits for the next command. */
const REST_MS = 1_500;
const AUTHOR = ["-c", "user.name=B", "-c", "user.email=b@example.org"];

/** What a check adds to a command that does nothing, in a repository of 5,000 files of which 20 changed. */
export async function gates({ workspaces, quick }: Bench): Promise<Table> {
  const root = mkdtempSync(join(tmpdir(), "guildhall-bench-"));
  const folder = join(root, "work");
  const git = (...args: string[]) => execFileSync("git", [...AUTHOR, ...args], { cwd: folder });
  try {
    for (let at = 0; at < FILES; at++) write(folder, at, "one");
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "-m", "First");
    for (let at = 0; at < CHANGED; at++) write(folder, at * 7, "two");
    const probe = sandboxProbe();
    const opened = await openPlainRepository({ folder, scratch: join(root, "scratch"), sandbox: probe, umask: 0o022 });
    const { trees } = opened;
    const checks = openChecks({
      trees,
      probe,
      scratch: join(root, "checks"),
      cache: join(root, "cache"),
      hidden: [],
      redact: (text) => text,
    });
    const settings = QualityGates.parse({ commands: { tests: "true" } });
    const base = (await trees.tree("HEAD")) ?? "";
    const working = await timedOnce(() => trees.working());
    const order = {
      tree: working.value,
      base,
      scope: "full" as const,
      purpose: "tests",
      settings,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
    };
    const rounds = quick ? 5 : 15;
    const fresh: number[] = [];
    const cached: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      fresh.push(await timed(() => checks.tests({ ...order, attempt: round })));
      cached.push(await timed(() => checks.tests({ ...order, attempt: round })));
    }
    await opened.close();
    git("checkout", "--quiet", "-b", "change");
    git("commit", "--quiet", "--all", "-m", "Second");
    const whole = await wholeVerdicts(workspaces.folder("gates"), { folder, rounds });
    return {
      title: `Checks of a change: ${CHANGED} files of ${FILES}`,
      columns: ["", "median"],
      lines: [
        { cells: ["the tree of uncommitted files", ms(working.ms)] },
        {
          cells: ["a command that does nothing, on its tree", ms(median(fresh))],
          goal: atMost(300, median(fresh), "ms"),
        },
        { cells: ["a result that is known", ms(median(cached))], goal: atMost(20, median(cached), "ms") },
        {
          cells: ["a whole gate over HTTP, with a command that does nothing", ms(median(whole.fresh))],
          goal: atMost(300, median(whole.fresh), "ms"),
        },
        {
          cells: ["a whole verdict that is known, over HTTP", ms(median(whole.known))],
          goal: atMost(20, median(whole.known), "ms"),
        },
        { cells: ["the same, after a pause of 1.5 s", ms(median(whole.rested))] },
      ],
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** As the daemon judges a branch. */
async function wholeVerdicts(workspace: string, { folder, rounds }: { folder: string; rounds: number }) {
  const daemon = await startDaemon(workspace);
  const client = daemon.connect();
  const qualityGates = { commands: { tests: "true" }, enforceTDD: false, proof: "off" };
  await client.call("POST", "/api/projects", { id: "large", name: "Large", workdir: folder, config: { qualityGates } });
  const check = () =>
    client.call("POST", "/api/projects/large/gates?model=none&wait=60", { base: "main", head: "change" });
  // The first one opens the repository.
  await check();
  const [fresh, known, rested]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    write(folder, 7 * round, `round ${round}`);
    execFileSync("git", [...AUTHOR, "commit", "--quiet", "--all", "-m", `Round ${round}`], { cwd: folder });
    fresh.push(await timed(() => check()));
    known.push(await timed(() => check()));
  }
  for (let round = 0; round < 3; round++) {
    await delay(REST_MS);
    rested.push(await timed(() => check()));
  }
  client.close();
  await daemon.end();
  return { fresh, known, rested };
}

function write(folder: string, at: number, text: string): void {
  const path = join(folder, `src/part-${at % 70}/file-${at}.js`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Array.from({ length: 20 }, (_, n) => `export const value${n} = "${text} ${at}";\n`).join(""));
}

async function timedOnce<Value>(work: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const begun = performance.now();
  return { value: await work(), ms: performance.now() - begun };
}
