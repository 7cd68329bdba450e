import type { HallError } from "../../contract/errors.ts";
import type { Answer } from "../answer.ts";
import { errorBody } from "../failures.ts";
import type { Page } from "../pages/page.ts";

const shared = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

export const apiHeaders = {
  ...shared,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "content-type": "application/json; charset=utf-8",
};

type Extra = Record<string, string>;

/** A status and the JSON text that goes with it: all that must be kept to give the same answer again. */
export interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly etag: string | undefined;
}

export function answerOutcome(outcome: Outcome, requestId: string, extra?: Extra): Answer {
  const headers: Record<string, string> = { ...apiHeaders, "x-request-id": requestId, ...extra };
  if (outcome.etag !== undefined) headers.etag = `"${outcome.etag}"`;
  return { status: outcome.status, headers, body: outcome.body };
}

export function answerError(error: HallError, requestId: string, extra?: Extra): Answer {
  return answerOutcome({ status: error.status, body: errorBody(error, requestId), etag: undefined }, requestId, extra);
}

export function answerUnchanged(etag: string, requestId: string): Answer {
  const { "content-type": _, ...headers } = apiHeaders;
  return { status: 304, headers: { ...headers, "x-request-id": requestId, etag: `"${etag}"` }, body: null };
}

export function answerStream(body: ReadableStream<Uint8Array> | null, requestId: string): Answer {
  return {
    status: 200,
    headers: { ...apiHeaders, "content-type": "text/event-stream; charset=utf-8", "x-request-id": requestId },
    body,
  };
}

/** What the dashboard may do: load its own files and speak with its own daemon. */
const WEB_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Without bytes: the client has them already. */
export function answerFile(bytes: Uint8Array<ArrayBuffer> | undefined, headers: Extra, requestId: string): Answer {
  const length: Extra = bytes === undefined ? {} : { "content-length": String(bytes.length) };
  return {
    status: bytes === undefined ? 304 : 200,
    headers: { ...shared, "content-security-policy": WEB_POLICY, "x-request-id": requestId, ...headers, ...length },
    body: bytes ?? null,
  };
}

/** The page's own inline style and script are allowed by their hashes; nothing else may load or run. */
export function answerPage({ html, styleHash, scriptHash }: Page, requestId: string): Answer {
  const script = scriptHash === undefined ? "" : ` script-src '${scriptHash}';`;
  const policy = `default-src 'none'; style-src '${styleHash}';${script} img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return {
    status: 200,
    headers: {
      ...shared,
      "content-security-policy": policy,
      "content-type": "text/html; charset=utf-8",
      "x-request-id": requestId,
    },
    body: html,
  };
}
