import { z } from "zod";
import { Cycle, Orchestrator } from "../../documents/autonomy/orchestrator.ts";
import { PortfolioProject } from "../../documents/autonomy/portfolio.ts";
import { success } from "../route-parts.ts";

const group = "Orchestrator";
const changed = z.strictObject({ ...success, orchestrator: Orchestrator });

export const orchestratorRoutes = {
  getPortfolio: {
    summary:
      "All projects that are not archived: goals, initiatives, what is ready, blocked and running, and spending.",
    group,
    response: z.strictObject({ projects: z.array(PortfolioProject) }),
  },
  getOrchestrator: {
    summary: "What the orchestrator does, and why it starts nothing more for now.",
    group,
    response: z.strictObject({ orchestrator: Orchestrator }),
  },
  listCycles: {
    summary: "Cycles of the orchestrator, the newest first: what each saw, decided and started, and why.",
    group,
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(500).default(20) }),
    response: z.strictObject({ cycles: z.array(Cycle) }),
  },
  pauseOrchestrator: {
    summary: "Pause the orchestrator: it starts nothing more. What it started continues.",
    group,
    response: changed,
  },
  resumeOrchestrator: { summary: "Resume the orchestrator.", group, response: changed },
  runCycle: {
    summary: "Run a cycle of the orchestrator now.",
    group,
    response: z.strictObject({ ...success, cycle: Cycle }),
  },
} as const;
