import { expect, test } from "vitest";
import type { Now } from "../../../src/contract/now.ts";
import { freshNews, grouped, newsIn } from "./needs-news.ts";

const run = { id: "run 1", title: "Fix it", projectId: "shop" } as Now["review"][number];
const failed: Now["needsMe"][number] = {
  kind: "failed",
  id: "run-2",
  title: "Broken 🚧",
  detail: "Key rejected.",
  projectId: "a b",
};

test("what needs the person, and what waits for review, is said with the page that shows it", () => {
  expect(newsIn({ needsMe: [failed], review: [run] })).toEqual([
    { key: "failed run-2", title: "Needs you: Broken 🚧", body: "Key rejected.", path: "/projects/a%20b" },
    { key: "review run 1", title: "Ready for review: Fix it", body: "shop", path: "/runs/run%201" },
  ]);
});

test("a question leads to the inbox, and many at once are one notification", () => {
  const ask = (id: string) => ({ kind: "escalation" as const, id, title: "Redis or Memcached?", detail: "shop" });
  const [one] = newsIn({ needsMe: [ask("esc-001")], review: [] });
  expect(one).toMatchObject({ title: "Question: Redis or Memcached?", path: "/inbox?id=esc-001" });
  const [permission] = newsIn({ needsMe: [{ ...ask("esc-002"), title: "Run ls?", origin: "permission" }], review: [] });
  expect(permission).toMatchObject({ title: "Permission: Run ls?", path: "/inbox?id=esc-002" });
  const many = newsIn({ needsMe: ["esc-001", "esc-002", "esc-003", "esc-004"].map(ask), review: [] });
  expect(grouped(many.slice(1))).toHaveLength(3);
  expect(grouped(many)).toMatchObject([{ title: "4 decisions are waiting for you", path: "/inbox" }]);
});

test("only what is new is said, and nothing at the first look", () => {
  const before = newsIn({ needsMe: [], review: [run] });
  const now = newsIn({ needsMe: [failed], review: [run] });
  expect(freshNews(undefined, now)).toEqual([]);
  expect(freshNews(new Set(before.map(({ key }) => key)), now).map(({ key }) => key)).toEqual(["failed run-2"]);
  expect(freshNews(new Set(now.map(({ key }) => key)), before)).toEqual([]);
});
