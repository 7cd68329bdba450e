import { HallError } from "../../contract/errors.ts";
import { routes } from "../../contract/routes/routes.ts";
import { pathTo } from "../addresses.ts";
import { type Arrival, onlyValue } from "../arrival.ts";
import { answerStream } from "../requests/answers.ts";
import { parseQuery } from "../requests/request-input.ts";
import type { Router } from "../router.ts";
import type { LiveStreams } from "./live-stream.ts";

export function bindStream(router: Router, streams: LiveStreams): void {
  router.on("GET", pathTo("streamLive"), ({ arrival, cutOff }) => {
    const query = parseQuery(arrival.search, routes.streamLive.query);
    const after = lastEventId(arrival) ?? query.after;
    if (arrival.method === "HEAD") return answerStream(null, arrival.requestId);
    const body = streams.open({ ...query, after }, cutOff);
    return answerStream(body, arrival.requestId);
  });
}

function lastEventId(arrival: Arrival): number | undefined {
  const given = onlyValue(arrival.headers, "last-event-id");
  if (given === undefined || given === "") return undefined;
  if (!/^\d{1,15}$/.test(given)) throw new HallError("invalid", "Last-Event-ID: must be the number of an event");
  return Number(given);
}
