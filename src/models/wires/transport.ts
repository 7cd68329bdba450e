import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as secureRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { ModelFailure, PassingFailure } from "../../contract/runs/model-call.ts";
import { HttpAgent, httpRequest } from "../../store/host/node-http.ts";

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

interface Order {
  url: URL;
  method: string;
  headers: Record<string, string>;
  /** Text and bytes, one after the other. */
  body: readonly (string | Uint8Array)[];
  signal: AbortSignal | undefined;
}

export interface AnswerHead {
  status: number;
  statusText: string;
  headers: Record<string, string>;
}

export interface AnswerListener {
  begin(head: AnswerHead): void;
  /** What it throws ends the exchange. */
  piece(bytes: Uint8Array): void;
}

/** Sends JSON and resolves when the whole answer has come. */
export type Post = (order: Omit<Order, "method">, listener: AnswerListener) => Promise<void>;

export function createPost(options: TransportOptions): Post {
  return async (order, listener) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    await exchange({ ...order, method: "POST" }, options, (answer, alarm) => {
      listener.begin(headOf(answer));
      hear(answer, alarm, { onPiece: (bytes) => listener.piece(bytes), onEnd: resolve, onError: reject });
    });
    return promise;
  };
}

/**
 * What the provider packages use in place of the global `fetch`, which takes about twice as long. It does as much as they
 * need: JSON goes out, a stream comes in. Any byte counts as a sign of life, so a model that thinks for long and only
 * sends pings is not taken for hung.
 */
export function createTransport(options: TransportOptions): typeof fetch {
  return async (input, init = {}) => {
    const order = {
      url: new URL(input instanceof Request ? input.url : input),
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === "string" && init.body !== "" ? [init.body] : [],
      signal: init.signal ?? undefined,
    };
    return exchange(order, options, responseOf);
  };
}

/** `take`: called as soon as the answer begins, and has to listen to it then. */
function exchange<Result>(
  order: Order,
  { silenceMs, setAlarm }: TransportOptions,
  take: (answer: IncomingMessage, alarm: Alarm) => Result,
): Promise<Result> {
  const { signal } = order;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
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
      resolve(take(answer, alarm));
    } catch {
      answer.on("error", () => undefined).destroy();
      reject(new ModelFailure("broken", "The provider's response is not valid HTTP."));
    }
  });
  // What is written within one turn of the event loop leaves together.
  sent.cork();
  const [last, ...before] = order.body.filter((part) => part.length > 0).toReversed();
  for (const part of before.reverse()) sent.write(part);
  sent.end(last);
  sent.uncork();
  return promise;
}

/** As Node's client wants addresses: a model is asked at the same one all the time. */
const addresses = new WeakMap<URL, RequestOptions>();

function addressOf(url: URL): RequestOptions {
  const address = addresses.get(url) ?? urlToHttpOptions(url);
  addresses.set(url, address);
  return address;
}

function begin({ url, method, headers, body }: Order): ClientRequest {
  const size = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const length = size === 0 ? {} : { "content-length": size };
  const options = { ...addressOf(url), method, headers: { ...headers, ...length } };
  return options.protocol === "https:"
    ? secureRequest({ ...options, agent: secureAgent })
    : httpRequest({ ...options, agent: plainAgent });
}

/** Most likely it was closed for being idle just as it was used again: worth another try, and no pause before it. */
function closedMeanwhile(): ModelFailure {
  return new PassingFailure("unreachable", "The provider closed the connection without a response.", {
    retryAfterMs: 0,
  });
}

function headOf(answer: IncomingMessage): AnswerHead {
  const { statusCode: status = 0, statusMessage: statusText = "" } = answer;
  if (status < 200 || status > 599) throw new RangeError(`The server answered with status ${status}.`);
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status, statusText, headers: Object.fromEntries(headers) };
}

interface Hearing {
  onPiece: (bytes: Uint8Array) => void;
  onEnd: () => void;
  onError: (error: unknown) => void;
}

function hear(answer: IncomingMessage, alarm: Alarm, { onPiece, onEnd, onError }: Hearing): void {
  let size = 0;
  answer.on("data", (bytes: Uint8Array) => {
    alarm.putOff();
    size += bytes.byteLength;
    try {
      if (size > LARGEST_ANSWER) throw new ModelFailure("refused", "The provider's response is too large.");
      onPiece(bytes);
    } catch (error) {
      onError(error);
      answer.destroy();
    }
  });
  answer.once("end", onEnd);
  answer.on("error", onError);
}

function responseOf(answer: IncomingMessage, alarm: Alarm): Response {
  // The daemon's server puts a Response in the place of the runtime's own that takes any number.
  const { status, ...head } = headOf(answer);
  if (WITHOUT_BODY.has(status)) answer.on("error", () => undefined).resume();
  return new Response(WITHOUT_BODY.has(status) ? null : bodyOf(answer, alarm), { status, ...head });
}

function bodyOf(answer: IncomingMessage, alarm: Alarm): ReadableStream<Uint8Array> {
  // An event may still be under way when the reader has gone, and telling a closed stream would throw into nowhere.
  let isOpen = true;
  const close = (end: () => void) => {
    if (isOpen) end();
    isOpen = false;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      hear(answer, alarm, {
        onPiece: (bytes) => {
          if (isOpen) controller.enqueue(bytes);
        },
        onEnd: () => close(() => controller.close()),
        onError: (error) => close(() => controller.error(error)),
      });
    },
    cancel() {
      close(() => void answer.destroy());
    },
  });
}
