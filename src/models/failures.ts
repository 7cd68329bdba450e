import { ModelFailure, type ModelFailureKind, PassingFailure } from "../contract/runs/model-call.ts";
import type { RefusableSetting } from "./call-options.ts";

/** A wait longer than this is not worth holding a run for. */
const LONGEST_WAIT_MS = 60_000;
const LONGEST_MESSAGE = 300;
const LONGEST_BODY = 20_000;

const TOO_LONG = [
  /prompt is too long|exceed(?:s|ed)? (?:the )?context (?:limit|window|size)|context[ _](?:length|window|size)[ _]?exceeded/i,
  /maximum (?:context|prompt) length|exceeds the (?:available )?context|input token count .*exceeds|exceeds the maximum number of tokens/i,
  /exceeded model token limit|reduce the length of the (?:messages|prompt|input)|too many (?:input )?tokens|request_too_large/i,
];
const QUOTA =
  /insufficient_quota|exceeded your current quota|credit balance|billing_(?:error|hard_limit|not_active)|insufficient (?:balance|credits?|funds)|out of credits/i;
/** Google says 400 where others say 401. */
const INVALID_KEY = /API_KEY_INVALID|API key (?:not valid|expired)/i;
const NO_SUCH_MODEL =
  /(?:model|deployment)[^.]{0,80}(?:not found|does not exist|not_found)|not a valid model|unknown model|model_not_found/i;
const UNSUPPORTED =
  /unsupported|not support|unrecognized|unknown (?:parameter|argument|field|name)|not permitted|extra inputs|must be verified/i;

/** Too many requests, not now, overloaded: nothing is wrong with the call. */
const OVERLOAD = new Set([429, 503, 529]);

/** What the system says when a connection did not come about. */
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ENETDOWN",
  "EHOSTDOWN",
]);

/** What it says when one was lost, or took too long to come about. Whether anything was read is not known. */
const LOST_CONNECTION = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"]);

/** What a provider said when it failed, in whichever shape its package hands it on. */
interface Told {
  status: number | undefined;
  message: string;
  body: string;
  headers: Record<string, string>;
}

/** Puts whatever a provider package throws into one of our kinds. Nothing of the request goes along. */
export function asModelFailure(error: unknown, now: () => number): ModelFailure {
  const own = ownFailure(error);
  if (own !== undefined) return own;
  const told = toldBy(error);
  if (told.status === undefined) {
    const message = `The provider could not be reached: ${shorten(told.message)}.`;
    if (hasCode(error, NO_CONNECTION)) return new PassingFailure("unreachable", message);
    return hasCode(error, LOST_CONNECTION)
      ? new PassingFailure("failing", message)
      : new ModelFailure("broken", message);
  }
  if (told.status < 300) {
    const message = `The provider's response was cut off or invalid: ${shorten(told.message)}.`;
    if (hasCode(error, LOST_CONNECTION)) return new PassingFailure("failing", message);
    // The packages' own errors quote what the model said.
    return new ModelFailure(!(error instanceof Error) && isTooLong(told) ? "too_long" : "broken", message);
  }
  const wait = retryAfterMs(told, now);
  const asksFor = wait !== undefined && wait > LONGEST_WAIT_MS ? ` It asked to wait ${Math.ceil(wait / 1_000)} s.` : "";
  const kind = kindOf(told, told.status, wait);
  const message = `The provider answered ${told.status}: ${shorten(saidBy(told))}.${asksFor}`;
  if (kind === "busy" && OVERLOAD.has(told.status))
    return new PassingFailure("overloaded", message, { retryAfterMs: wait });
  if (kind === "busy" && told.status >= 500)
    return new PassingFailure("failing", message, { kind, retryAfterMs: wait });
  return new ModelFailure(kind, message, wait);
}

/** The setting a model refuses to be given, when that is why it failed. */
export function refusedSetting(error: unknown): RefusableSetting | undefined {
  const { status, message, body } = toldBy(error);
  const said = `${message} ${body}`;
  if ((status !== 400 && status !== 422) || !UNSUPPORTED.test(said)) return undefined;
  if (/temperature/i.test(said)) return "temperature";
  return /reasoning|thinking|effort/i.test(said) ? "thinking" : undefined;
}

