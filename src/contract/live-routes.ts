import { z } from "zod";
import { ChannelAddress } from "./channel.ts";

const MOST_NAMED = 20;

/** `http:default,project:shop`, or ids of runs: a list in one parameter. Of more than twenty, the first twenty count. */
const named = z
  .string()
  .max(4_000)
  .default("")
  .transform((text) => text.split(",").filter((name) => name !== ""))
  .transform((names) => [...new Set(names)].slice(0, MOST_NAMED));

const channels = named.transform((names, { addIssue }) =>
  names.flatMap((name): ChannelAddress[] => {
    const [type, ...id] = name.split(":");
    const address = ChannelAddress.safeParse({ type, id: id.join(":") });
    if (address.success) return [address.data];
    addIssue("must be channels such as http:default or project:shop");
    return [];
  }),
);

export const liveRoutes = {
  streamLive: {
    summary:
      "Everything a dashboard shows, as it happens (text/event-stream): events, states of runs, and the text of the runs and channels that are named. After or Last-Event-ID replays the events that were missed.",
    group: "Search and events",
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      deltas: named,
      channels,
    }),
    response: z.string(),
  },
} as const;
