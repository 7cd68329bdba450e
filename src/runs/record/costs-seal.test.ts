import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filesOver } from "../../../test/harness/temporary-folder.ts";
import { CostsSeal } from "./costs-seal.ts";

const LEDGER = "costs/2026-05-04.jsonl";

it("tells of each line once when several runs end at once and lines come meanwhile", async () => {
  const { files, root } = filesOver("costs");
  const write = (line: string) => appendFileSync(join(root, LEDGER), `${line}\n`);
  const costs = new CostsSeal(files);
  write("a");
  await costs.take();
  const takes = ["b", "c", "d", "e"].map((line) => {
    write(line);
    return costs.take();
  });
  const seals = (await Promise.all(takes)).flat();
  const told = seals.toSorted((one, other) => one.lines - other.lines);
  expect(told.at(-1)?.lines).toBe(5);
  expect(told.map(({ from }) => from)).toEqual([1, ...told.slice(0, -1).map(({ lines }) => lines)]);
});

it("tells once more of what was not recorded", async () => {
  const { files, root } = filesOver("costs");
  const write = (line: string) => appendFileSync(join(root, LEDGER), `${line}\n`);
  const costs = new CostsSeal(files);
  write("a");
  const refused = await costs.take();
  costs.giveBack(refused);
  write("b");
  const told = await costs.take();
  expect(told).toMatchObject([...refused, { from: 1, lines: 2 }]);
  expect(await costs.take()).toEqual([]);
});
