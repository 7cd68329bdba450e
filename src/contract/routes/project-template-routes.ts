import { z } from "zod";
import { ProjectTemplate } from "../documents/project.ts";

export const projectTemplateRoutes = {
  listProjectTemplates: {
    summary: "Built-in project templates.",
    group: "Projects",
    response: z.strictObject({ templates: z.array(ProjectTemplate) }),
  },
} as const;
