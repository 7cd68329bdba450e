import { describe, expect, it } from "vitest";
import { Config } from "./config.ts";

describe("web in config.yml", () => {
  it.each([
    [{ allow: ["127.0.0.1:8080", "[::1]:8080", "wiki.lan:80"] }],
    [{ ports: [80, 443, 8080], userAgent: "Reader/1 (+https://site.example)" }],
    [{ search: { kind: "searxng", url: "http://127.0.0.1:8888/searx" } }],
    [{ search: { kind: "brave" } }],
    [{ search: { kind: "tavily", apiKeyEnv: "MY_KEY" } }],
  ])("takes %j", (web) => {
    expect(Config.safeParse({ web }).success).toBe(true);
  });

  it.each([
    [{ allow: ["127.0.0.1"] }, "web.allow.0"],
    [{ allow: ["http://127.0.0.1:80"] }, "web.allow.0"],
    [{ allow: ["*:80"] }, "web.allow.0"],
    [{ allow: ["user@host:80"] }, "web.allow.0"],
    [{ allow: ["host:99999"] }, "web.allow.0"],
    [{ allow: ["::1:80"] }, "web.allow.0"],
    [{ ports: [0] }, "web.ports.0"],
    [{ userAgent: "a\r\nCookie: b" }, "web.userAgent"],
    [{ search: { kind: "searxng" } }, "web.search.url"],
    [{ search: { kind: "brave", url: "http://site.example/?key=1" } }, "web.search.url"],
    [{ search: { kind: "brave", apiKey: "secret" } }, "web.search"],
    [{ search: { kind: "other" } }, "web.search.kind"],
  ])("refuses %j", (web, path) => {
    const { error } = Config.safeParse({ web });
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});
