import type { Activity } from "./activity.ts";
import type { ChannelAddress } from "./channel.ts";
import type { HallEvent } from "./event.ts";
import type { Delta } from "./model-call.ts";
import type { RunLine } from "./now.ts";
import type { TalkLive } from "./talk-routes.ts";

/** What of a run's line changes while it works. */
export type RunFigures = Pick<RunLine, "turns" | "costUsd" | "costKnown" | "progress" | "context">;

export interface RunDoing {
  activity?: Activity | undefined;
  figures?: RunFigures | undefined;
}

/**
 * What the one stream of a page tells (GET /api/live). Each is a frame named by its `kind`, with the rest as its data.
 * `hello` comes first: the newest event, and whether so many were missed that they are not replayed; everything shown has
 * then to be asked for again. An `event` has its number as the frame's id. `run` comes when any run starts, ends, waits or
 * does something else: with its line, or only with what it does, and its figures where they are others than before. `delta` comes
 * only of the runs that were asked for, `talk` only of the channels that were asked for. Only events are replayed.
 */
export type Live =
  | { kind: "hello"; seq: number; reset: boolean; version: string; startedAt: string }
  | { kind: "event"; event: HallEvent }
  | ({ kind: "run"; runId: string; projectId: string; run?: RunLine | undefined } & RunDoing)
  | { kind: "delta"; runId: string; delta: Delta }
  | { kind: "talk"; channel: ChannelAddress; live: TalkLive };
