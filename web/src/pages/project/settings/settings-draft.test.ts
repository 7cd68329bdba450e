import { expect, test } from "vitest";
import type { ProjectView } from "../../../../../src/contract/routes/project-routes.ts";
import { changeOf, draftOf, linesOf, overtakenBy } from "./settings-draft.ts";

const project = {
  id: "shop",
  name: "Shop",
  description: "",
  status: "active",
  workdir: "/srv/shop",
  config: {
    techStack: { languages: ["ts"], frameworks: [], tools: [] },
    goals: ["Sell"],
    scope: { in: [], out: [] },
    constraints: {},
    sandbox: { network: false, memoryMb: 512 },
  },
} as unknown as ProjectView;

test("settings that nobody touched are no change", () => {
  expect(changeOf(draftOf(project), draftOf(project))).toBeUndefined();
});

test("a change of settings names only what was changed", () => {
  const draft = draftOf(project);
  const after = { ...draft, name: "Store", goals: "Sell\n\n Deliver ", scopeIn: "a", scopeOut: "b", memoryMb: "256" };
  expect(changeOf(draft, after)).toEqual({
    name: "Store",
    config: { goals: ["Sell", "Deliver"], scope: { in: ["a"], out: ["b"] }, sandbox: { memoryMb: 256 } },
  });
});

test("a setting that is emptied is taken away", () => {
  const draft = draftOf(project);
  const after = {
    ...draft,
    workdir: "",
    network: "",
    memoryMb: "",
    defaultTimeout: "1.5",
  };
  expect(changeOf(draft, after)).toEqual({
    workdir: null,
    config: {
      constraints: { defaultTimeout: 90 },
      sandbox: { network: null, memoryMb: null },
    },
  });
});

test("lines are read without blanks", () => {
  expect(linesOf(" a \n\nb\n")).toEqual(["a", "b"]);
});

test("a field that others changed while it was being changed is named", () => {
  const now = { ...draftOf(project), name: "Market", model: "a/b" };
  expect(overtakenBy(now, { name: "Shop", goals: "Sell" }, { name: "Store", goals: "Buy" })).toEqual([
    "name is now: Market",
  ]);
});
