import { z } from "zod";
import { PortfolioProject } from "../../documents/autonomy/portfolio.ts";

export const portfolioRoutes = {
  getPortfolio: {
    summary:
      "All projects that are not archived: goals, initiatives, what is ready, blocked and running, and spending.",
    group: "Orchestrator",
    response: z.strictObject({ projects: z.array(PortfolioProject) }),
  },
} as const;
