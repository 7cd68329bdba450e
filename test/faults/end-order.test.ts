import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { furnish, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { childrenOf, whyNoStrace } from "./strace.ts";

const whyNot = whyNoStrace();
/** A journal that takes longer to become durable is not waited for with what was made ready. */
const SLOWLY_US = 150_000;
const QUICKLY_US = 20_000;

/** System calls of the daemon and its project's process, in their order, while every sync takes so long. */
async function tracing(pid: number, delayUs: number): Promise<() => Promise<string[]>> {
  const output = join(temporaryFolder(), "trace");
  const traced = [pid, ...childrenOf(pid)].flatMap((each) => ["-p", String(each)]);
  const calls = ["-e", "trace=write,fdatasync", "-e", `inject=fdatasync:delay_enter=${delayUs}`, "-e", "signal=none"];
  const tracer = spawn("strace", ["-f", "-y", "-s", "30000", ...traced, "-o", output, ...calls], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => tracer.once("exit", resolve));
  onTestFinished(() => void tracer.kill("SIGKILL"));
  await new Promise<void>((resolve) => createInterface({ input: tracer.stderr }).once("line", () => resolve()));
  return async () => {
    tracer.kill("SIGINT");
    await ended;
    return readFileSync(output, "utf8").split("\n");
  };
}

/** When the last sync of a run's journal had returned, and when the line that settles the run was written. */
function endOf(calls: readonly string[], runId: string): { synced: number; settled: number } {
  const begun = calls.findLastIndex((call) => call.includes(`fdatasync(`) && call.includes(`${runId}.jsonl`));
  const thread = calls[begun]?.split(" ")[0];
  const isReturned = (call: string) => call.startsWith(`${thread} `) && /fdatasync.*= 0/.test(call);
  const synced = begun + calls.slice(begun).findIndex(isReturned);
  const settles = (call: string) =>
    /write\(\d+<[^>]*state\/changes\//.test(call) && call.replaceAll("\\", "").includes('"type":"settled"');
  return { synced, settled: calls.findIndex((call) => settles(call) && call.includes(runId)) };
}

describe.skipIf(whyNot !== undefined)(
  `the end of a run${whyNot === undefined ? "" : ` (not tried here: ${whyNot})`}`,
  () => {
    it.each([
      ["quickly", QUICKLY_US],
      ["slowly", SLOWLY_US],
    ])(
      "is settled only when its journal is on a disk that answers %s, and once",
      { timeout: 60_000 },
      async (_, delay) => {
        const hall = await spawnHall();
        await furnish(hall, { play: "turns:\n  - text: Done.\n" });
        const reading = { overrides: { model: "offline/play", skills: ["read"] } };
        const spawnOne = async (title: string) => {
          const id = await spawnRun(hall, "play", title, reading);
          expect(await untilOver(hall, id)).toMatchObject({ status: "completed" });
          return id;
        };
        await spawnOne("Warm up");
        const stop = await tracing(hall.pid, delay);
        const ids = [await spawnOne("One"), await spawnOne("Two")];
        const calls = await stop();
        for (const id of ids) {
          const { synced, settled } = endOf(calls, id);
          expect(synced).toBeGreaterThan(0);
          expect(settled).toBeGreaterThan(synced);
        }
        const project = join(hall.workspace, "projects/shop");
        const memory = readFileSync(join(project, "MEMORY.md"), "utf8");
        const artifacts = readdirSync(join(project, "ARTIFACTS"), { recursive: true }).map(String);
        for (const id of ids) {
          expect(memory.split(id)).toHaveLength(2);
          expect(artifacts.filter((name) => name.includes(id))).toHaveLength(1);
        }
      },
    );
  },
);
