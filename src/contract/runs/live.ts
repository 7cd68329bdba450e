import { z } from "zod";
import { ChannelAddress, ChannelType } from "../documents/channel.ts";
import { HallEvent } from "../event.ts";
import { RunLine } from "../now.ts";
import { TalkLive } from "../routes/talk-routes.ts";
import { Slug } from "../words/text.ts";
import { Activity } from "./activity.ts";
import { Delta } from "./model-call.ts";

/** What of a run's line changes while it works. */
const RunFigures = RunLine.pick({ turns: true, costUsd: true, costKnown: true, progress: true, context: true });
export type RunFigures = z.infer<typeof RunFigures>;

/**
 * What the stream tells (GET /api/live). Each is a frame named by its `kind`, with the rest as its data.
 * `hello` comes first: the newest event, and whether so many were missed that they are not replayed; everything shown has
 * then to be asked for again. An `event` has its number as the frame's id. `run` comes when a run starts, ends, waits or
 * does something else: with its line, or only with what it does, and its figures where they are others than before. `delta` comes
 * only of the runs that were asked for, `talk` only of the channels that were asked for.
 */
export const Live = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("hello"),
    seq: z.int(),
    reset: z.boolean(),
    version: z.string(),
    startedAt: z.string(),
  }),
  z.strictObject({ kind: z.literal("event"), event: HallEvent }),
  z.strictObject({
    kind: z.literal("run"),
    runId: z.string(),
    projectId: z.string(),
    run: RunLine.optional(),
    activity: Activity.optional(),
    figures: RunFigures.optional(),
  }),
  z.strictObject({ kind: z.literal("delta"), runId: z.string(), delta: Delta }),
  z.strictObject({ kind: z.literal("talk"), channel: ChannelAddress, live: TalkLive }),
]);
export type Live = z.infer<typeof Live>;

export const ALL_RUNS = "*";
const MOST_NAMED = 20;
const TOPICS = ["events", "runs"] as const;

/** A list in one parameter. Of more than twenty, the first twenty count. */
const named = z
  .string()
  .max(4_000)
  .transform((text) => text.split(",").filter((name) => name !== ""))
  .transform((names) => [...new Set(names)].slice(0, MOST_NAMED));

const topics = named
  .transform((names, { addIssue }) =>
    names.flatMap((name) => {
      const topic = TOPICS.find((one) => one === name);
      if (topic === undefined) addIssue(`must consist of ${TOPICS.join(", ")}`);
      return topic ?? [];
    }),
  )
  .meta({ pattern: "^(?:(?:events|runs)?(?:,|$))*$" });

/** A channel whose talk is wanted; with the number of a message, first the messages after it. */
export interface WantedChannel {
  channel: ChannelAddress;
  after: number | undefined;
}

const WANTED_CHANNEL = /^([a-z]+):(.*?)(?:@(\d{1,15}))?$/;

const channels = named
  .transform((names, { addIssue }) =>
    names.flatMap((name): WantedChannel[] => {
      const [, type, id, after] = WANTED_CHANNEL.exec(name) ?? [];
      const channel = ChannelAddress.safeParse({ type, id });
      if (channel.success) return [{ channel: channel.data, after: after === undefined ? undefined : Number(after) }];
      addIssue("must be channels such as http:default or project:shop@12");
      return [];
    }),
  )
  .meta({
    pattern: `^(?:(?:(?:${ChannelType.options.join("|")}):[a-z0-9_-][a-z0-9._-]{0,63}(?:@\\d{1,15})?)?(?:,|$))*$`,
  });

export const liveRoutes = {
  streamLive: {
    summary:
      "Live stream (text/event-stream): events and run states of one or all projects, and the text of the runs and channels given. after or Last-Event-ID replays missed events.",
    group: "Search and events",
    query: z.strictObject({
      /** What to tell of: `events`, `runs` or both. Empty: only of the runs and channels that are named. */
      topics: topics.prefault(TOPICS.join(",")),
      /** Only events and runs of this project. */
      project: Slug.optional(),
      after: z.coerce.number().int().min(0).optional(),
      /** Ids of runs whose text is wanted; `*`: of all runs, or all of the project. */
      deltas: named.prefault(""),
      /** `http:default,project:shop@12`: channels, each with the number of the last message seen, to have later ones replayed. */
      channels: channels.prefault(""),
    }),
    response: z.string(),
  },
} as const;
