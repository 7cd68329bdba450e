import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { scriptedHall } from "../harness/scripted-hall.ts";

const RUNS = 12;
const CHARACTERS = 2_000_000;

function heapAfterCleaning(): number {
  setFlagsFromString("--expose-gc");
  const clean = runInNewContext("gc") as () => void;
  for (let times = 0; times < 3; times++) clean();
  return process.memoryUsage().heapUsed;
}

it("what runs have said does not stay in the daemon's memory, waited for or not", { timeout: 180_000 }, async () => {
  const { spawn } = await scriptedHall(() => ({ text: ["x".repeat(CHARACTERS)] }));
  const options = { waitForCompletion: true, createArtifact: false };
  await spawn({ options });
  const before = heapAfterCleaning();
  for (let run = 0; run < RUNS; run++) expect((await spawn({ options })).body.result?.output.length).toBe(CHARACTERS);
  expect(heapAfterCleaning() - before).toBeLessThan((RUNS * CHARACTERS) / 2);
});
