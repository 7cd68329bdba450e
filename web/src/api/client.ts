import { type EndpointName, endpoints } from "../../../src/contract/routes/endpoints.ts";
import type {
  RouteBodyInput,
  RouteParams,
  RouteQueryInput,
  RouteResponse,
} from "../../../src/contract/routes/routes.ts";
import { type Hint, heardHint, hint } from "../../../src/contract/words/hint.ts";
import { searchText } from "./address.ts";
import { Failure } from "./failure.ts";
import { pageHeaders, pageKey } from "./page-key.ts";

type Given<Name extends EndpointName> = Part<"params", RouteParams<Name>> &
  Part<"query", RouteQueryInput<Name>> &
  Part<"body", RouteBodyInput<Name>>;

/** A part that an endpoint does not have cannot be given; one that may be empty may be left out. */
type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: never }
  : Record<string, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

export interface Extra {
  signal?: AbortSignal | undefined;
  /** The etag of what was shown, so that nobody's change in between is lost. */
  ifMatch?: string | undefined;
  /** Asking again with the same key asks once. */
  idempotencyKey?: string | undefined;
}

export type Ask<Name extends EndpointName> = Given<Name> & Extra;

type Loose = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown } & Extra;

/** One request to the daemon, typed by the contract. Rejects with a Failure, or an AbortError. */
export async function call<Name extends EndpointName>(
  name: Name,
  ...[ask]: Record<string, never> extends Given<Name> ? [Ask<Name>?] : [Ask<Name>]
): Promise<RouteResponse<Name>> {
  const { params = {}, query = {}, body, signal, ifMatch, idempotencyKey } = (ask ?? {}) as Loose;
  const [method = "GET", template = ""] = endpoints[name].split(" ");
  const answer = await reach(pathOf(template, params) + searchText(query), {
    method,
    headers: {
      accept: "application/json",
      ...pageHeaders(pageKey()),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  const said: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw refusalOf(answer.status, said);
  return said as RouteResponse<Name>;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure({
      code: "away",
      message: "Can't reach the daemon.",
      hint: hint("daemon-start"),
      status: 0,
    });
  }
}

function pathOf(template: string, params: Record<string, unknown>): string {
  return template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? "")));
}

interface Refused {
  code: string;
  message: string;
  hint?: string;
  hintAction?: Hint;
  file?: string;
  line?: number;
}

function refusalOf(status: number, said: unknown): Failure {
  const error = (said as { error?: Refused } | undefined)?.error;
  if (error === undefined) return new Failure({ code: "unclear", message: `The daemon answered ${status}.`, status });
  return new Failure({ ...error, hint: heardHint(error), status });
}
