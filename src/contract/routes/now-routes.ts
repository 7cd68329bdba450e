import { z } from "zod";
import { Now } from "../now.ts";
import { success } from "./route-parts.ts";

export const nowRoutes = {
  getNow: {
    summary: "Overview: what needs you, results in review, running and recent work, and today's cost.",
    group: "Hall",
    response: Now,
  },
  answerReviewOffer: {
    summary: "Turn on review before merge for the projects in `reviewOffer`, or keep them merging automatically.",
    group: "Hall",
    body: z.strictObject({ enable: z.boolean() }),
    response: z.strictObject({ ...success, changed: z.array(z.string()) }),
  },
} as const;
