import { type ErrorCode, errorTable } from "../contract/errors.ts";
import type { EndpointName } from "../contract/routes/endpoints.ts";
import type { Route } from "../contract/routes/route.ts";
import { routes } from "../contract/routes/routes.ts";
import { isStream, setsCookie } from "./addresses.ts";
import { type JsonSchema, schemaRef } from "./api-schemas.ts";
import { isTagged, isTaggedForReading } from "./requests/etag.ts";

export interface ResponseHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

const text: JsonSchema = { type: "string" };

export const responseHeaders = {
  "X-Request-Id": { description: "Request id, as in the daemon's log.", schema: text },
  ETag: { description: "The version of the document, for If-Match and If-None-Match.", schema: text },
  "Idempotency-Replayed": {
    description: "The request was already processed; this is its original response.",
    schema: { const: "true" },
  },
  "Set-Cookie": { description: "The cookie of the browser's session.", schema: text },
  "WWW-Authenticate": { description: "How to sign in: with the token.", schema: text },
  "Retry-After": { description: "Seconds to wait before a retry.", schema: text },
} satisfies Record<string, ResponseHeader>;

type HeaderName = keyof typeof responseHeaders;

const ERROR_STATUSES = {
  400: "The request cannot be read.",
  401: "The token is missing or wrong.",
  403: "The request is not allowed.",
  404: "A resource of the request does not exist.",
  409: "The request conflicts with the current state.",
  412: "The document has changed since it was read.",
  413: "The request is too large.",
  415: "The body is not JSON, or is compressed.",
  421: "The request is for another host.",
  422: "A field or parameter is invalid; see the message.",
  500: "A bug; the daemon's log has the details under the request id.",
  503: "The daemon is stopping or recovering, or its storage failed.",
} as const;

type ErrorStatus = keyof typeof ERROR_STATUSES;

/** Under `components.responses`: one for each status, with the codes that it comes with. */
export function errorResponses(): Record<string, object> {
  const responses = Object.entries(ERROR_STATUSES).map(([status, description]) => {
    const codes = codesOf(Number(status));
    const told = codes.length === 0 ? description : `${description} Codes: ${codes.join(", ")}.`;
    return [`Error${status}`, errorResponse(told, Number(status))];
  });
  return { ...Object.fromEntries(responses), Error: errorResponse("The request was refused or failed.", undefined) };
}

function errorResponse(description: string, status: number | undefined): object {
  const names: HeaderName[] = ["X-Request-Id"];
  if (status === 401) names.push("WWW-Authenticate");
  if (status === 503) names.push("Retry-After");
  return { description, headers: headerRefs(names), content: { "application/json": { schema: schemaRef("Error") } } };
}

function codesOf(status: number): ErrorCode[] {
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status);
}

interface Operation {
  readonly answer: string | undefined;
  readonly method: string;
  readonly isOpen: boolean;
  readonly takesInput: boolean;
  readonly hasParams: boolean;
}

export function describeResponses(name: EndpointName, operation: Operation): Record<string, unknown> {
  const route: Route = routes[name];
  const errors = errorStatuses(operation).map((status) => [
    String(status),
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return {
    [String(route.status ?? 200)]: success(name, operation),
    ...(operation.method === "GET" && isTaggedForReading(route) && { 304: unchanged() }),
    ...Object.fromEntries(errors),
    default: { $ref: "#/components/responses/Error" },
  };
}

function errorStatuses({ method, isOpen, takesInput, hasParams }: Operation): ErrorStatus[] {
  const changes = method !== "GET";
  return [
    ...(changes ? ([400] as const) : []),
    ...(isOpen ? [] : ([401] as const)),
    403,
    ...(hasParams || takesInput ? ([404] as const) : []),
    ...(changes ? ([409, 412, 413, 415] as const) : []),
    421,
    ...(takesInput ? ([422] as const) : []),
    500,
    503,
  ];
}

function success(name: EndpointName, { answer, method }: Operation): object {
  const names: HeaderName[] = ["X-Request-Id"];
  if (isTagged(routes[name])) names.push("ETag");
  if (method === "POST" && !setsCookie(name)) names.push("Idempotency-Replayed");
  if (setsCookie(name)) names.push("Set-Cookie");
  const headers = headerRefs(names);
  if (!isStream(name) && answer !== undefined)
    return { description: "Done.", headers, content: { "application/json": { schema: schemaRef(answer) } } };
  return {
    description: "An endless stream of server-sent events. The schema describes one frame.",
    headers,
    content: { "text/event-stream": { schema: schemaRef("LiveFrame") } },
  };
}

function unchanged(): object {
  return {
    description: "The copy given by If-None-Match is current.",
    headers: headerRefs(["X-Request-Id", "ETag"]),
  };
}

function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
