import { z } from "zod";
import { CheckpointList, Rollback, RollbackRequest } from "../runs/checkpoint.ts";
import { byId } from "./route-parts.ts";

export const checkpointRoutes = {
  listCheckpoints: {
    summary: "Checkpoints of a project, newest first, with what agents changed after each.",
    group: "Runs",
    params: byId,
    response: CheckpointList,
  },
  rollback: {
    summary: "Roll back what agents changed since a checkpoint, and nothing else.",
    group: "Runs",
    params: byId.extend({ checkpointId: z.string().max(100) }),
    body: RollbackRequest,
    response: Rollback,
  },
} as const;
