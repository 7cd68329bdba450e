import type { ServerResponse } from "node:http";
import type { ChannelMessage } from "../../src/contract/documents/channel.ts";
import type { TalkLive } from "../../src/contract/routes/talk-routes.ts";
import { type ApiAnswer, type ApiRequest, ok } from "./api.ts";

export type Said = { text: string; id: string };

/** A daemon's side of one channel, as far as the command line sees it. */
export interface TalkingHall {
  answer: (request: ApiRequest) => ApiAnswer | undefined;
  messages: ChannelMessage[];
  /** What the person said, each time it was sent. */
  posts: Said[];
  stops: number;
  /** Ids of messages that somebody is still at work on. */
  open: Set<string>;
  /** Adds a message and tells it to whoever listens. */
  say: (message: Partial<ChannelMessage>) => ChannelMessage;
  tell: (...live: TalkLive[]) => void;
  settle: (root: string) => void;
  /** Breaks off every stream. */
  breakOff: () => void;
  /** Whether somebody listens. */
  isHeard: () => boolean;
  /** What the streams were asked to begin after. */
  afters: number[];
}

/** `onSaid` plays the agent: it is called for every new message of the person. */
export function talkingHall(
  base: "/api/chat" | "/api/projects/shop/messages",
  onSaid: (said: Said, hall: TalkingHall) => void = () => {},
): TalkingHall {
  const streams = new Set<ServerResponse>();
  const say = (message: Partial<ChannelMessage>) => {
    const seq = hall.messages.length + 1;
    const usual = { id: `m${seq}`, at: "2026-03-01T12:00:00.000Z", from: "main", to: "person", text: "" } as const;
    const whole: ChannelMessage = { seq, ...usual, ...message };
    hall.messages.push(whole);
    hall.tell({ kind: "message", message: whole });
    return whole;
  };
  const take = (said: Said): ApiAnswer => {
    hall.posts.push(said);
    const known = hall.messages.find(({ id }) => id === said.id);
    const to = said.text.startsWith("/") ? "hall" : base === "/api/chat" ? "main" : "project";
    if (known === undefined && to !== "hall") hall.open.add(said.id);
    const message = known ?? say({ ...said, from: "person", to, root: said.id });
    if (known === undefined) onSaid(said, hall);
    const answers = hall.messages.filter(({ root, to: hearer }) => root === said.id && hearer === "person");
    return ok({ success: true, message, answers, isOpen: hall.open.has(said.id) });
  };
  const stream =
    (after: number): ApiAnswer =>
    (response) => {
      hall.afters.push(after);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": here\n\n");
      for (const message of hall.messages.slice(after)) response.write(frame({ kind: "message", message }));
      streams.add(response);
      response.on("close", () => streams.delete(response));
    };
  const hall: TalkingHall = {
    messages: [],
    posts: [],
    stops: 0,
    open: new Set(),
    afters: [],
    say,
    tell: (...live) => {
      for (const response of streams) for (const each of live) response.write(frame(each));
    },
    settle: (root) => {
      hall.open.delete(root);
      hall.tell({ kind: "settled", root });
    },
    breakOff: () => {
      for (const response of streams) response.destroy();
      streams.clear();
    },
    isHeard: () => streams.size > 0,
    answer: ({ method, path, query, body }) => {
      if (path === "/api/live") return stream(Number(query.channels?.split("@")[1]));
      if (path === `${base}/stop`) return ok({ success: true, stopped: hall.open.size > 0 && ++hall.stops > 0 });
      if (path !== base) return undefined;
      if (method === "POST") return take(body as Said);
      const { messages } = hall;
      return ok({ messages: messages.slice(-Number(query.limit)), lastSeq: messages.length, isBusy: false });
    },
  };
  return hall;
}

function frame(live: TalkLive): string {
  const channel = { type: "http", id: "default" };
  return `event: talk\ndata: ${JSON.stringify({ channel, live })}\n\n`;
}
