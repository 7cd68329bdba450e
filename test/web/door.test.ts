import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { landingPage } from "../../src/server/pages/landing-page.ts";
import { answerPage } from "../../src/server/requests/answers.ts";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { newContext } from "../harness/chromium-browser.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const browser = sharedBrowser();
const hall = sharedHall();

/** Another server on this machine, as the project that an agent works on may be. It notes the cookies that it is sent. */
async function neighbour(): Promise<{ url: string; cookies: string[] }> {
  const cookies: string[] = [];
  const server = createServer(({ headers }, response) => {
    if (headers.cookie !== undefined) cookies.push(headers.cookie);
    response.setHeader("content-type", "text/html").end("<!doctype html><title>A neighbour</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookies };
}

test("a page that was opened with a link stays signed in, and its address does not keep the code", async () => {
  const page = await visit(browser(), hall());
  expect(page.url()).not.toContain("enter");
  await page.reload();
  await page.getByRole("main").waitFor();
  const [cookie] = await page.context().cookies(`${hall().url}/api/status`);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/api" });
  expect(await page.evaluate("document.cookie")).toBe("");
});

test("a link that is opened while the dashboard is being built lets in as soon as it is there", async () => {
  const context = await newContext(browser());
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const landing = answerPage(landingPage(), "request");
  const answer = { headers: landing.headers, body: String(landing.body) };
  await page.route(
    (url) => url.pathname === "/",
    (route) => route.fulfill(answer),
    { times: 1 },
  );
  const { body } = await hall().call("POST", "/api/browser/links");
  await page.goto(body.url);
  await page.getByRole("heading", { name: "Guildhall is running" }).waitFor();
  await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
});

test("a page of another port on this machine gets the cookie at most, and reads and changes nothing with it", async () => {
  const page = await visit(browser(), hall());
  const key = await page.evaluate(() => Object.values({ ...localStorage }).find((value) => /^[\w-]{43}$/.test(value)));
  const { url, cookies } = await neighbour();
  const other = await page.context().newPage();
  await other.goto(`${url}/api/anything`);
  const tried = await other.evaluate(
    async ({ at, stolen }) => {
      const attempt = async (path: string, init: RequestInit): Promise<string> => {
        try {
          const answer = await fetch(at + path, { credentials: "include", ...init });
          return `${answer.type} ${answer.status}`;
        } catch {
          return "refused";
        }
      };
      const json = { "content-type": "application/json" };
      const body = JSON.stringify({ name: "Planted" });
      return [
        await attempt("/api/projects", {}),
        await attempt("/api/projects", { mode: "no-cors" }),
        await attempt("/api/projects", { method: "POST", mode: "no-cors", body }),
        await attempt("/api/projects", { method: "POST", headers: json, body }),
        await attempt("/api/projects", { headers: { "x-guildhall-page": stolen ?? "" } }),
        String(Object.keys({ ...localStorage }).length),
      ];
    },
    { at: hall().url, stolen: key },
  );
  // Not even an answer of which nothing can be read: resources of the hall are for its own pages.
  expect(tried).toEqual(["refused", "refused", "refused", "refused", "refused", "0"]);
  // What makes the key necessary: a browser does hand the cookie to the neighbour.
  expect(cookies.join()).toMatch(/guildhall-\d+=/);
  const stolen = await fetch(`${hall().url}/api/projects`, { headers: { cookie: cookies.join("; ") } });
  expect(stolen.status).toBe(401);
  expect((await hall().call("GET", "/api/projects")).body.projects).toEqual([]);
});

test("a new link works in the very tab that asks for one, and one that was used does not put out who is in", async () => {
  const newLink = async (): Promise<string> => (await hall().call("POST", "/api/browser/links")).body.url;
  const context = await newContext(browser());
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(hall().url);
  await page.getByText("guildhall open").first().waitFor();
  const link = await newLink();
  const isIn = page.getByRole("navigation").first();
  await page.goto(link);
  await isIn.waitFor();
  expect(page.url()).not.toContain("enter");
  // A newcomer sees where a key belongs.
  await page.getByPlaceholder("Paste an API key").waitFor();
  await page.goto(link);
  await page.waitForURL((url) => url.hash === "");
  await page.reload();
  await isIn.waitFor();
  // An address that would lead elsewhere if it were taken for a relative one.
  await page.goto(`${hall().url}//elsewhere.invalid/${new URL(await newLink()).hash}`);
  await page.waitForURL((url) => url.hash === "");
  await isIn.waitFor();
});

test("a link that was used says how to get another", async () => {
  const { body } = await hall().call("POST", "/api/browser/links");
  for (const isFirst of [true, false]) {
    const context = await newContext(browser());
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(body.url);
    const hint = page.getByText("guildhall open");
    if (isFirst) await page.getByRole("main").waitFor();
    else await hint.first().waitFor();
  }
});
