import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { furnish, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { childrenOf, whyNoStrace } from "./strace.ts";

const SPAWNS = 5;
/** In the daemon and the project's process together, the ledger included. */
const MOST_SYNCS = 6;

it.skipIf(whyNoStrace() !== undefined)(`a spawn waits for the disk at most ${MOST_SYNCS} times`, async () => {
  const hall = await spawnHall();
  await furnish(hall, { play: "turns:\n  - text: Done.\n" });
  // The first one also makes the folders of the day, and starts the project's process.
  const spawnOne = async (title: string) =>
    untilOver(hall, await spawnRun(hall, "play", title, { overrides: { model: "offline/play", skills: ["read"] } }));
  await spawnOne("Warm up");
  const output = join(temporaryFolder(), "trace");
  const traced = [hall.pid, ...childrenOf(hall.pid)].flatMap((pid) => ["-p", String(pid)]);
  const how = ["-f", "-y", ...traced, "-o", output, "-e", "trace=fsync,fdatasync", "-e", "signal=none"];
  const tracer = spawn("strace", how, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => tracer.once("exit", resolve));
  onTestFinished(() => void tracer.kill("SIGKILL"));
  await new Promise<void>((resolve) => createInterface({ input: tracer.stderr }).once("line", () => resolve()));
  for (let count = 0; count < SPAWNS; count++)
    expect(await spawnOne(`Round ${count}`)).toMatchObject({ status: "completed" });
  tracer.kill("SIGINT");
  await ended;
  const calls = readFileSync(output, "utf8").match(/f(?:data)?sync\(\d+<[^>]*>/g) ?? [];
  const files = calls.map((call) => call.replace(/.*\/workspace\//, "").replaceAll(/run-[0-9a-z-]+/g, "run"));
  const counts = Object.entries(Object.groupBy(files, (file) => file)).map(([file, all]) => `${all?.length} ${file}`);
  expect(calls.length / SPAWNS, counts.join("\n")).toBeLessThanOrEqual(MOST_SYNCS);
  expect(calls.length).toBeGreaterThanOrEqual(SPAWNS);
  process.stdout.write(`syncs a spawn: ${calls.length / SPAWNS}\n${counts.join("\n")}\n`);
});
