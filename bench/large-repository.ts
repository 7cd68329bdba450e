import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Bench } from "./kit/bench.ts";
import type { Client } from "./kit/client.ts";
import { startDaemon } from "./kit/daemon.ts";
import { count, median, ms, percentile, timed, times } from "./kit/figures.ts";
import { ticksOf } from "./kit/process-figures.ts";
import { atMost, type Table } from "./kit/report.ts";

const FILES = 20_000;
const FOLDER_OF = 200;
const PING_EVERY_MS = 20;
const REST_MS = 3_000;
const run = promisify(execFile);

/** A run that writes one file in a large repository, against the worktree that it needs. */
export async function largeRepository({ workspaces, quick }: Bench): Promise<Table> {
  const files = quick ? FILES / 10 : FILES;
  const repository = repositoryOf(workspaces.folder("repository"), files);
  const workspace = workspaces.folder("large");
  const daemon = await startDaemon(workspace);
  const client = daemon.connect();
  await client.call("POST", "/api/roles", { id: "worker", name: "Worker", skills: ["read", "write", "report"] });
  await client.call("POST", "/api/projects", {
    ...{ id: "large", name: "Large", workdir: repository },
    config: { constraints: { requireReview: false } },
  });
  const bare: number[] = [];
  const own: number[] = [];
  const processor: number[] = [];
  const health: number[] = [];
  const resting = pinging(daemon.connect());
  await delay(REST_MS);
  const atRest = await resting.end();
  for (let round = 0; round <= 3; round++) {
    const worktree = `${repository}-worktree`;
    const added = await timed(() =>
      run("git", ["worktree", "add", "--quiet", "--detach", worktree], { cwd: repository }),
    );
    await run("git", ["worktree", "remove", "--force", worktree], { cwd: repository });
    const before = ticksOf(daemon.pid);
    const pings = pinging(daemon.connect());
    const taken = await timed(() => oneFile(client, { workspace, round }));
    const waited = await pings.end();
    // The first round wakes the project and fills the disk's cache.
    if (round === 0) continue;
    bare.push(added);
    own.push(taken);
    processor.push((ticksOf(daemon.pid) - before) * 10);
    health.push(...waited);
  }
  client.close();
  await daemon.end();
  const ratio = median(own) / median(bare);
  return {
    title: `A run that writes one file in a repository of ${count(files)} files`,
    columns: ["", "git worktree add", "guildhall", "ratio"],
    lines: [
      { cells: ["from spawn to merged", ms(median(bare)), ms(median(own)), times(ratio)], goal: atMost(3, ratio, "×") },
      { cells: ["  processor time of the daemon, with health requests", "", ms(median(processor)), ""] },
      {
        cells: [
          `  health meanwhile, 95th percentile (at rest ${ms(percentile(atRest, 0.95))})`,
          "",
          ms(percentile(health, 0.95)),
          "",
        ],
        goal: atMost(50, percentile(health, 0.95), "ms"),
      },
      { cells: [`  health meanwhile, longest (at rest ${ms(Math.max(...atRest))})`, "", ms(Math.max(...health)), ""] },
    ],
  };
}

async function oneFile(client: Client, { workspace, round }: { workspace: string; round: number }): Promise<void> {
  const calls = [{ tool: "write", input: { path: `new-${round}.txt`, content: "new\n" } }];
  mkdirSync(join(workspace, "playbooks"), { recursive: true });
  writeFileSync(
    join(workspace, "playbooks", `round${round}.yml`),
    JSON.stringify({ turns: [{ calls }, { text: "Done." }] }),
  );
  const answer = await client.call("POST", "/api/team/spawn", {
    projectId: "large",
    roleId: "worker",
    task: { title: `Round ${round}` },
    overrides: { model: `offline/round${round}` },
    options: { waitForCompletion: true },
  });
  const { sessionId } = answer as { sessionId: string };
  const told = (await client.call("GET", `/api/runs/${sessionId}`)) as { run: { delivery?: { state: string } } };
  if (told.run.delivery?.state !== "delivered") throw new Error(`the run was not merged: ${JSON.stringify(told.run)}`);
}

/** Asks for the health of the daemon again and again; answers how long each answer took. */
function pinging(client: Client): { end(): Promise<number[]> } {
  const taken: number[] = [];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      taken.push(await timed(() => client.call("GET", "/api/health")));
      await delay(PING_EVERY_MS);
    }
    client.close();
    return taken;
  };
  const done = work();
  return {
    end: () => {
      isOver = true;
      return done;
    },
  };
}

function repositoryOf(folder: string, files: number): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (let at = 0; at < files; at++) {
    const inner = join(folder, `part-${Math.floor(at / FOLDER_OF)}`);
    if (at % FOLDER_OF === 0) mkdirSync(inner);
    writeFileSync(join(inner, `file-${at}.txt`), `file ${at}\n`.repeat(20));
  }
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("add", ".");
  git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "--message=Begin");
  return folder;
}
