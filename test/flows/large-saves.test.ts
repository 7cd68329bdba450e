import fs, { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";
import { repository } from "../harness/repository.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import { PROJECT, untilOver } from "../harness/spawned-runs.ts";

/** Each is made durable by git, which takes most of the time. */
const FILES = process.env.GUILDHALL_FAULT_CYCLES === undefined ? 700 : 5_000;
/** No turn of the event loop may look at more of them: other requests wait for it. */
const MOST_AT_ONCE = 300;
const NAME = /\/large-\d+\.txt$/;
const CALLS = ["lstatSync", "openSync"] as const;

interface Watch {
  /** How many of the files were looked at, and how many in the turn of the event loop that looked at most. */
  seen(): { all: number; atOnce: number };
}

/** Counts by turns of the event loop which of the files are looked at in this process. */
function watchLooks(): Watch {
  let inTurn = new Set<string>();
  const all = new Set<string>();
  let atOnce = 0;
  let isOver = false;
  const nextTurn = () => {
    inTurn = new Set();
    if (!isOver) setImmediate(nextTurn);
  };
  nextTurn();
  const originals = CALLS.map((call) => [call, fs[call]] as const);
  for (const [call, original] of originals) {
    const watched = (path: unknown, ...rest: unknown[]) => {
      const [name] = NAME.exec(String(path)) ?? [];
      if (name !== undefined) {
        all.add(name);
        atOnce = Math.max(atOnce, inTurn.add(name).size);
      }
      return (original as (...given: unknown[]) => unknown)(path, ...rest);
    };
    Object.assign(fs, { [call]: watched });
  }
  syncBuiltinESMExports();
  onTestFinished(() => {
    isOver = true;
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  });
  return { seen: () => ({ all: all.size, atOnce }) };
}

function writeMany(folder: string): void {
  for (let at = 0; at < FILES; at++) writeFileSync(join(folder, `large-${at}.txt`), `${at}\n`);
}

/** The worktree of the only run there is. */
function worktreeIn(workspace: string): string {
  const entries = readdirSync(workspace, { recursive: true, withFileTypes: true });
  const found = entries.find(({ name }) => name === "first.txt");
  return found?.parentPath ?? "";
}

const first = { calls: [{ name: "write", input: { path: "first.txt", content: "x\n" } }] };

it("lets others have their turn while very many files of a worktree are saved", { timeout: 300_000 }, async () => {
  const repo = repository({ "a.txt": "a\n" });
  let watch: Watch | undefined;
  const { hall, spawn } = await scriptedHall(({ turns }) => {
    if (turns === 0) return first;
    writeMany(worktreeIn(hall.workspace));
    watch = watchLooks();
    return { text: "Done." };
  });
  await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: repo.root });
  const run = await untilOver(hall, (await spawn()).body.sessionId, 240_000);
  expect(run.delivery?.state).toBe("delivered");
  expect(watch?.seen().all).toBe(FILES);
  expect(watch?.seen().atOnce).toBeLessThanOrEqual(MOST_AT_ONCE);
});

it("lets others have their turn while very many files of a plain folder are saved", { timeout: 300_000 }, async () => {
  const folder = join(temporaryFolder(), "work");
  mkdirSync(folder);
  writeMany(folder);
  const { hall, spawn } = await scriptedHall(({ turns }) => (turns === 0 ? first : { text: "Done." }));
  await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder });
  const watch = watchLooks();
  const run = await untilOver(hall, (await spawn()).body.sessionId, 240_000);
  expect(run.status).toBe("completed");
  expect(watch.seen().all).toBe(FILES);
  expect(watch.seen().atOnce).toBeLessThanOrEqual(MOST_AT_ONCE);
});
