import { Agent, request } from "node:http";

export interface Client {
  /** The answer's JSON; throws on every status that is not a success. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): void;
}

/** Speaks to a daemon over as many connections as asked for, all kept open. */
export function connect(url: string, token: string, connections = 1): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const call = (method: string, path: string, body?: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(content === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
      };
      const sent = request(url + path, { agent, method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`));
        });
      });
      sent.on("error", reject);
      sent.end(content);
    });
  return { call, close: () => agent.destroy() };
}
