import { describe, expect, it } from "vitest";
import { serve, startPages } from "../../test/harness/page-server.ts";
import type { WebSearch } from "../contract/documents/web.ts";
import { openWebSearch } from "./web-search.ts";

const KEY = "key-CANARY-51c0";
const FOUND = [
  { title: "First", url: "https://one.example/", text: "About one." },
  { title: "Second", url: "https://two.example/", text: "" },
];

/** As the services answer, with fields that nobody here needs. */
const ANSWERS: Record<WebSearch["kind"], object> = {
  searxng: {
    query: "halls",
    number_of_results: 0,
    results: [
      {
        url: "https://one.example/",
        title: "First",
        content: "About one.",
        engine: "mojeek",
        score: 1,
        category: "general",
      },
      { url: "https://two.example/", title: "Second", content: null, engines: ["mojeek"] },
    ],
    answers: [],
    unresponsive_engines: [],
  },
  brave: {
    type: "search",
    query: { original: "halls" },
    web: {
      type: "search",
      results: [
        {
          title: "First",
          url: "https://one.example/",
          description: "About <strong>one</strong>.",
          is_source_local: false,
        },
        { title: "Second", url: "https://two.example/" },
      ],
    },
  },
  tavily: {
    query: "halls",
    answer: null,
    images: [],
    results: [
      { title: "First", url: "https://one.example/", content: "About one.", score: 0.9, raw_content: null },
      { title: "Second", url: "https://two.example/", content: "", score: 0.1 },
    ],
    response_time: 0.7,
  },
};

async function searched(kind: WebSearch["kind"], answer: object | string, keys: Record<string, string> = { K: KEY }) {
  const page = serve("application/json", typeof answer === "string" ? answer : JSON.stringify(answer));
  const server = await startPages({ "/base/search": page, "/base/res/v1/web/search": page });
  const search = openWebSearch({ kind, url: `http://${server.host}/base/`, apiKeyEnv: "K" }, keys);
  return { ...server, search };
}

describe("searching the web", () => {
  it("asks SearXNG for JSON", async () => {
    const { search, requests } = await searched("searxng", ANSWERS.searxng);
    expect(await search({ query: "halls & doors", count: 5 })).toEqual(FOUND);
    expect(requests).toMatchObject([{ method: "GET", path: "/base/search?q=halls+%26+doors&format=json" }]);
  });

  it("asks Brave with its token", async () => {
    const { search, requests } = await searched("brave", ANSWERS.brave);
    expect(await search({ query: "halls", count: 5 })).toEqual(FOUND);
    expect(requests).toMatchObject([
      { method: "GET", path: "/base/res/v1/web/search?q=halls&count=5", headers: { "x-subscription-token": KEY } },
    ]);
  });

  it("asks Tavily with its key", async () => {
    const { search, requests } = await searched("tavily", ANSWERS.tavily);
    expect(await search({ query: "halls", count: 1 })).toEqual(FOUND.slice(0, 1));
    expect(requests).toMatchObject([
      { method: "POST", path: "/base/search", headers: { authorization: `Bearer ${KEY}` } },
    ]);
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ query: "halls", max_results: 1 });
  });

  it.each([
    ["brave", { type: "search" }],
    ["tavily", { results: [] }],
  ] as const)("finds nothing where %s has nothing", async (kind, answer) => {
    const { search } = await searched(kind, answer);
    expect(await search({ query: "halls", count: 5 })).toEqual([]);
  });

  it.each([
    ["<html>", "was cut off or is not JSON"],
    ["[]", "unexpected format"],
    ['{"results": [{"url": 1}]}', "unexpected format"],
    [`{"results": "${"x".repeat(2_100_000)}"}`, "was cut off or is not JSON"],
  ])("says so when the answer is %.20s", async (answer, reason) => {
    const { search } = await searched("searxng", answer);
    await expect(search({ query: "halls", count: 5 })).rejects.toThrow(reason);
  });

  it("says what is wrong without a word of the key", async () => {
    const pages = await startPages({
      "/401/search": (_request, response) => response.writeHead(401).end(KEY),
      "/429/search": (_request, response) => response.writeHead(429).end(),
      "/302/search": (_request, response) => response.writeHead(302, { location: "/429/search" }).end(),
    });
    const said = async (settings: WebSearch | undefined, keys = {}) =>
      openWebSearch(settings, keys)({ query: "halls", count: 5 }).catch((error: Error) => error.message);
    const at = (path: string) =>
      said({ kind: "searxng", url: `http://${pages.host}/${path}`, apiKeyEnv: "K" }, { K: KEY });
    const all = [await at("401"), await at("429"), await at("302"), await at("404")];
    expect(all).toEqual([
      "The search server answered 401. Its key may be wrong, or JSON output may be disabled.",
      "The search server answered 429. Too many searches; wait a while.",
      "The search server answered 302.",
      "The search server answered 404.",
    ]);
    expect(await said({ kind: "searxng", url: "http://127.0.0.1:9/" })).toBe("The search server could not be reached.");
    expect(await said({ kind: "brave" })).toBe("The key for brave is missing: set BRAVE_API_KEY.");
    expect(await said(undefined)).toContain("config.yml has no web.search");
  });
});
