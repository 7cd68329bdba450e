import { ChannelId } from "../../contract/documents/channel.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Conversation, TalkLive } from "../../contract/routes/talk-routes.ts";
import type { Live } from "../../contract/runs/live.ts";
import type { Context } from "../context.ts";

/** A daemon that is silent for longer than three heartbeats is away. */
const SILENCE_MS = 45_000;

/** Where a person talks with an agent: a channel of the main agent, or a project. */
export interface TalkPlace {
  /** The agent that answers: `main`, or the project's id. */
  who: string;
  /** What opens the conversation. */
  command: string;
  /** Whether the daemon answers /projects and the like here. */
  hasCommands: boolean;
  /** The newest messages. */
  messages(limit: number): Promise<Conversation>;
  /** Saying it again with the same id says it once, and tells what came of it. */
  say(words: { id: string; text: string }): Promise<RouteResponse<"sendChat">>;
  /** The stream of what is said after that message. */
  live(after: number): Promise<AsyncIterable<TalkLive>>;
  /** Whether an answer was under way. */
  stop(): Promise<boolean>;
}

export function mainPlace(channel: string, { call, open }: Pick<Context, "call" | "open">): TalkPlace {
  if (!ChannelId.safeParse(channel).success)
    throw new HallError("usage", "--channel must be a short name of lowercase letters, digits and . _ -");
  const place = { type: "cli", channel } as const;
  return {
    who: "main",
    command: channel === "default" ? "chat" : `chat --channel ${channel}`,
    hasCommands: true,
    messages: (limit) => call("listChat", { query: { ...place, limit } }),
    say: (words) => call("sendChat", { query: {}, body: { ...words, ...place } }),
    live: async (after) => talkIn(await open({ topics: "", channels: `cli:${channel}@${after}` }, SILENCE_MS)),
    stop: async () => (await call("stopChat", { body: place })).stopped,
  };
}

export function projectPlace(id: string, { call, open }: Pick<Context, "call" | "open">): TalkPlace {
  const params = { id };
  return {
    who: id,
    command: `project talk ${id}`,
    hasCommands: false,
    messages: (limit) => call("listProjectMessages", { params, query: { limit } }),
    say: (words) => call("messageProject", { params, query: {}, body: words }),
    live: async (after) => {
      // The stream passes over a channel that is gone; this does not.
      await call("listProjectMessages", { params, query: { limit: 1 } });
      return talkIn(await open({ topics: "", channels: `project:${id}@${after}` }, SILENCE_MS));
    },
    stop: async () => (await call("stopProjectAnswer", { params })).stopped,
  };
}

async function* talkIn(stream: AsyncIterable<Live>): AsyncGenerator<TalkLive> {
  for await (const live of stream) if (live.kind === "talk") yield live.live;
}
