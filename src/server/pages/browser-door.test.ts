import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, house, openHouse, TOKEN } from "../../../test/fakes/house.ts";

const SESSION = "/api/browser/session";
const LINKS = "/api/browser/links";
const home = house();

async function newCode(): Promise<string> {
  const { url } = (await (await home.ask("POST", LINKS)).json()) as { url: string };
  return url.slice(url.lastIndexOf("/") + 1);
}

/** As a browser without token. */
const bare = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  home.ask(method, path, { headers: { ...headers }, body, token: false });

const errorOf = async (answer: Response) => ((await answer.json()) as { error: { code: string; hint: string } }).error;

async function signedIn(): Promise<{ cookie: string; "x-guildhall-page": string }> {
  const answer = await bare("POST", SESSION, {}, { code: await newCode() });
  const { key } = (await answer.json()) as { key: string };
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", "x-guildhall-page": key };
}

test("a code becomes a cookie and a key, which together open the API for 30 days", async () => {
  const answer = await bare("POST", SESSION, {}, { code: await newCode() });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("set-cookie")).toMatch(
    /^guildhall-4777=[\w.-]+; Path=\/api; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
  );
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({
    key: expect.stringMatching(/^[\w-]{43}$/),
    expiresAt: "2026-03-31T12:00:00.000Z",
  });
  expect((await bare("GET", "/api/roles", await signedIn())).status).toBe(200);
});

test("a code that was used, or is none, is refused with the way to a new one", async () => {
  const code = await newCode();
  await bare("POST", SESSION, {}, { code });
  for (const wrong of [code, "nothing"]) {
    const answer = await bare("POST", SESSION, {}, { code: wrong });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
    expect(await errorOf(answer)).toMatchObject({ code: "link_refused", hint: "Run 'guildhall open' for a new link." });
  }
});

test.each([
  ["no code", {}, 422],
  ["a code that is no text", { code: 7 }, 422],
  ["more than a code", { code: "x", more: 1 }, 422],
  ["a huge body", { code: "x".repeat(5_000) }, 413],
])("%s is refused without a token too", async (_, body, status) => {
  expect((await bare("POST", SESSION, {}, body)).status).toBe(status);
});

describe("what a page may not do", () => {
  test("with one half of what it needs, or halves that do not fit", async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const half: Record<string, string>[] = [
      { cookie: one.cookie },
      { "x-guildhall-page": one["x-guildhall-page"] },
      { ...one, "x-guildhall-page": other["x-guildhall-page"] },
      { ...one, cookie: one.cookie.replace("4777", "4778") },
    ];
    for (const headers of half) {
      const answer = await bare("GET", "/api/roles", headers);
      expect([answer.status, (await errorOf(answer)).code]).toEqual([401, "unauthorized"]);
    }
  });

  test("from another origin, another site or another port of this machine", async () => {
    const page = await signedIn();
    const elsewhere: Record<string, string>[] = [
      { origin: "http://attacker.invalid" },
      { origin: "http://127.0.0.1:3000" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
    ];
    for (const from of elsewhere) {
      expect((await bare("GET", "/api/roles", { ...page, ...from })).status).toBe(403);
      expect((await bare("POST", SESSION, from, { code: await newCode() })).status).toBe(403);
    }
    expect((await bare("GET", "/api/roles", { ...page, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("to ask for links: those are given to the token alone", async () => {
    const answer = await bare("POST", LINKS, await signedIn());
    expect(await errorOf(answer)).toMatchObject({ code: "unauthorized" });
  });

  test("with a token that is wrong, however it is signed in", async () => {
    const answer = await bare("GET", "/api/roles", { ...(await signedIn()), authorization: "Bearer wrong" });
    expect(answer.status).toBe(401);
  });
});

test("a page that is not signed in any more is told so, and how to sign in", async () => {
  const answer = await bare("GET", "/api/roles", { "x-guildhall-page": "old" });
  expect(await errorOf(answer)).toMatchObject({ code: "unauthorized", hint: "Run 'guildhall open' for a new link." });
});

test("streams and HEAD are open to a page that is signed in", async () => {
  const page = await signedIn();
  const stream = await bare("GET", "/api/live", page);
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  await stream.body?.cancel();
  expect((await bare("HEAD", "/api/roles", page)).status).toBe(200);
  expect((await bare("HEAD", "/api/roles", { cookie: page.cookie })).status).toBe(401);
});

test("signing out takes the cookie away", async () => {
  const answer = await bare("DELETE", SESSION, await signedIn());
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
  expect(answer.headers.get("set-cookie")).toBe("guildhall-4777=; Path=/api; Max-Age=0; HttpOnly; SameSite=Strict");
  expect((await bare("DELETE", SESSION)).status).toBe(401);
});

test("the code stands in no log", async () => {
  const code = await newCode();
  await bare("POST", SESSION, {}, { code });
  expect(JSON.stringify(home.logged)).not.toContain(code);
});

describe("on the wire", () => {
  let opened: Awaited<ReturnType<typeof openHouse>>;
  beforeAll(async () => {
    opened = await openHouse();
  });
  afterAll(() => opened.server.close());

  async function statusWith(...lines: string[]): Promise<number> {
    const { port } = opened.server;
    const head = ["GET /api/roles HTTP/1.1", `Host: 127.0.0.1:${port}`, "Connection: close", ...lines];
    return Number((await exchange(port, `${head.join("\r\n")}\r\n\r\n`)).split(" ")[1]);
  }

  test("several Cookie headers are looked through, and two keys are none", async () => {
    const { url, dashboardLink } = opened.server;
    const code = dashboardLink().split("/").at(-1);
    const answer = await fetch(url + SESSION, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    const { key } = (await answer.json()) as { key: string };
    const cookie = `Cookie: ${answer.headers.get("set-cookie")?.split(";")[0]}`;
    const page = `X-Guildhall-Page: ${key}`;
    expect(await statusWith("Cookie: a=b; guildhall=x", cookie, page)).toBe(200);
    expect(await statusWith(cookie, page, page)).toBe(401);
    expect(await statusWith(`Cookie: ${"x".repeat(10_000)}`, page)).toBe(401);
    expect(await statusWith(cookie, page, `Authorization: Bearer ${TOKEN}`)).toBe(200);
    expect(await statusWith(cookie, page, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: same-site")).toBe(403);
  });
});
