import type { GateFinding, GateReport } from "../../src/contract/documents/quality/gate.ts";
import { QualityGates } from "../../src/contract/documents/quality/quality-gates.ts";
import type { GateVerdict } from "../../src/contract/words/gate-words.ts";
import type { GateEngine, GateOrder } from "../../src/quality/loop/gate-engine.ts";

export interface Ruling {
  verdict: GateVerdict;
  score?: number | null;
  findings?: Partial<GateFinding>[];
  reason?: string;
}

export interface FakeEngine extends GateEngine {
  asked: GateOrder[];
}

/** Gates that rule as they are told, and remember what they were asked. A ruling may be waited for. */
export function fakeEngine(
  rule: (order: GateOrder, signal: AbortSignal) => Ruling | Promise<Ruling>,
  settings: object = { appliesTo: "all" },
): FakeEngine {
  const asked: GateOrder[] = [];
  const reports = new Map<string, GateReport>();
  return {
    asked,
    report: (id) => reports.get(id),
    settingsOf: () => QualityGates.parse(settings),
    judge: async (order, signal) => {
      asked.push(order);
      const report = reportOf(order, await rule(order, signal));
      reports.set(report.id, report);
      return report;
    },
  };
}

export function reportOf({ gateId, run, base, head, cycle }: GateOrder, ruling: Ruling): GateReport {
  const { verdict, score = verdict === "pass" ? 95 : 40, findings = [], reason } = ruling;
  return {
    id: gateId,
    projectId: run.projectId,
    runId: run.id,
    taskId: run.taskId,
    title: run.title,
    cycle,
    state: "finished",
    verdict,
    ...(reason === undefined ? {} : { reason: { code: "failed", text: reason } }),
    score,
    threshold: 90,
    base,
    head,
    tree: head,
    files: 1,
    additions: 1,
    deletions: 1,
    cut: [],
    stages: [
      {
        name: "spec_compliance",
        kind: "weighted",
        weight: 20,
        verdict,
        score,
        findings: findings.map((finding, at) => ({
          ...{ id: `F${at + 1}`, code: "review", severity: "high", message: "Wrong.", state: "open", blocks: true },
          ...finding,
        })),
        evidence: [],
      },
    ],
    costUsd: 0,
    startedAt: "2026-11-18T00:00:00.000Z",
    endedAt: "2026-11-18T00:00:01.000Z",
  };
}
