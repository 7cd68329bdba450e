import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, realGate } from "../../../test/fakes/gate.ts";
import { startProvider } from "../../../test/harness/scripted-provider.ts";
import { createTransport } from "./transport.ts";

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const transport = createTransport({
  silenceMs: 1_000,
  setAlarm: () => ({ putOff: () => undefined, stop: () => undefined }),
});
const post = { method: "POST", headers: { "content-type": "application/json" }, body: '{"ü":1}' };

describe("the transport", () => {
  it("sends what it is given and hands the answer on", async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(418, "I am a teapot", { "x-seen": String(request.headers["content-length"]) });
      request.pipe(response);
    });
    const answer = await transport(`${url}/brew`, post);
    expect([answer.status, answer.ok, answer.statusText]).toEqual([418, false, "I am a teapot"]);
    expect(answer.headers.get("x-seen")).toBe("8");
    expect(await answer.text()).toBe('{"ü":1}');
  });

  it("uses a connection again for the next call", async () => {
    const provider = await startProvider(() => ({ text: "Done." }));
    onTestFinished(() => provider.close());
    const { gate } = realGate({
      providers: {
        claude: { kind: "anthropic", baseUrl: provider.url, apiKeyEnv: "TEST_KEY" },
        own: { kind: "openai-compatible", baseUrl: provider.url },
      },
    });
    for (const model of ["claude/a", "claude/b", "own/c", "own/c"]) await ask(gate, model);
    expect(provider.requests.map(({ connection }) => connection)).toEqual([1, 1, 1, 1]);
  });

  it("asks for another try at once when the other side closed a connection that was used again", async () => {
    let requests = 0;
    const { url } = await serve((request, response) => {
      requests++;
      if (requests === 2) request.socket.destroy();
      else response.end("fine");
    });
    expect(await (await transport(url, post)).text()).toBe("fine");
    await expect(transport(url, post)).rejects.toMatchObject({ kind: "unreachable", retryAfterMs: 0 });
    expect(await (await transport(url, post)).text()).toBe("fine");
    expect(requests).toBe(3);
  });

  it("leaves the pause to the gate when a new connection failed", async () => {
    const { url } = await serve((request) => void request.socket.destroy());
    await expect(transport(url, post)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("ends the request at once when it is aborted, before and after the answer begins", async () => {
    const { server, url } = await serve((request, response) => {
      if (request.url === "/begun") response.write("half");
    });
    for (const path of ["/silent", "/begun"]) {
      const cancelling = new AbortController();
      const arrived = once(server, "request");
      const asked = transport(url + path, { ...post, signal: cancelling.signal }).then((answer) => answer.text());
      const [, response] = await arrived;
      const closed = once(response, "close");
      cancelling.abort();
      await expect(asked).rejects.toThrow("aborted");
      await closed;
    }
    await expect(transport(url, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow("never");
  });

  it.each([
    ["a status that is none", "HTTP/1.1 999 Whatever\r\ncontent-length: 2\r\n\r\nhi"],
    ["no HTTP at all", "220 mail.example ESMTP\r\n"],
    ["a header that is none", "HTTP/1.1 200 OK\r\nx y: z\r\n\r\n"],
  ])("fails, and nothing else does, when the other side sends %s", async (_, bytes) => {
    const server = createTcpServer((socket) => void socket.on("error", () => undefined).end(bytes));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    await expect(transport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, post)).rejects.toThrow();
  });

  it("hands on an answer without a body", async () => {
    const { url } = await serve((_, response) => void response.writeHead(204).end());
    expect(await (await transport(url, post)).text()).toBe("");
  });

  it("lets go of an answer that nobody reads to its end", async () => {
    const { server, url } = await serve((_, response) => void response.write("half"));
    const arrived = once(server, "request");
    const answer = await transport(url, post);
    const [, response] = await arrived;
    const closed = once(response, "close");
    await answer.body?.cancel();
    await closed;
  });

  it("takes any byte for a sign of life", async () => {
    const events: string[] = [];
    const watched = createTransport({
      silenceMs: 1_000,
      setAlarm: () => ({ putOff: () => events.push("put off"), stop: () => events.push("stopped") }),
    });
    const { url } = await serve((_, response) => {
      response.write(": a comment\n\n");
      setImmediate(() => response.end(": another\n\n"));
    });
    const answer = await watched(url, post);
    await answer.text();
    await expect.poll(() => events.at(-1)).toBe("stopped");
    expect(events.filter((event) => event === "put off").length).toBeGreaterThanOrEqual(2);
  });
});
