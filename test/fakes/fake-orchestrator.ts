import type { Cycle, Orchestrator } from "../../src/contract/documents/autonomy/orchestrator.ts";
import type { OrchestratorDesk } from "../../src/server/handlers/orchestrator-handlers.ts";
import { NOON } from "./fake-hall.ts";

const off: Orchestrator = { state: "off", why: "It is off.", spentTodayUsd: 0, dailyUsd: 5, maxLeads: 1, leads: [] };

const quiet: Cycle = {
  id: "cycle-1",
  at: NOON,
  causes: [],
  saw: {
    projects: 0,
    initiatives: 0,
    ready: 0,
    blocked: 0,
    drafts: 0,
    pending: 0,
    leads: 0,
    knowledge: 0,
    spentUsd: 0,
  },
  results: [],
  reviewed: [],
  starts: [],
  held: [],
  proposals: [],
  order: { by: "rule" },
};

export function fakeOrchestrator(): OrchestratorDesk {
  return {
    portfolio: () => [],
    view: () => off,
    cycles: () => [],
    pause: async () => undefined,
    resume: async () => undefined,
    cycle: async () => quiet,
  };
}
