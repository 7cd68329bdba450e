import { PROJECT_TEMPLATES } from "../../workspace/projects/project-templates.ts";
import type { HandlersOf } from "../handler.ts";

export const projectTemplateHandlers = (): HandlersOf<"listProjectTemplates"> => ({
  listProjectTemplates: () => ({ templates: [...PROJECT_TEMPLATES] }),
});
