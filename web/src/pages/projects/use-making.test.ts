import { expect, test } from "vitest";
import { creationOf } from "./use-making.ts";

const given = {
  folder: "",
  cloneInto: "",
  name: " Shop ",
  description: "",
  goals: "",
  template: "",
  team: [],
  model: "",
  requireReview: false,
  checksAll: false,
};

test("a project is made of what was written, and what is left open is left to its template", () => {
  expect(creationOf(given)).toEqual({
    name: "Shop",
    description: "",
    config: { constraints: { requireReview: false } },
  });
  expect(creationOf({ ...given, folder: "/srv/shop", goals: "Sell\n", template: "web", requireReview: true })).toEqual({
    name: "Shop",
    description: "",
    workdir: "/srv/shop",
    goals: ["Sell"],
    template: "web",
    config: { constraints: { requireReview: true } },
  });
});

test("gates for all runs are asked for only with the template for software", () => {
  const config = (template: string) => creationOf({ ...given, template, checksAll: true }).config;
  expect(config("software")).toEqual({ constraints: { requireReview: false }, qualityGates: { appliesTo: "all" } });
  expect(config("writing")).toEqual({ constraints: { requireReview: false } });
});
