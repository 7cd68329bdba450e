import { z } from "zod";
import { ImportReport, ImportRequest } from "../../documents/autonomy/import.ts";
import { success } from "../route-parts.ts";

export const importRoutes = {
  importFolder: {
    summary:
      "Import from a folder of another tool: superbot, OpenClaw or Claude Code. A dry run unless `dryRun` is false. Nothing is overwritten.",
    group: "Projects",
    body: ImportRequest,
    response: z.strictObject({ ...success, report: ImportReport }),
  },
} as const;
