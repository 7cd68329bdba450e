import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer } from "../store/host/node-http.ts";
import { sendAnswer } from "./answer.ts";
import { type App, type AppOptions, createApp } from "./app.ts";
import { type Arrival, arrivalOf, UnreadableAddress } from "./arrival.ts";
import { type Log, logFailure } from "./failures.ts";
import { ownAddresses } from "./own-addresses.ts";
import { BrowserLinks } from "./pages/browser-links.ts";
import { PendingRequests } from "./requests/pending-requests.ts";
import { answerOnSocket, refuseConnect, refuseUnreadable } from "./requests/raw-answers.ts";
import { type LiveStreams, liveStreams } from "./streams/live-stream.ts";

export interface ServerOptions extends Omit<AppOptions, "streams" | "links" | "isStopping" | "tls"> {
  /** Listens for TLS as well, there and with this certificate. */
  readonly tls?: { host: string; port: number; cert: string; key: string } | undefined;
  /** Taken instead of `port` if it can be had. */
  readonly preferredPort?: number | undefined;
  /** How long requests under way may take to finish when the server closes. */
  readonly closeWithinMs?: number | undefined;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** The one it listens on for TLS. */
  readonly tlsPort?: number | undefined;
  /** A new link that signs one browser in. */
  dashboardLink(): string;
  /** Idempotent: every call answers with the same promise. */
  close(): Promise<void>;
}

type Listener = Server | SecureServer;

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
  const secure = await listenSecurely(options.tls).catch((error) => {
    server.close();
    throw error;
  });
  const onFailure = (error: unknown) =>
    options.log({ level: "error", message: "the event log could not be read", stack: String(error) });
  const streams = liveStreams(options, onFailure);
  const underWay = new PendingRequests();
  const links = new BrowserLinks(options.clock);
  const isStopping = () => underWay.closing;
  const app = createApp({ ...options, port, tls: secure?.at, streams, links, isStopping });
  const serve = listenerFor(app, { host, log: options.log });
  const servers = [server, ...(secure === undefined ? [] : [secure.server])];
  for (const each of servers) {
    each.on("request", (incoming, outgoing) => {
      underWay.add(outgoing);
      void serve(incoming, outgoing);
    });
    each.on("connect", (_, socket) => refuseConnect(socket, randomUUID()));
    each.on("clientError", (error, socket) => answerOnSocket(error, socket, randomUUID()));
  }
  let closed: Promise<void> | undefined;
  const within = options.closeWithinMs ?? CLOSE_WITHIN_MS;
  const close = () => (closed ??= shutDown(servers, { streams, underWay, within }));
  const { url } = ownAddresses(host, port);
  return { url, port, tlsPort: secure?.at.port, dashboardLink: () => links.issue(url).url, close };
}

/** The local listener stays as it is: commands of this machine need no certificate. */
async function listenSecurely(tls: ServerOptions["tls"]) {
  if (tls === undefined) return undefined;
  const { host, port, cert, key } = tls;
  const server = createSecureServer({ ...connectionSettings, cert, key, minVersion: "TLSv1.2" });
  return { server, at: { host, port: await listen(server, host, port) } };
}

function listenerFor(app: App, { host, log }: { host: string; log: Log }) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    try {
      const arrival = readArrival(incoming, host, requestId);
      const answer = arrival === undefined ? refuseUnreadable(requestId) : await app(arrival, () => outgoing.destroy());
      await sendAnswer(answer, outgoing);
    } catch (error) {
      logFailure(log, error, { requestId, method: incoming.method ?? "", path: incoming.url ?? "" });
      outgoing.destroy();
    }
  };
}

function readArrival(incoming: IncomingMessage, host: string, requestId: string): Arrival | undefined {
  try {
    return arrivalOf(incoming, host, requestId);
  } catch (error) {
    if (error instanceof UnreadableAddress) return undefined;
    throw error;
  }
}

/** On the first of these ports that can be had. */
async function listenOnOne(server: Listener, host: string, [first, other]: [number, number]): Promise<number> {
  if (first === other) return listen(server, host, first);
  return listen(server, host, first).catch(() => listen(server, host, other));
}

function listen(server: Listener, host: string, port: number): Promise<number> {
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
  servers: readonly Listener[],
  { streams, underWay, within }: { streams: LiveStreams; underWay: PendingRequests; within: number },
): Promise<void> {
  const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  const finished = underWay.finish(within);
  streams.endAll();
  await finished;
  for (const server of servers) server.closeAllConnections();
  await closed;
}
