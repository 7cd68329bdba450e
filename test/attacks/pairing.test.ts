import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, startHall, temporaryFolder } from "../harness/daemon.ts";
import { selfSigned } from "../harness/self-signed.ts";
import { refused, wanted } from "../harness/workspace.ts";

const PUBLIC = "https://hall.example.org";
const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)";

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
  port?: number;
  tls?: boolean;
}

/** A request with exactly these headers, as a proxy on this machine passes them on. */
function send(url: string, path: string, { method = "GET", headers = {}, body, port, tls = false }: Sent = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { "content-type": "application/json", "content-length": String(text.length) };
  const options = {
    host: "127.0.0.1",
    port: port ?? Number(new URL(url).port),
    path,
    method,
    headers: { ...type, ...headers },
  };
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; body: string }>((resolve, reject) => {
    const sent = tls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    sent.on("error", reject).on("response", async (answer) => {
      let body = "";
      for await (const chunk of answer) body += String(chunk);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
    });
    sent.end(text);
  });
}

const errorCode = ({ body }: { body: string }) => JSON.parse(body).error?.code;
const fromProxy = { host: "hall.example.org", origin: PUBLIC, "sec-fetch-site": "same-origin", "user-agent": PHONE };

async function pairable() {
  const hall = await startHall(undefined, { config: { server: { publicUrl: PUBLIC } } });
  const newCode = async (body = {}) => {
    const { url } = await wanted(201, hall.call("POST", "/api/browser/pair", body));
    expect(url).toMatch(/^https:\/\/hall\.example\.org\/#\/enter\/[0-9a-f]{32}$/);
    return url.slice(-32);
  };
  const enter = (code: string, headers: Record<string, string> = fromProxy) =>
    send(hall.url, "/api/browser/session", { method: "POST", headers, body: { code } });
  const pair = async () => {
    const answer = await enter(await newCode());
    expect(answer.status, answer.body).toBe(201);
    const cookie = answer.headers["set-cookie"]?.[0] ?? "";
    const page = { cookie: cookie.split(";")[0] ?? "", "x-guildhall-page": String(JSON.parse(answer.body).key) };
    return {
      cookie,
      page,
      ask: (path: string, sent: Sent = {}) =>
        send(hall.url, path, { ...sent, headers: { ...fromProxy, ...page, ...sent.headers } }),
    };
  };
  return { hall, newCode, enter, pair };
}

it("a phone is paired once, with a cookie for TLS only, listed, and signed out from elsewhere at once", async () => {
  const { hall, enter, pair } = await pairable();
  const { cookie, ask, page } = await pair();
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
  expect((await ask("/api/now")).status).toBe(200);
  const { devices, address } = await wanted(200, hall.call("GET", "/api/browser/devices"));
  expect([address, devices.map(({ name }) => name)]).toEqual([PUBLIC, ["iPhone"]]);
  const file = join(hall.workspace, ".guildhall/devices.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const stored = readFileSync(file, "utf8");
  for (const secret of Object.values(page)) expect(stored).not.toContain(secret);

  // The device cannot let others in, with its session or anybody's program token.
  expect(errorCode(await ask("/api/browser/pair", { method: "POST", body: {} }))).toBe("unauthorized");
  expect(errorCode(await ask("/api/browser/links", { method: "POST" }))).toBe("unauthorized");

  const named = await commandLine(["pair", "--name", "Tablet"], { workspace: hall.workspace });
  expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining(`open: ${PUBLIC}/#/enter/`) });
  expect((await enter(/enter\/([0-9a-f]{32})/.exec(named.stdout)?.[1] ?? "")).status).toBe(201);
  const removed = await commandLine(["device", "remove", "iPhone"], { workspace: hall.workspace });
  expect(removed).toMatchObject({ code: 0, stdout: "iPhone signed out.\n" });
  expect(errorCode(await ask("/api/now"))).toBe("unauthorized");
  expect((await commandLine(["device", "list"], { workspace: hall.workspace })).stdout).toMatch(/Tablet/);
  await refused("device_not_found", hall.call("DELETE", "/api/browser/devices/none"));

  const log = () => hall.call("GET", "/api/events/log?type=device.paired,device.removed");
  const seen = await eventually(
    async () => (await log()).body.events,
    (events) => events.length >= 3,
  );
  expect(seen.map(({ type, after }) => `${type} ${after?.name}`)).toEqual([
    ...["device.paired iPhone", "device.paired Tablet", "device.removed iPhone"],
  ]);
  for (const secret of Object.values(page)) expect(JSON.stringify(seen)).not.toContain(secret);

  const other = await pair();
  expect((await other.ask("/api/browser/session", { method: "DELETE" })).status).toBe(200);
  expect(errorCode(await other.ask("/api/now"))).toBe("unauthorized");

  // A list that is lost signs devices out, and browsers of this machine stay.
  const last = await pair();
  await hall.stop();
  writeFileSync(file, "{");
  const again = await startHall(hall.workspace);
  const gone = await send(again.url, "/api/now", { headers: { ...fromProxy, ...last.page } });
  expect(errorCode(gone)).toBe("unauthorized");
});

