import { Now } from "../now.ts";

export const nowRoutes = {
  getNow: {
    summary: "Overview: what needs you, is in review, is running and was done, and today's cost.",
    group: "Hall",
    response: Now,
  },
} as const;
