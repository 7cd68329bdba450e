import type { Context, Hono } from "hono";
import { projectChannel } from "../contract/channel.ts";
import { HallError } from "../contract/errors.ts";
import { routes } from "../contract/routes.ts";
import { pathTo } from "./addresses.ts";
import { answerStream } from "./answers.ts";
import type { AppOptions, Env } from "./app.ts";
import { type Arrival, onlyValue } from "./arrival.ts";
import type { CutOff } from "./client-stream.ts";
import { EventStreams } from "./event-stream.ts";
import { LiveStreams } from "./live-stream.ts";
import { PageStreams } from "./page-stream.ts";
import { parseQuery } from "./request-input.ts";
import { TalkStreams } from "./talk-stream.ts";

/** What is open without an end, for the server to end when it stops. */
export interface Streams {
  readonly events: EventStreams;
  readonly live: LiveStreams;
  readonly talk: TalkStreams;
  readonly page: PageStreams;
}

export function openStreams(options: AppOptions, onFailure: (error: unknown) => void = () => {}): Streams {
  const { hall, runs, talk, version, startedAt } = options;
  return {
    events: new EventStreams(hall.events, { onFailure }),
    live: new LiveStreams(runs),
    talk: new TalkStreams(talk),
    page: new PageStreams({ events: hall.events, runs, talk, version, startedAt }, { onFailure }),
  };
}

/** `seen`: the number in the Last-Event-ID header. */
type Open = (cutOff: CutOff, seen: number | undefined) => ReadableStream<Uint8Array>;

export function bindStreams(app: Hono<Env>, { events, live, talk, page }: Streams): void {
  app.get(pathTo("streamEvents"), (context) => {
    const { after, project } = parseQuery(context.var.arrival.search, routes.streamEvents.query);
    return serve(context, (cutOff, seen) => events.open({ after: seen ?? after, project }, cutOff));
  });
  app.get(pathTo("streamLive"), (context) => {
    const query = parseQuery(context.var.arrival.search, routes.streamLive.query);
    return serve(context, (cutOff, seen) => page.open({ ...query, after: seen ?? query.after }, cutOff));
  });
  app.get(pathTo("streamRuns"), (context) => {
    const query = parseQuery(context.var.arrival.search, routes.streamRuns.query);
    return serve(context, (cutOff) => live.open(query, cutOff));
  });
  app.get(pathTo("streamChat"), (context) => {
    const { type, channel, after } = parseQuery(context.var.arrival.search, routes.streamChat.query);
    return serve(context, (cutOff, seen) => talk.open({ type, id: channel }, seen ?? after, cutOff));
  });
  app.get(pathTo("streamProjectMessages"), (context) => {
    const { after } = parseQuery(context.var.arrival.search, routes.streamProjectMessages.query);
    const of = projectChannel(context.req.param("id") ?? "");
    return serve(context, (cutOff, seen) => talk.open(of, seen ?? after, cutOff));
  });
}

function serve(context: Context<Env>, open: Open): Response {
  const { arrival } = context.var;
  const seen = lastEventId(arrival);
  if (arrival.method === "HEAD") return answerStream(null, arrival.requestId);
  const body = open(() => context.env?.outgoing?.destroy(), seen);
  return answerStream(body, arrival.requestId);
}

function lastEventId(arrival: Arrival): number | undefined {
  const given = onlyValue(arrival.headers, "last-event-id");
  if (given === undefined || given === "") return undefined;
  if (!/^\d{1,15}$/.test(given)) throw new HallError("invalid", "Last-Event-ID: must be the number of an event");
  return Number(given);
}
