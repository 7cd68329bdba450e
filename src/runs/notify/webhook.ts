import { createHmac } from "node:crypto";
import type { Clock } from "../../store/ids.ts";
import type { Handled } from "../../workspace/events/subscriber-parts.ts";

const TIMEOUT_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** What waits for the person, as receivers see it. */
export interface ToldEscalation {
  id: string;
  question: string;
  [more: string]: unknown;
}

/** What a receiver is told. */
export interface Notification {
  event:
    | "run.ended"
    | "run.notified"
    | "budget.warned"
    | "provider.paused"
    | "escalation.pending"
    | "escalation.resolved"
    | "briefing.created";
  run: string;
  task: string;
  project: string;
  summary: string;
  /** Whose words the summary is: an agent says whatever it was told to say. */
  saidBy: "agent" | "hall" | "person";
  status: string;
  /** Why a run ended without completing. */
  cause?: string;
  /** Of `escalation.pending`: how many wait, of which the first are listed. */
  total?: number;
  escalations?: ToldEscalation[];
  /** Of `briefing.created`: its day and how many of each wait; the summary is its text. */
  briefing?: Record<string, unknown>;
  at: string;
}

/** What is posted of a notification; the whole of it, unless the receiver wants another form. */
export type WebhookForm = (notification: Notification) => object;

export interface WebhookOptions {
  url: string;
  /** Without one the requests are not signed. */
  secret?: string | undefined;
  clock: Clock;
  form?: WebhookForm | undefined;
  timeoutMs?: number;
}

/** The person's own address for notifications. Nothing of it but its origin, and nothing of the secret, is ever told. */
export class Webhook {
  readonly origin: string;
  readonly #options: WebhookOptions;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.origin = new URL(options.url).origin;
  }

  /** Never rejects. `key` is the same for every attempt at one notification, so that the receiver can tell. */
  async post(key: string, notification: Notification, closing: AbortSignal): Promise<Handled> {
    const { url, timeoutMs = TIMEOUT_MS, form = (whole) => whole } = this.#options;
    const timeout = new AbortController();
    const abort = () => timeout.abort();
    const timer = setTimeout(abort, timeoutMs);
    closing.addEventListener("abort", abort, { once: true });
    try {
      const body = JSON.stringify(form(notification));
      const headers = this.#headers(key, notification.event, body);
      const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: timeout.signal });
      // Whatever it has to say is not waited for: it might never end.
      void response.body?.cancel().catch(() => undefined);
      return attemptOf(response, this.#options.clock());
    } catch (error) {
      if (isBadPort(error)) return { kind: "drop", reason: "its port is blocked" };
      const how = timeout.signal.aborted ? `no answer within ${timeoutMs / 1_000} seconds` : faultCode(error);
      return { kind: "retry", reason: `it could not be reached (${how})` };
    } finally {
      clearTimeout(timer);
      closing.removeEventListener("abort", abort);
    }
  }

  #headers(key: string, event: string, body: string): Record<string, string> {
    const { secret, clock } = this.#options;
    const headers = {
      "content-type": "application/json",
      "user-agent": "guildhall",
      "idempotency-key": key,
      "x-guildhall-event": event,
    };
    if (secret === undefined) return headers;
    const seconds = Math.floor(clock().getTime() / 1_000);
    return { ...headers, "x-guildhall-signature": `t=${seconds},v1=${signatureOf(secret, seconds, body)}` };
  }
}

function signatureOf(secret: string, seconds: number, body: string): string {
  return createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
}

function attemptOf({ ok, status, headers }: Response, now: Date): Handled {
  if (ok) return { kind: "done", status };
  if (status >= 300 && status < 400)
    return { kind: "drop", reason: `it answered ${status}, and redirects are not followed` };
  const reason = `it answered ${status}`;
  if (status < 500 && status !== 429) return { kind: "drop", reason };
  const pauseMs = pauseOf(headers.get("retry-after"), now);
  return { kind: "retry", reason, ...(pauseMs === undefined ? {} : { pauseMs }) };
}

/** `retry-after`, which is seconds or a date. */
function pauseOf(asked: string | null, now: Date): number | undefined {
  if (asked === null) return undefined;
  const pauseMs = /^\d+$/.test(asked.trim()) ? Number(asked) * 1_000 : Date.parse(asked) - now.getTime();
  return Number.isNaN(pauseMs) ? undefined : Math.min(LONGEST_PAUSE_MS, Math.max(0, pauseMs));
}

/** The system's name of a fault; its words may hold the whole address. */
export function faultCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "network error";
}

/** Ports of other services, such as mail, which `fetch` never connects to. */
function isBadPort(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.message === "bad port";
}
