import type { Actor } from "../contract/event.ts";
import type { Route } from "../contract/routes/route.ts";
import { routes } from "../contract/routes/routes.ts";
import type { Change } from "../workspace/change.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { assertActorMay } from "../workspace/rights.ts";
import type { Address } from "./addresses.ts";
import type { Answer } from "./answer.ts";
import { type Arrival, onlyValue } from "./arrival.ts";
import { ENDPOINT_RIGHTS } from "./endpoint-rights.ts";
import { clientOf } from "./guard.ts";
import type { Handlers, JsonEndpoint } from "./handler.ts";
import type { EscalationDesk } from "./handlers/escalation-handlers.ts";
import type { LeadApi } from "./handlers/initiative-handlers.ts";
import type { RunDesk } from "./handlers/run-handlers.ts";
import type { TeamDesk } from "./handlers/team-handlers.ts";
import type { TriggerDesk } from "./handlers/trigger-handlers.ts";
import { onceMore, truthfully } from "./recovery.ts";
import { answerOutcome, answerUnchanged, type Outcome } from "./requests/answers.ts";
import { earlierAnswer } from "./requests/earlier-answer.ts";
import { etagOf, isUnchanged, parseIfMatch } from "./requests/etag.ts";
import { type AnsweredRequests, type KeyedRequest, keyedRequest } from "./requests/idempotency.ts";
import { withoutReadOnly } from "./requests/read-only.ts";
import { decodeBody, parseQuery, readBytes } from "./requests/request-input.ts";
import { checked } from "./requests/schema-check.ts";
import type { Params, Visitor } from "./router.ts";

export interface Desk {
  readonly hall: Hall;
  readonly runs: RunDesk;
  readonly escalations: EscalationDesk;
  readonly teams: TeamDesk;
  readonly triggers: TriggerDesk;
  readonly leads: LeadApi;
  readonly handlers: Handlers;
  readonly answered: AnsweredRequests;
}

/** The handler's own input type is known to the table only; parsing has made sure of it. */
type AnyHandler = (input: never) => object | Promise<object>;

/** Parse, call, translate: the same walk for every endpoint that answers with JSON. */
export function serveEndpoint(address: Address & { name: JsonEndpoint }, desk: Desk) {
  const route: Route = routes[address.name];
  const handler: AnyHandler = desk.handlers[address.name];
  const call = (input: Record<string, unknown>) => handler(input as never);
  const serve = address.method === "GET" ? serveReading : serveChanging;
  return ({ arrival, params }: Visitor): Promise<Answer> => {
    const right = ENDPOINT_RIGHTS[address.name];
    if (right !== undefined) assertActorMay(actorOf(arrival), right);
    return serve({ name: address.name, route, desk, call, params, arrival });
  };
}

interface Visit {
  readonly name: JsonEndpoint;
  readonly route: Route;
  readonly desk: Desk;
  readonly call: (input: Record<string, unknown>) => object | Promise<object>;
  readonly params: Params;
  readonly arrival: Arrival;
}

/** What answers, or refuses in its own words, while the index is being rebuilt. */
const NEEDS_NO_INDEX: ReadonlySet<JsonEndpoint> = new Set<JsonEndpoint>([
  "getHealth",
  "getDoctor",
  "listProblems",
  "getOpenApi",
  "stopDaemon",
  "restartDaemon",
  "createBrowserLink",
  "rebuildIndex",
]);

const POSTS_ON_DOCUMENTS: ReadonlySet<JsonEndpoint> = new Set<JsonEndpoint>([
  "moveTask",
  "moveProject",
  "resolveEscalation",
]);

async function serveReading(visit: Visit): Promise<Answer> {
  const { route, call, params, arrival } = visit;
  const query = parseQuery(arrival.search, route.query);
  await indexFor(visit);
  const answer = await onceMore(
    () => call({ params, query }),
    () => indexFor(visit),
  );
  if (isUnchanged(answer, onlyValue(arrival.headers, "if-none-match"))) {
    return answerUnchanged(etagOf(answer) ?? "", arrival.requestId);
  }
  return answerOutcome(outcomeOf(route, answer), arrival.requestId);
}

async function indexFor({ name, desk }: Visit): Promise<void> {
  if (!NEEDS_NO_INDEX.has(name)) await desk.hall.index.available();
}

async function serveChanging(visit: Visit): Promise<Answer> {
  const { route, desk, call, params, arrival } = visit;
  const query = parseQuery(arrival.search, route.query);
  const bytes = await readBytes(arrival, route);
  await indexFor(visit);
  const request = keyedRequest(arrival, bytes);
  const change = changeOf(visit, request);
  const body = await bodyOf(visit, bytes, change.ifMatch);
  const act = () =>
    truthfully(
      async () => outcomeOf(route, await call({ params, query, body, change })),
      () => indexFor(visit),
    );
  if (!request) return answerOutcome(await act(), arrival.requestId);
  const { outcome, replayed } = await desk.answered.perform(request, () => recall(visit, request, body), act);
  return answerOutcome(outcome, arrival.requestId, replayed ? { "idempotency-replayed": "true" } : undefined);
}

function actorOf(arrival: Arrival): Actor {
  const via = clientOf(arrival);
  const { client } = arrival;
  return client === undefined ? { kind: "person", via } : { kind: "client", id: client, via };
}

function changeOf({ name, arrival }: Visit, request: KeyedRequest | undefined): Change {
  const actor = actorOf(arrival);
  const onDocument = arrival.method !== "POST" || POSTS_ON_DOCUMENTS.has(name);
  return { actor, ifMatch: onDocument ? parseIfMatch(onlyValue(arrival.headers, "if-match")) : undefined, request };
}

async function bodyOf({ name, route, desk, params }: Visit, bytes: Uint8Array, ifMatch?: string): Promise<unknown> {
  const fields = decodeBody(bytes, route);
  if (!route.body || fields === undefined) return undefined;
  return checked(route.body, await withoutReadOnly(fields, { name, hall: desk.hall, params, ifMatch }));
}

async function recall(
  { name, route, desk, params }: Visit,
  request: KeyedRequest,
  body: unknown,
): Promise<Outcome | undefined> {
  const done = desk.hall.replay(request);
  const answer = done && (await earlierAnswer(name, desk, { done, body, params }));
  return answer && outcomeOf(route, answer);
}

function outcomeOf(route: Route, answer: object): Outcome {
  return { status: route.status ?? 200, body: JSON.stringify(answer), etag: etagOf(answer) };
}
