import { expect, test } from "vitest";
import { filterIn, queryOf } from "./inbox-filter.ts";

test("an address without a filter asks for what is pending", () => {
  expect(queryOf(filterIn({}))).toEqual({ status: "pending", limit: 1_000 });
});

test("the snoozed view asks for pending ones with those that are snoozed", () => {
  expect(queryOf(filterIn({ view: "snoozed", project: "shop" }))).toEqual({
    status: "pending",
    snoozed: "true",
    project: "shop",
    limit: 1_000,
  });
});

test("words without a meaning are ignored", () => {
  expect(queryOf(filterIn({ view: "everything", type: "riddle", q: "redis" }))).toEqual({
    status: "pending",
    q: "redis",
    limit: 1_000,
  });
});
