import { Now } from "../now.ts";

export const nowRoutes = {
  getNow: {
    summary:
      "The hall at a glance: what needs the person, waits for review, is worked on and was done; and what today cost.",
    group: "Hall",
    response: Now,
  },
} as const;