/** A failure of ours may come back wrapped by the packages. */
function ownFailure(error: unknown): ModelFailure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof ModelFailure) return at;
  return undefined;
}

/** Whether the system gave one of these reasons, however the packages wrapped it. */
function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code, errors = [] } = at as Error & { code?: unknown; errors?: unknown[] };
    if (codes.has(String(code)) || errors.some((one) => hasCode(one, codes))) return true;
  }
  return false;
}

function toldBy(error: unknown): Told {
  const value = (typeof error === "object" && error !== null ? error : { message: String(error) }) as Record<
    string,
    unknown
  >;
  const { statusCode, message, responseBody, responseHeaders, cause, data, type } = value;
  const because =
    cause instanceof Error && statusCode === 200
      ? `${String(message)} (${cause.message})`
      : String(message ?? "no message");
  const known = typeof statusCode === "number";
  return {
    // A package reports an error within a stream as plain data; one that names no status is a stream that went wrong.
    status: known ? statusCode : error instanceof Error && !isNonsense(error) ? undefined : 200,
    message: because,
    body: (typeof responseBody === "string" ? responseBody : JSON.stringify({ type, data })).slice(0, LONGEST_BODY),
    headers: (responseHeaders ?? {}) as Record<string, string>,
  };
}

/** The packages' own errors about an answer that they could not read. */
function isNonsense(error: Error): boolean {
  return (
    /JSONParse|TypeValidation|InvalidResponse|EmptyResponse|NoContent/.test(error.name) ||
    /normalized .* stream error/.test(error.message)
  );
}

/** Some servers find out only when they have begun to answer. */
function isTooLong({ message, body }: Told): boolean {
  return TOO_LONG.some((pattern) => pattern.test(`${message} ${body}`));
}

function kindOf(told: Told, status: number, wait: number | undefined): ModelFailureKind {
  const said = `${told.message} ${told.body}`;
  if (status === 401 || status === 403 || (status === 400 && INVALID_KEY.test(said))) return "no_key";
  if (status === 413 || isTooLong(told)) return "too_long";
  const spent = QUOTA.test(said) && (wait === undefined || /insufficient_quota|credit/i.test(said));
  if (status === 402 || spent || (wait ?? 0) > LONGEST_WAIT_MS) return "quota";
  if (status === 404 || (status === 400 && NO_SUCH_MODEL.test(said))) return "unknown_model";
  const isBusy = status >= 500 ? status !== 501 && status !== 505 : [408, 409, 425, 429].includes(status);
  return isBusy ? "busy" : "refused";
}

/** `retry-after-ms`, `retry-after` as seconds or as a date, or the wait that the message itself names. */
function retryAfterMs({ headers, message, body }: Told, now: () => number): number | undefined {
  const exact = headers["retry-after-ms"];
  if (exact !== undefined && isAmount(exact)) return Number(exact);
  const given = headers["retry-after"];
  if (given !== undefined) {
    if (isAmount(given)) return Number(given) * 1_000;
    const date = /^[A-Za-z]{3}/.test(given) ? Date.parse(given) : Number.NaN;
    if (!Number.isNaN(date)) return Math.max(0, date - now());
  }
  const [, amount, unit] =
    /(?:try again in |"retryDelay":\s*")(\d+(?:\.\d+)?)(ms|s)\b/i.exec(`${message} ${body}`) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unit === "ms" ? 1 : 1_000);
}

function isAmount(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text.trim());
}

/** The packages give up on bodies of an unusual shape; a word in them still helps more than the name of a status. */
function saidBy({ message, body }: Told): string {
  try {
    const { error, detail, message: plain } = JSON.parse(body) as Record<string, unknown>;
    const inner = typeof error === "object" && error !== null ? (error as { message?: unknown }).message : error;
    return [inner, detail, plain].find((said) => typeof said === "string" && said !== "")?.toString() ?? message;
  } catch {
    return message || "no error message";
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE).replace(/\S*$/, "")}…` : line;
}
