import { type ErrorCode, errorTable, HallError } from "../../contract/errors.ts";
import { type EndpointName, endpoints } from "../../contract/routes/endpoints.ts";
import type {
  RouteBodyInput,
  RouteParams,
  RouteQuery,
  RouteQueryInput,
  RouteResponse,
} from "../../contract/routes/routes.ts";
import type { Live } from "../../contract/runs/live.ts";
import { type Hint, heardHint } from "../../contract/words/hint.ts";
import type { Connection } from "./connection.ts";
import { readLive } from "./event-stream.ts";
import { exchange, type WireResponse } from "./wire.ts";

type Part<Key extends string, Value> = Value extends undefined ? unknown : { [K in Key]: Value };
type QueryPart<Query> = Query extends undefined ? unknown : { query?: { [K in keyof Query]?: Query[K] | undefined } };

export type CallInput<Name extends EndpointName> = Part<"params", RouteParams<Name>> &
  QueryPart<RouteQuery<Name>> &
  Part<"body", RouteBodyInput<Name>> & {
    ifMatch?: string | undefined;
    /** How long the daemon may be silent, where the usual half minute does not do. */
    silenceMs?: number;
  };

export type Call = <Name extends EndpointName>(name: Name, input: CallInput<Name>) => Promise<RouteResponse<Name>>;

export interface Client {
  call: Call;
  /** What happens in the hall, as it happens. `silenceMs`: how long the daemon may be silent; 0 waits for ever. */
  open: (wanted: RouteQueryInput<"streamLive">, silenceMs: number) => Promise<AsyncIterable<Live>>;
}

/** A refusal as the daemon worded it. */
export class AnsweredError extends HallError {
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, { message, requestId, file, line, ...told }: AnsweredBody) {
    super(code, message, { file, line, hint: heardHint(told) });
    this.requestId = requestId;
  }
}

interface AnsweredBody {
  code: string;
  message: string;
  file?: string;
  line?: number;
  hint?: string;
  hintAction?: Hint;
  requestId?: string;
}

interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  ifMatch?: string | undefined;
  silenceMs?: number;
}

const SILENCE_MS = 30_000;
// The daemon takes heads of up to 16 KB, of which the other headers need little.
const LONGEST_PATH = 15_000;

/** `connect` is asked once per call, so that a daemon that started anew is found again. */
export function createClient(connect: () => Connection): Client {
  async function send(name: EndpointName, input: AnyInput): Promise<WireResponse> {
    const [method = "", template = ""] = endpoints[name].split(" ");
    const path = fillPath(template, input.params ?? {}) + queryText(input.query ?? {});
    if (path.length > LONGEST_PATH) throw tooLong();
    const { origin, token } = connect();
    const body = method === "POST" || method === "PUT" ? JSON.stringify(input.body ?? {}) : undefined;
    const response = await exchange({
      method,
      origin,
      path,
      headers: requestHeaders(token, input, body !== undefined),
      body,
      silenceMs: input.silenceMs ?? SILENCE_MS,
    });
    if (response.status >= 400) throw answeredError(response.status, await readText(response.body));
    return response;
  }
  return {
    call: async (name, input) => parseAnswer(await readText((await send(name, input as AnyInput)).body)),
    open: async (query, silenceMs) => readLive((await send("streamLive", { query, silenceMs })).body),
  };
}

function requestHeaders(token: string, { ifMatch }: AnyInput, hasBody: boolean): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    "x-guildhall-client": "cli",
    ...(hasBody ? { "content-type": "application/json" } : {}),
    ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
  };
}

/** A dot segment would make the request mean another endpoint, encoded or not, so it is refused here. */
function fillPath(template: string, params: Record<string, string>): string {
  return template.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? "";
    if (value === "" || value === "." || value === "..") throw new HallError("usage", `'${value}' is not a valid id.`);
    if (!value.isWellFormed()) throw new HallError("usage", "Ids must be valid Unicode text.");
    return encodeURIComponent(value);
  });
}

function tooLong(): HallError {
  const hint = "Shorten the arguments, or put long text in a description.";
  return new HallError("too_large", "The command's arguments are too long.", { hint });
}

function queryText(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? "" : `?${text}`;
}

function parseAnswer(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new HallError("internal", "The daemon returned invalid JSON.");
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function answeredError(status: number, text: string): HallError {
  const body = errorBody(text);
  if (body === undefined)
    return new HallError("internal", `The daemon returned status ${status} without an error message.`);
  return new AnsweredError(knownCode(body.code, status), body);
}

function errorBody(text: string): AnsweredBody | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: AnsweredBody };
    return typeof error?.code === "string" && typeof error.message === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

/** A newer daemon may know more codes; the nearest of ours then has the same status. */
function knownCode(code: string, status: number): ErrorCode {
  if (Object.hasOwn(errorTable, code)) return code as ErrorCode;
  const codes = Object.keys(errorTable) as ErrorCode[];
  return codes.find((known) => errorTable[known].status === status) ?? "internal";
}