it("a link is refused when it was used, is guessed, or comes over a foreign name or origin", async () => {
  const { enter, newCode, hall } = await pairable();
  const code = await newCode();
  expect(errorCode(await enter(code, { ...fromProxy, host: "attacker.invalid" }))).toBe("wrong_host");
  expect(errorCode(await enter(code, { ...fromProxy, host: "hall.example.org.attacker.invalid" }))).toBe("wrong_host");
  expect(errorCode(await enter(code, { ...fromProxy, host: "hall.example.org:8080" }))).toBe("wrong_host");
  expect(errorCode(await enter(code, { ...fromProxy, origin: "https://attacker.invalid" }))).toBe("forbidden");
  expect(errorCode(await enter(code, { ...fromProxy, origin: "http://hall.example.org" }))).toBe("forbidden");
  expect(errorCode(await enter(code, { ...fromProxy, "sec-fetch-site": "same-site" }))).toBe("forbidden");
  const lies = { host: "attacker.invalid", "x-forwarded-host": "hall.example.org", "x-forwarded-proto": "https" };
  expect(errorCode(await enter(code, { ...fromProxy, ...lies }))).toBe("wrong_host");
  for (let guess = 0; guess < 200; guess++)
    expect(errorCode(await enter(guess.toString(16).padStart(32, "0")))).toBe("link_refused");
  // Guessing has not used it up, and it opens once.
  expect((await enter(code)).status).toBe(201);
  expect(errorCode(await enter(code))).toBe("link_refused");
  expect((await hall.call("GET", "/api/browser/devices")).body.devices).toHaveLength(1);
});

it("a device that is signed out hears no more, while other pages reconnect", async () => {
  const { hall, pair } = await pairable();
  const { page, ask } = await pair();
  const stream = (headers: Record<string, string>) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { port } = new URL(hall.url);
    httpRequest({ host: "127.0.0.1", port, path: "/api/live", headers })
      .on("error", reject)
      .on("response", resolve)
      .end();
    return promise;
  };
  const heard = await stream({ ...fromProxy, ...page });
  expect(heard.statusCode).toBe(200);
  const ended = new Promise<void>((resolve) => heard.on("close", resolve).resume());
  const { devices } = await wanted(200, hall.call("GET", "/api/browser/devices"));
  await wanted(200, hall.call("DELETE", `/api/browser/devices/${devices[0]?.id}`));
  await ended;
  const again = await stream({ ...fromProxy, ...page });
  again.resume();
  expect([again.statusCode, errorCode(await ask("/api/now"))]).toEqual([401, "unauthorized"]);
});

it("a sign-in link for this machine that is opened under another name makes a device, which can be signed out", async () => {
  const { hall, enter } = await pairable();
  const { url } = await wanted(201, hall.call("POST", "/api/browser/links"));
  const answer = await enter(url.slice(-32));
  expect(answer.status).toBe(201);
  const { devices } = await wanted(200, hall.call("GET", "/api/browser/devices"));
  expect(devices.map(({ name }) => name)).toEqual(["iPhone"]);
  const headers = { host: new URL(hall.url).host, origin: hall.url, "sec-fetch-site": "same-origin" };
  const local = await wanted(201, hall.call("POST", "/api/browser/links"));
  expect((await enter(local.url.slice(-32), headers)).status).toBe(201);
  expect((await wanted(200, hall.call("GET", "/api/browser/devices"))).devices).toHaveLength(1);
});

it("nothing is paired without an encrypted address, or one of a private network that was accepted", async () => {
  for (const [server, reason] of [
    [{}, "No public address is configured."],
    [{ publicUrl: "http://192.168.1.5:4777" }, "is not encrypted, so anyone on that network can read the traffic."],
    [{ publicUrl: "http://8.8.8.8:4777", allowPlainHttp: true }, "is not encrypted."],
    [{ publicUrl: "http://hall.lan", allowPlainHttp: true }, "is not encrypted."],
  ] as const) {
    const hall = await startHall(undefined, { config: { server } });
    const error = await refused("pair_refused", hall.call("POST", "/api/browser/pair", {}));
    expect(error.message).toContain(reason);
    const failed = await commandLine(["pair"], { workspace: hall.workspace });
    expect([failed.code, failed.stdout]).toEqual([5, ""]);
    await hall.stop();
  }
  const accepted = { publicUrl: "http://192.168.1.5:4777", allowPlainHttp: true };
  const hall = await startHall(undefined, { config: { server: accepted } });
  const { url } = await wanted(201, hall.call("POST", "/api/browser/pair", {}));
  const headers = { host: "192.168.1.5:4777", origin: "http://192.168.1.5:4777", "sec-fetch-site": "same-origin" };
  const body = { code: url.slice(-32) };
  const answer = await send(hall.url, "/api/browser/session", { method: "POST", headers, body });
  expect(answer.status).toBe(201);
  expect(answer.headers["set-cookie"]?.[0]).not.toContain("Secure");
});

it("a certificate of one's own is served beside the local address, which commands go on using", async () => {
  const folder = temporaryFolder();
  const { cert, key } = selfSigned("hall.example.org");
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key);
  const { port } = await freePort();
  const tls = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem"), host: "127.0.0.1", port };
  const server = { publicUrl: `https://hall.example.org:${port}`, tls };
  const hall = await startHall(undefined, { config: { server } });
  expect((await hall.call("GET", "/api/status")).status).toBe(200);
  const { url } = await wanted(201, hall.call("POST", "/api/browser/pair", {}));
  const headers = { host: `hall.example.org:${port}`, origin: server.publicUrl, "sec-fetch-site": "same-origin" };
  const sent = { method: "POST", headers, body: { code: url.slice(-32) }, port, tls: true };
  const answer = await send(hall.url, "/api/browser/session", sent);
  expect([answer.status, answer.headers["set-cookie"]?.[0]]).toEqual([201, expect.stringMatching(/; Secure$/)]);
  await hall.stop();

  const broken = { config: { server: { tls: { ...tls, key: join(folder, "none.pem") } } } };
  await expect(startHall(undefined, broken)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("server.tls.key: "),
  });
});

async function freePort(): Promise<{ port: number }> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return { port };
}
