import { z } from "zod";
import { ProjectTemplate } from "../documents/project.ts";

export const projectTemplateRoutes = {
  listProjectTemplates: {
    summary: "The built-in beginnings of a project.",
    group: "Projects",
    response: z.strictObject({ templates: z.array(ProjectTemplate) }),
  },
} as const;
