import { z } from "zod";
import { TaskCard } from "../documents/card.ts";
import { Problem } from "../problem.ts";
import { byId } from "./route-parts.ts";

export const cardRoutes = {
  listCards: {
    summary: "All tasks of a project for the board, in one response, with files that could not be read.",
    group: "Tasks",
    params: byId,
    response: z.strictObject({
      cards: z.array(TaskCard),
      invalid: z.array(Problem),
      /** The newest event that this takes into account. */
      seq: z.int(),
    }),
  },
} as const;
