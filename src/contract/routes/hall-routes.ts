import { z } from "zod";
import { SandboxState } from "../documents/sandbox.ts";
import { Problem } from "../problem.ts";
import { success } from "./route-parts.ts";

export const Status = z.strictObject({
  status: z.enum(["ok", "stopping"]),
  version: z.string(),
  pid: z.int(),
  url: z.string(),
  workspace: z.string(),
  /** It is the one that commands mean when none is named: ~/.guildhall. */
  isUsualWorkspace: z.boolean(),
  /** How its program is called on that machine, as a shell reads it. */
  calledAs: z.string(),
  startedAt: z.string(),
  uptimeSeconds: z.int(),
  memoryMb: z.number(),
  counts: z.strictObject({ roles: z.int(), projects: z.int(), tasks: z.int(), problems: z.int(), events: z.int() }),
  index: z.strictObject({ schema: z.int(), rebuiltAt: z.string().optional(), rebuildMs: z.number().optional() }),
  containment: z.enum(["descriptor", "realpath"]),
  /** What the commands of agents run in. */
  sandbox: SandboxState,
});
export type Status = z.infer<typeof Status>;

/** What is open when the daemon stops, in one line each. It continues after the next start. */
export const OpenWork = z.strictObject({
  code: z.enum(["draft_question", "task_without_run", "unread_result", "hook_refused"]),
  projectId: z.string().optional(),
  text: z.string(),
});
export type OpenWork = z.infer<typeof OpenWork>;

export const hallRoutes = {
  getHealth: {
    summary: "Health of the daemon, and its sandbox. Needs no token.",
    group: "Hall",
    response: z.strictObject({
      status: z.enum(["ok", "stopping"]),
      version: z.string(),
      sandbox: SandboxState.shape.name,
    }),
  },
  getStatus: { summary: "Counts and health of the workspace.", group: "Hall", response: Status },
  stopDaemon: {
    summary: "Stop the daemon after pending writes. The response lists what is open.",
    group: "Hall",
    response: z.strictObject({ ...success, open: z.array(OpenWork) }),
  },
  restartDaemon: {
    summary: "Restart the daemon with the same options. Requires a person's token.",
    group: "Hall",
    response: z.strictObject(success),
  },
  getOpenApi: { summary: "This API description as OpenAPI 3.1.", group: "Hall", response: z.looseObject({}) },
  listProblems: {
    summary: "Files that could not be read, and questionable settings.",
    group: "Hall",
    response: z.strictObject({ problems: z.array(Problem) }),
  },
  rebuildIndex: {
    summary: "Rebuild the index from the files.",
    group: "Hall",
    response: z.strictObject({ ...success, files: z.int(), problems: z.int(), ms: z.number() }),
  },
} as const;
