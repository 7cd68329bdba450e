import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as plainRequest } from "node:http";
import { Agent as HttpsAgent, request as secureRequest } from "node:https";
import { ModelFailure, PassingFailure } from "../contract/model-call.ts";

const LARGEST_ANSWER = 64 * 1024 * 1024;
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Connections stay open between calls: opening one costs more than all else the gate does for a call. */
const plainAgent = new HttpAgent({ keepAlive: true });
const secureAgent = new HttpsAgent({ keepAlive: true });

/** Rings once, unless it is stopped or put off again and again. */
export interface Alarm {
  putOff(): void;
  stop(): void;
}
export type SetAlarm = (ms: number, ring: () => void) => Alarm;

export const realAlarm: SetAlarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return { putOff: () => void timer.refresh(), stop: () => clearTimeout(timer) };
};

export interface TransportOptions {
  /** How long a provider may send nothing, from the request on. */
  silenceMs: number;
  setAlarm: SetAlarm;
}

interface Order extends TransportOptions {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal | undefined;
}

/**
 * What the provider packages use in place of the global `fetch`, which takes about twice as long. It does as much as they
 * need: JSON goes out, a stream comes in. Any byte counts as a sign of life, so a model that thinks for long and only
 * sends pings is not taken for hung.
 */
export function createTransport(options: TransportOptions): typeof fetch {
  return async (input, init = {}) =>
    exchange({
      ...options,
      url: new URL(input instanceof Request ? input.url : input),
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === "string" ? init.body : "",
      signal: init.signal ?? undefined,
    });
}

function exchange(order: Order): Promise<Response> {
  const { signal, silenceMs, setAlarm } = order;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const sent = begin(order);
  // Destroying the request once its answer has come would lose the reason, so the answer takes its place then.
  let running: { destroy(reason: Error): unknown } = sent;
  const alarm = setAlarm(silenceMs, () => {
    running.destroy(
      new PassingFailure("failing", `The provider sent nothing for ${silenceMs / 1_000} s.`, { kind: "timeout" }),
    );
  });
  const abort = () => void running.destroy(new Error("aborted"));
  signal?.addEventListener("abort", abort, { once: true });
  sent.once("close", () => {
    alarm.stop();
    signal?.removeEventListener("abort", abort);
  });
  sent.on("error", (error: Error & { code?: string }) => {
    const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
    reject(isStale && !signal?.aborted ? closedMeanwhile() : error);
  });
  sent.once("response", (answer) => {
    running = answer;
    alarm.putOff();
    try {
      resolve(responseOf(answer, alarm));
    } catch {
      answer.on("error", () => undefined).destroy();
      reject(new ModelFailure("broken", "The provider's answer is not proper HTTP."));
    }
  });
  sent.end(order.body);
  return promise;
}

function begin({ url, method, headers, body }: Order): ClientRequest {
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) };
  const options = { method, headers: { ...headers, ...length } };
  return url.protocol === "https:"
    ? secureRequest(url, { ...options, agent: secureAgent })
    : plainRequest(url, { ...options, agent: plainAgent });
}

/** Most likely it was closed for being idle just as it was used again: worth another try, and no pause before it. */
function closedMeanwhile(): ModelFailure {
  return new PassingFailure("unreachable", "The provider closed the connection without an answer.", {
    retryAfterMs: 0,
  });
}

function responseOf(answer: IncomingMessage, alarm: Alarm): Response {
  const { statusCode: status = 0, statusMessage: statusText = "" } = answer;
  // The daemon's server puts a Response in the place of the runtime's own that takes any number.
  if (status < 200 || status > 599) throw new RangeError(`The other side answered with the status ${status}.`);
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  if (WITHOUT_BODY.has(status)) answer.on("error", () => undefined).resume();
  return new Response(WITHOUT_BODY.has(status) ? null : bodyOf(answer, alarm), { status, statusText, headers });
}

function bodyOf(answer: IncomingMessage, alarm: Alarm): ReadableStream<Uint8Array> {
  let size = 0;
  // An event may still be under way when the reader has gone, and telling a closed stream would throw into nowhere.
  let isOpen = true;
  const close = (end: () => void) => {
    if (isOpen) end();
    isOpen = false;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      answer.on("data", (chunk: Uint8Array) => {
        alarm.putOff();
        size += chunk.byteLength;
        if (size > LARGEST_ANSWER)
          answer.destroy(new ModelFailure("refused", "The provider's answer is far too large."));
        else if (isOpen) controller.enqueue(chunk);
      });
      answer.once("end", () => close(() => controller.close()));
      answer.on("error", (error) => close(() => controller.error(error)));
    },
    cancel() {
      close(() => void answer.destroy());
    },
  });
}
