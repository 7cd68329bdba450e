import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type AppOptions, createApp } from "./app.ts";
import { asHallError, type Log, logFailure } from "./failures.ts";
import { ownAddresses } from "./own-addresses.ts";
import { BrowserLinks } from "./pages/browser-links.ts";
import { answerError } from "./requests/answers.ts";
import { answerOnSocket, refuseConnect, refuseUnreadable } from "./requests/raw-answers.ts";
import { RequestsUnderWay } from "./requests/requests-under-way.ts";
import { type LiveStreams, liveStreams } from "./streams/live-stream.ts";

export interface ServerOptions extends Omit<AppOptions, "streams" | "links" | "isStopping" | "newRequestId"> {
  /** Taken instead of `port` if it can be had. */
  readonly preferredPort?: number | undefined;
  /** How long requests under way may take to finish when the server closes. */
  readonly closeWithinMs?: number | undefined;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** A new link that signs one browser in. */
  dashboardLink(): string;
  /** Idempotent: every call answers with the same promise. */
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const CLOSE_WITHIN_MS = 5_000;
const connectionSettings = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  // The guard asks for it, and answers in the shape of every other error.
  requireHostHeader: false,
};

/** Listens and serves; port 0 takes any free one. Rejects with the system's error when the address cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const host = options.host ?? LOOPBACK;
  const server = createServer(connectionSettings);
  const port = await listenOnOne(server, host, [options.preferredPort ?? options.port, options.port]);
  const onFailure = (error: unknown) =>
    options.log({ level: "error", message: "the event log could not be read", stack: String(error) });
  const streams = liveStreams(options, onFailure);
  const underWay = new RequestsUnderWay();
  const links = new BrowserLinks(options.clock);
  const app = createApp({ ...options, port, streams, links, isStopping: () => underWay.closing });
  const listener = getRequestListener(app.fetch, {
    hostname: host,
    errorHandler: (error) => answerLost(error, options.log),
  });
  server.on("request", (incoming, outgoing) => {
    underWay.add(outgoing);
    void listener(incoming, outgoing);
  });
  server.on("connect", (_, socket) => refuseConnect(socket, randomUUID()));
  server.on("clientError", (error, socket) => answerOnSocket(error, socket, randomUUID()));
  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= shutDown(server, { streams, underWay, within: options.closeWithinMs ?? CLOSE_WITHIN_MS }));
  const { url } = ownAddresses(host, port);
  return { url, port, dashboardLink: () => links.issue(url).url, close };
}

/** What never reached the app, or was thrown there without being an error. */
function answerLost(error: unknown, log: Log): Response {
  const requestId = randomUUID();
  if (error instanceof RequestError) return refuseUnreadable(requestId);
  logFailure(log, error, { requestId, method: "?", path: "?" });
  return answerError(asHallError(error), requestId);
}

/** On the first of these ports that can be had. */
async function listenOnOne(server: Server, host: string, [first, other]: [number, number]): Promise<number> {
  if (first === other) return listen(server, host, first);
  return listen(server, host, first).catch(() => listen(server, host, other));
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Takes no more connections, ends the streams, lets requests under way finish, then drops what is left. */
async function shutDown(
  server: Server,
  { streams, underWay, within }: { streams: LiveStreams; underWay: RequestsUnderWay; within: number },
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const finished = underWay.finish(within);
  streams.endAll();
  await finished;
  server.closeAllConnections();
  await closed;
}
