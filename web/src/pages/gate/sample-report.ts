import type { GateFinding, GateReport, GateStage } from "../../../../src/contract/documents/quality/gate.ts";
import { STAGE_TABLE, STAGES } from "../../../../src/contract/words/gate-words.ts";

export function finding(id: string, more: Partial<GateFinding> = {}): GateFinding {
  return {
    ...{ id, code: "review", severity: "high", file: "src/cart.ts", line: 3 },
    ...{ message: "The total ignores the discount.", state: "open", blocks: true },
    ...more,
  };
}

/** Every stage passed, but for those given. */
export function stages(given: Partial<Record<GateStage["name"], Partial<GateStage>>> = {}): GateStage[] {
  return STAGES.map((name) => {
    const { kind, weight } = STAGE_TABLE[name];
    return { name, kind, weight, verdict: "pass", score: 100, findings: [], evidence: [], ...given[name] };
  });
}

export function gateReport(id: string, more: Partial<GateReport> = {}): GateReport {
  return {
    ...{ id, projectId: "shop", title: "Add a cart", cycle: 1, state: "finished", verdict: "pass", score: 100 },
    ...{ threshold: 90, base: "0".repeat(40), head: "1".repeat(40), tree: "2".repeat(40) },
    ...{ files: 1, additions: 2, deletions: 1, cut: [], stages: stages(), costUsd: 0 },
    ...{ startedAt: "2026-11-17T10:00:00.000Z", endedAt: "2026-11-17T10:01:00.000Z" },
    ...more,
  };
}
