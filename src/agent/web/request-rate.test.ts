import { expect, it } from "vitest";
import { startPages } from "../../../test/harness/page-server.ts";
import { webFetch } from "../../../test/harness/web-tool.ts";
import { HostRates } from "./request-rate.ts";

const { signal } = new AbortController();

it("a host is asked by four at once, and whoever waits longest goes next", async () => {
  let open = 0;
  let most = 0;
  const { host } = await startPages({
    "/robots.txt": (_request, response) => response.writeHead(404).end(),
    "/": (_request, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.writeHead(200, { "content-type": "text/plain" }).end("here");
      }, 20);
    },
  });
  const { text } = webFetch({ allow: [host] });
  await text(`http://${host}/`);
  expect(await Promise.all(Array.from({ length: 13 }, () => text(`http://${host}/`)))).toEqual(Array(13).fill("here"));
  expect(most).toBe(4);
});

it("a host is asked so often a minute, redirects and robots.txt included, and others are not concerned", async () => {
  let now = 0;
  const [one, other] = [await startPages({ "/": "<p>one</p>" }), await startPages({ "/": "<p>other</p>" })];
  const names = { "one.example": one.port, "other.example": other.port };
  const allow = Object.entries(names).map(([name, port]) => `${name}:${port}`);
  const resolveName = async () => ["127.0.0.1"];
  const { text, refused } = webFetch({ allow, resolveName, now: () => now, limits: { atOnce: 4, aMinute: 3 } });
  for (let times = 0; times < 2; times++) expect(await text(`http://one.example:${one.port}/`)).toBe("one");
  now = 10_000;
  expect(await refused(`http://one.example:${one.port}/`)).toBe(
    "Not fetched: 'one.example' received 3 requests within a minute, which is the limit; try again in 50 seconds.",
  );
  expect(one.requests).toHaveLength(3);
  expect(await text(`http://other.example:${other.port}/`)).toBe("other");
  now = 61_000;
  expect(await text(`http://one.example:${one.port}/`)).toBe("one");
});

it("whoever is called off while waiting gives its place to the next", async () => {
  const rates = new HostRates({ atOnce: 1, aMinute: 10 }, () => 0);
  const leave = await rates.enter("a.example", signal);
  const called = new AbortController();
  const first = rates.enter("a.example", called.signal);
  const second = rates.enter("a.example", signal);
  called.abort(new Error("Enough."));
  await expect(first).rejects.toThrow("Enough.");
  leave();
  leave();
  (await second)();
  (await rates.enter("a.example", signal))();
});
