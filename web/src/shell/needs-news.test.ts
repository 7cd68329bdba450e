import { expect, test } from "vitest";
import type { Now } from "../../../src/contract/now.ts";
import { freshNews, newsIn } from "./needs-news.ts";

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

test("only what is new is said, and nothing at the first look", () => {
  const before = newsIn({ needsMe: [], review: [run] });
  const now = newsIn({ needsMe: [failed], review: [run] });
  expect(freshNews(undefined, now)).toEqual([]);
  expect(freshNews(new Set(before.map(({ key }) => key)), now).map(({ key }) => key)).toEqual(["failed run-2"]);
  expect(freshNews(new Set(now.map(({ key }) => key)), before)).toEqual([]);
});
