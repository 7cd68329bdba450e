import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface GitServer {
  /** Without the name of a repository. */
  url: string;
  /** Authorization headers that came. */
  seen: (string | undefined)[];
  /** Answers are held back until this is called. */
  release(): void;
}

/** Serves the bare repositories in a folder over loopback HTTP, as hosts of repositories do. */
export async function gitServer(
  folder: string,
  { password, held = false }: { password?: string; held?: boolean } = {},
): Promise<GitServer> {
  const seen: (string | undefined)[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  if (!held) release();
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming.headers.authorization);
    const wanted = `Basic ${Buffer.from(`pat:${password}`).toString("base64")}`;
    if (password !== undefined && incoming.headers.authorization !== wanted) {
      outgoing.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? "/", "http://localhost");
    void released.then(() => {
      const backend = spawn("git", ["http-backend"], {
        env: {
          PATH: process.env.PATH,
          GIT_PROJECT_ROOT: folder,
          GIT_HTTP_EXPORT_ALL: "1",
          PATH_INFO: pathname,
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: incoming.method,
          CONTENT_TYPE: incoming.headers["content-type"] ?? "",
          HTTP_CONTENT_ENCODING: incoming.headers["content-encoding"] ?? "",
          GIT_PROTOCOL: String(incoming.headers["git-protocol"] ?? ""),
        },
        stdio: ["pipe", "pipe", "ignore"],
      });
      backend.stdin.on("error", () => undefined);
      incoming.pipe(backend.stdin);
      let head = Buffer.alloc(0);
      let isOpen = false;
      backend.stdout.on("data", (chunk: Buffer) => {
        if (isOpen) return void outgoing.write(chunk);
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf("\r\n\r\n");
        if (end === -1) return;
        isOpen = true;
        const lines = head.subarray(0, end).toString().split("\r\n");
        const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
        const { Status: status = "200", ...rest } = headers;
        outgoing.writeHead(Number.parseInt(status, 10), rest);
        outgoing.write(head.subarray(end + 4));
      });
      backend.on("close", () => outgoing.end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    release();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, release };
}
