import type { GateReport } from "../../src/contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../../src/contract/documents/quality/integration-check.ts";
import { QualityGates } from "../../src/contract/documents/quality/quality-gates.ts";
import type { GateDesk, IntegrationDesk } from "../../src/server/handlers/gate-handlers.ts";
import { NOON } from "./fake-hall.ts";

/** Has one report and one integration check, which stay as they are. */
export function fakeGates(): { gates: GateDesk; integration: IntegrationDesk } {
  return {
    gates: {
      list: async () => ({ gates: [] }),
      create: async () => GATE,
      get: async () => GATE,
      cancel: async () => GATE,
      waive: async () => GATE,
      ofRun: async () => [GATE],
      detect: async () => ({ checks: [], settings: QualityGates.parse({}) }),
      quality: async () => ({
        points: [],
        findings: { total: 0, resolved: 0, refuted: 0, waived: 0, open: 0 },
        stages: [],
        passedFirst: 0,
        reviews: 0,
        averageCycles: null,
        escalated: 0,
      }),
      owners: async () => ({ owners: [], conflicts: [] }),
    },
    integration: {
      create: async () => CHECK,
      get: async () => CHECK,
      list: async () => [CHECK],
      waive: async () => CHECK,
    },
  };
}

const GATE: GateReport = {
  id: "gate-1",
  projectId: "shop",
  title: "Add a cart",
  cycle: 1,
  state: "finished",
  verdict: "pass",
  score: null,
  threshold: 90,
  base: "0".repeat(40),
  tree: "1".repeat(40),
  files: 1,
  additions: 1,
  deletions: 0,
  cut: [],
  stages: [],
  costUsd: 0,
  startedAt: NOON,
  endedAt: NOON,
};

const CHECK: IntegrationCheck = {
  id: "check-1",
  projectId: "shop",
  runIds: [],
  state: "finished",
  verdict: "pass",
  target: "main",
  base: "0".repeat(40),
  steps: [],
  breakers: [],
  startedAt: NOON,
  endedAt: NOON,
};
