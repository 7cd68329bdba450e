import { expect, it } from "vitest";
import { settingGroups, valueText } from "./setting-groups.ts";

const setting = (key: string, set = false) => ({
  ...{ key, value: 1, default: 1, set, about: `About ${key}` },
  ...{ form: { kind: "number" as const }, restart: true, editable: true, sensitive: false },
});
const all = [setting("limits.runs", true), setting("budget.dayUsd"), setting("limits.turns")];

it("groups settings by the first part of their key and keeps their order", () => {
  const groups = settingGroups(all, { wanted: "", onlySet: false });
  expect(groups.map(({ name, settings }) => [name, settings.map(({ key }) => key)])).toEqual([
    ["Limits", ["limits.runs", "limits.turns"]],
    ["Budget", ["budget.dayUsd"]],
  ]);
});

it("finds settings by any words of their key and purpose, and those that are set", () => {
  const keys = (wanted: string, onlySet = false) =>
    settingGroups(all, { wanted, onlySet }).flatMap(({ settings }) => settings.map(({ key }) => key));
  expect(keys("about TURNS")).toEqual(["limits.turns"]);
  expect(keys("", true)).toEqual(["limits.runs"]);
  expect(keys("nothing of the kind")).toEqual([]);
});

it("writes values as a person would", () => {
  expect([null, [], ["a", "b"], { a: 1 }, false].map(valueText)).toEqual(["none", "none", "a, b", '{"a":1}', "false"]);
});
