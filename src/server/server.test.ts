import { Agent, get, request } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { exchange, openHouse, TOKEN } from "../../test/fakes/house.ts";

type Opened = Awaited<ReturnType<typeof openHouse>>;

const opened: Opened[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ server }) => server.close()));
});

async function open(...options: Parameters<typeof openHouse>): Promise<Opened> {
  const home = await openHouse(...options);
  opened.push(home);
  return home;
}

function ask(
  home: Opened,
  path: string,
  agent: Agent,
  method = "GET",
): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${home.server.url}${path}`,
      { agent, method, headers: { authorization: `Bearer ${TOKEN}` } },
      (answer) => {
        answer
          .resume()
          .on("end", () => resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection }));
      },
    );
    asked.on("error", reject).end();
  });
}

/** Opens a stream and answers with what comes, piece by piece. */
function listen(home: Opened, headers: Record<string, string> = {}, path = "/api/live") {
  const pieces: string[] = [];
  let changed = Promise.withResolvers<void>();
  const asked = get(
    `${home.server.url}${path}`,
    { headers: { authorization: `Bearer ${TOKEN}`, ...headers } },
    (answer) => {
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        pieces.push(piece);
        changed.resolve();
        changed = Promise.withResolvers();
      });
      answer.on("end", () => {
        pieces.push("(end)");
        changed.resolve();
      });
    },
  );
  asked.on("error", () => {});
  const until = async (text: string) => {
    while (!pieces.join("").includes(text)) {
      if (pieces.at(-1) === "(end)") throw new Error(`The stream ended without '${text}'.`);
      await changed.promise;
    }
    return pieces.join("");
  };
  return { asked, until };
}

describe("the event stream over the wire", () => {
  test("flushes at once, replays after Last-Event-ID and goes on live", async () => {
    const home = await open();
    home.emit("task.created", "alpha");
    home.emit("task.updated", "alpha");
    const stream = listen(home, { "last-event-id": "1" });
    expect(await stream.until("id: 2\n")).not.toContain("id: 1\n");
    home.emit("task.moved", "alpha");
    expect(await stream.until("id: 3\n")).toContain('"type":"task.moved"');
    stream.asked.destroy();
  });

  test("forgets a client that hangs up", async () => {
    const home = await open();
    const gone = Promise.withResolvers<void>();
    const subscribe = home.hall.events.subscribe;
    home.hall.events.subscribe = (listener) => {
      const stop = subscribe(listener);
      return () => {
        stop();
        gone.resolve();
      };
    };
    const stream = listen(home);
    await stream.until("keep-alive");
    stream.asked.destroy();
    await gone.promise;
    expect(home.listeners.size).toBe(0);
  });

  test("refuses a Last-Event-ID that is no number, and opens nothing for HEAD", async () => {
    const home = await open();
    const sent = (line: string, ...headers: string[]) => {
      const own = [
        `Host: 127.0.0.1:${home.server.port}`,
        `Authorization: Bearer ${TOKEN}`,
        "Connection: close",
        ...headers,
      ];
      return exchange(home.server.port, `${line} HTTP/1.1\r\n${own.join("\r\n")}\r\n\r\n`);
    };
    expect(await sent("GET /api/live", "Last-Event-ID: x")).toMatch(/^HTTP\/1\.1 422 /);
    expect(await sent("HEAD /api/live")).toMatch(/^HTTP\/1\.1 200 /);
    expect(home.listeners.size).toBe(0);
  });
});

describe("the stream of runs over the wire", () => {
  test("flushes at once and forgets a client that hangs up", async () => {
    const home = await open();
    const gone = Promise.withResolvers<void>();
    const subscribe = home.runs.subscribe;
    home.runs.subscribe = (listener) => {
      const stop = subscribe(listener);
      return () => {
        stop();
        gone.resolve();
      };
    };
    const stream = listen(home, {}, "/api/live?topics=runs");
    await stream.until("keep-alive");
    home.tell({ runId: "run-1", projectId: "alpha", activity: { kind: "thinking" } });
    await stream.until('"activity":{"kind":"thinking"}');
    stream.asked.destroy();
    await gone.promise;
    expect(home.watchers.size).toBe(0);
  });
});

describe("closing", () => {
  test("lets a request under way finish and refuses new ones on its connections", async () => {
    const home = await open();
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    home.hall.index.rebuild = async () => {
      started.resolve();
      await gate.promise;
      return { files: 0, problems: 0, ms: 0 };
    };
    const slow = ask(home, "/api/index/rebuild", new Agent({ keepAlive: true }), "POST");
    await started.promise;
    const kept = connect(home.server.port, "127.0.0.1");
    await new Promise((resolve) => kept.once("connect", resolve));
    kept.write(`GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${home.server.port}\r\nX-Slow: `);
    const closing = home.server.close();
    const refused = new Promise<string>((resolve) => kept.once("data", (data: Buffer) => resolve(String(data))));
    kept.write("yes\r\n\r\n");
    expect(await refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*"code":"stopping"/i);
    gate.resolve();
    expect((await slow).status).toBe(200);
    await closing;
  });

  test("does not wait longer than it may for a request that does not finish", async () => {
    const home = await open({ closeWithinMs: 1 });
    const started = Promise.withResolvers<void>();
    home.hall.index.rebuild = () => {
      started.resolve();
      return new Promise(() => {});
    };
    const stuck = ask(home, "/api/index/rebuild", new Agent(), "POST");
    const lost = expect(stuck).rejects.toThrow();
    await started.promise;
    await home.server.close();
    await lost;
  });

  test("takes the port that is preferred, and where that is taken the other", async () => {
    const home = await open();
    const { port } = home.server;
    const beside = await open({ preferredPort: port });
    expect(beside.server.port).not.toBe(port);
    await home.server.close();
    expect((await open({ preferredPort: port })).server.port).toBe(port);
  });

  test("ends the streams and frees the port, however often it is asked", async () => {
    const home = await open({ closeWithinMs: 60_000 });
    const streams = [listen(home), listen(home, {}, "/api/live?topics=runs")];
    for (const stream of streams) await stream.until("keep-alive");
    await Promise.all([home.server.close(), home.server.close()]);
    for (const stream of streams) await stream.until("(end)");
    expect([home.listeners.size, home.watchers.size]).toEqual([0, 0]);
    await (await open({ port: home.server.port })).server.close();
  });
});

test("connections are kept alive, and the address taken is told", async () => {
  const home = await open();
  expect(home.server.url).toBe(`http://127.0.0.1:${home.server.port}`);
  expect((await ask(home, "/api/health", new Agent({ keepAlive: true }))).connection).toBe("keep-alive");
});

test("a port that is taken is the system's error", async () => {
  const { server } = await open();
  await expect(openHouse({ port: server.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
