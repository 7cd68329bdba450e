import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of the orchestrator. */
export interface OrchestratorDesk {
  portfolio(): RouteResponse<"getPortfolio">["projects"];
}

export const orchestratorHandlers = (orchestrator: OrchestratorDesk): HandlersOf<"getPortfolio"> => ({
  getPortfolio: () => ({ projects: orchestrator.portfolio() }),
});
