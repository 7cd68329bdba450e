import { faultCode } from "../../runs/notify/webhook.ts";

const TIMEOUT_MS = 20_000;
const LONGEST_PAUSE_MS = 3_600_000;
const LONGEST_REASON = 200;
/** A hundred updates, which is the most that are asked for, have far less. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

export type ApiAnswer =
  | { kind: "ok"; result: unknown }
  | { kind: "refused"; status: number; reason: string; pauseMs?: number | undefined }
  | { kind: "unreachable"; reason: string };

/** Digits, which are the bot's number and no secret, and the secret. */
const TOKEN = /^\d{3,20}:[A-Za-z0-9_-]{16,100}$/;

export function isBotToken(token: string): boolean {
  return TOKEN.test(token);
}

/** The part of a token that is secret by itself, however the rest is written. */
export function secretPart(token: string): string {
  return token.slice(token.indexOf(":") + 1);
}

/**
 * Telegram's Bot API. The token is part of every address, so nothing of an address, and no word of an error that may
 * quote one, is ever told.
 */
export class TelegramApi {
  readonly #base: string;
  readonly #token: string;

  constructor({ apiUrl, token }: { apiUrl: string; token: string }) {
    this.#base = apiUrl.replace(/\/+$/, "");
    this.#token = token;
  }

  /** Never rejects. */
  async call(
    method: string,
    params: object,
    { signal, timeoutMs = TIMEOUT_MS }: { signal: AbortSignal; timeoutMs?: number },
  ): Promise<ApiAnswer> {
    const ending = new AbortController();
    const abort = () => ending.abort();
    const timer = setTimeout(abort, timeoutMs);
    timer.unref();
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      const response = await fetch(`${this.#base}/bot${this.#token}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "guildhall" },
        body: JSON.stringify(params),
        redirect: "manual",
        signal: ending.signal,
      });
      return this.#answerOf(response.status, await boundedText(response));
    } catch (error) {
      const how = ending.signal.aborted ? `no answer within ${timeoutMs / 1_000} seconds` : faultCode(error);
      return { kind: "unreachable", reason: `Telegram could not be reached (${how})` };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  #answerOf(httpStatus: number, text: string | undefined): ApiAnswer {
    const body = text === undefined ? undefined : objectIn(text);
    if (body?.ok === true) return { kind: "ok", result: body.result };
    if (body?.ok !== false) {
      const reason = `Telegram answered ${httpStatus} in an unexpected format`;
      return httpStatus === 200 ? { kind: "unreachable", reason } : { kind: "refused", status: httpStatus, reason };
    }
    const status = typeof body.error_code === "number" ? body.error_code : httpStatus;
    const said = typeof body.description === "string" ? `: ${this.#shown(body.description)}` : "";
    return { kind: "refused", status, reason: `Telegram answered ${status}${said}`, pauseMs: pauseIn(body.parameters) };
  }

  #shown(description: string): string {
    const plain = description.slice(0, 10 * LONGEST_REASON).replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
    return plain.replaceAll(secretPart(this.#token), "[secret]").slice(0, LONGEST_REASON).toWellFormed();
  }
}

function pauseIn(parameters: unknown): number | undefined {
  const asked = isObject(parameters) ? parameters.retry_after : undefined;
  return typeof asked === "number" && asked >= 0 ? Math.min(LONGEST_PAUSE_MS, asked * 1_000) : undefined;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined when it is too long. */
async function boundedText(response: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > LARGEST_ANSWER) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
