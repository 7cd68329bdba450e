import { expect, it } from "vitest";
import { mentions, projectsNamed, says } from "./named-projects.ts";

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

it.each([
  ["Remember: prices are in euros.", "Prices are in Euros"],
  ["Prices are in euros", "prices are in  euros!"],
  ["Thanks! Prices are in euros. They include tax.", "Prices are in euros."],
  ["Prices are in euros. They include tax. Bye.", "Prices are in euros. They include tax."],
  ["For all:\n- prices are in euros\n- use pnpm 9.1", "Use pnpm 9.1."],
  ["全部：价格以欧元计。谢谢", "价格以欧元计"],
])("%j says %j", (text, statement) => expect(says(text, statement)).toBe(true));

it.each([
  ["Remember that prices are in euros", "Prices are in dollars."],
  ["Surprices are in euros", "Prices are in euros"],
  ["Never push to main without a review.", "Never push to main"],
  ["Nobody said that agents may push to main.", "Agents may push to main."],
  ["Agents may push to main: never.", "Agents may push to main."],
  ["Prices are in euros. They include tax.", "Prices are in euros. Include tax."],
  ["Use pnpm 9.1", "Use pnpm 9"],
  ["Thanks", "..."],
])("%j does not say %j", (text, statement) => expect(says(text, statement)).toBe(false));

it("a text mentions an id as words of its own", () => {
  expect(mentions("Promote k-12 to all projects.", "K-12")).toBe(true);
  expect(mentions("Promote k-123", "k-12")).toBe(false);
});
