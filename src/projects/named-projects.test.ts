import { expect, it } from "vitest";
import { projectsNamed, says } from "./named-projects.ts";

const projects = [
  { id: "shop", name: "Shop" },
  { id: "tea-shop", name: "Tea Shop" },
  { id: "web", name: "Website of the town" },
  { id: "api_v2", name: "API v2" },
  { id: "laden", name: "商店" },
  { id: "cat", name: "Кот" },
  { id: "sang", name: "상점" },
];
const named = (text: string) => [...projectsNamed(text, projects)].sort();

it.each([
  ["How is the shop?", ["shop"]],
  ["Suspend SHOP's agent", ["shop"]],
  ["suspend tea-shop", ["tea-shop"]],
  ["suspend the Tea  Shop!", ["tea-shop"]],
  ["tea-shop and shop", ["shop", "tea-shop"]],
  ["the website of the town, please", ["web"]],
  ["api_v2: go on", ["api_v2"]],
  ["API v2 and web", ["api_v2", "web"]],
  ["暂停商店", ["laden"]],
  ["把shop暂停", ["shop"]],
  ["Где кот?", ["cat"]],
  ["상점을 멈춰", ["sang"]],
])("%s names %j", (text, ids) => expect(named(text)).toEqual(ids));

it.each([
  "Thanks!",
  "Open the workshop",
  "shopping",
  "webs",
  "shöp",
  "shop\u0328",
  "который час",
  "скот",
  "the website",
  "",
  "Is everything fine?",
])("%j names no project", (text) => expect(named(text)).toEqual([]));

it("a text says a statement that stands in it word for word, and no other", () => {
  expect(says("Remember: prices are in euros.", "Prices are in Euros")).toBe(true);
  expect(says("Remember that prices are in euros", "Prices are in dollars.")).toBe(false);
  expect(says("Surprices are in euros", "Prices are in euros")).toBe(false);
  expect(says("Thanks", "...")).toBe(false);
});
