import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { GateReport } from "../../src/contract/documents/quality/gate.ts";
import { QualityGates } from "../../src/contract/documents/quality/quality-gates.ts";
import type { GateEngine } from "../../src/quality/loop/gate-engine.ts";
import { type Ruling, reportOf } from "../fakes/fake-engine.ts";
import { BUILT_PROJECT, builtDaemon } from "../harness/built-program.ts";

/**
 * A daemon whose gates rule by cycle, as `rulings.json` beside the workspace says, and keep what they judged in `judged.jsonl`. None
 * has a verdict as long as there is a file `hold`.
 */
const workspace = process.argv[2] ?? "";
const beside = (name: string) => join(workspace, "..", name);

const judged = (): GateReport[] =>
  existsSync(beside("judged.jsonl"))
    ? readFileSync(beside("judged.jsonl"), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : [];

const engine: GateEngine = {
  settingsOf: () => QualityGates.parse({ appliesTo: "all", maxReviewCycles: 2 }),
  report: (gateId) => judged().find(({ id }) => id === gateId),
  judge: async (order) => {
    const known = judged().find(({ id }) => id === order.gateId);
    if (known !== undefined) return known;
    // Whoever wants to do something while it is judged has put it there.
    while (existsSync(beside("hold"))) await pause(20);
    const rulings: Ruling[] = JSON.parse(readFileSync(beside("rulings.json"), "utf8"));
    const report = reportOf(order, rulings[order.cycle - 1] ?? { verdict: "pass" });
    appendFileSync(beside("judged.jsonl"), `${JSON.stringify(report)}\n`);
    return report;
  },
};

const { startDaemon } = await builtDaemon();
const entry = BUILT_PROJECT;
const daemon = await startDaemon({ workspace, port: 0, env: {}, entry, engine, log: () => undefined });
process.stdout.write(`Guildhall is up at ${daemon.url}\n`);
