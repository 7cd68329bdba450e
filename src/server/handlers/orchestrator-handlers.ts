import type { Cycle, Orchestrator } from "../../contract/documents/autonomy/orchestrator.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of the orchestrator. */
export interface OrchestratorDesk {
  portfolio(): RouteResponse<"getPortfolio">["projects"];
  view(): Orchestrator;
  cycles(limit: number): Cycle[];
  pause(change: Change): Promise<void>;
  resume(change: Change): Promise<void>;
  cycle(change: Change): Promise<Cycle>;
}

const success = true as const;

type OrchestratorEndpoint =
  | "getPortfolio"
  | "getOrchestrator"
  | "listCycles"
  | "pauseOrchestrator"
  | "resumeOrchestrator"
  | "runCycle";

export const orchestratorHandlers = (desk: OrchestratorDesk): HandlersOf<OrchestratorEndpoint> => ({
  getPortfolio: () => ({ projects: desk.portfolio() }),
  getOrchestrator: () => ({ orchestrator: desk.view() }),
  listCycles: ({ query }) => ({ cycles: desk.cycles(query.limit) }),
  pauseOrchestrator: async ({ change }) => {
    await desk.pause(change);
    return { success, orchestrator: desk.view() };
  },
  resumeOrchestrator: async ({ change }) => {
    await desk.resume(change);
    return { success, orchestrator: desk.view() };
  },
  runCycle: async ({ change }) => ({ success, cycle: await desk.cycle(change) }),
});
