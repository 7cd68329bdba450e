import type { OrchestratorDesk } from "../../src/server/handlers/orchestrator-handlers.ts";

export function fakeOrchestrator(): OrchestratorDesk {
  return { portfolio: () => [] };
}
