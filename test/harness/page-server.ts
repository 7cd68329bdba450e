import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

type Serve = string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void);

export interface PageServer {
  /** host:port */
  host: string;
  port: number;
  requests: { path: string; method: string; headers: IncomingHttpHeaders; body: string }[];
}

/** A web server on loopback: pages by path, text as HTML; whatever is not there is 404. */
export async function startPages(pages: Record<string, Serve>): Promise<PageServer> {
  const requests: PageServer["requests"] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { url: path = "", method = "", headers } = request;
    requests.push({ path, method, headers, body: Buffer.concat(parts).toString("utf8") });
    const page = pages[path] ?? pages[path.split("?")[0] as string];
    if (page === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("nothing here");
    else if (typeof page === "function") page(request, response);
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, port, requests };
}

export function redirectTo(location: string, status = 302): Serve {
  return (_request, response) => response.writeHead(status, { location }).end();
}

export function serve(type: string | undefined, body: string | Buffer, more: Record<string, string> = {}): Serve {
  return (_request, response) =>
    response.writeHead(200, { ...(type === undefined ? {} : { "content-type": type }), ...more }).end(body);
}

/** Counts the connections that this process opens from now on, whoever opens them. */
export function countConnections(): () => number {
  let count = 0;
  const opened = (message: unknown) => {
    if ((message as { socket?: Socket }).socket !== undefined) count++;
  };
  subscribe("net.client.socket", opened);
  onTestFinished(() => {
    unsubscribe("net.client.socket", opened);
  });
  return () => count;
}
