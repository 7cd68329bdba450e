import { expect, it } from "vitest";
import { rankFrom } from "./rank-names.ts";

it("takes a rank from the parameter, then from the name, else worker [S1-ROLE-01] [S1-ROLE-09] [S1-ROLE-10]", () => {
  expect(rankFrom({ name: "head-california" })).toBe("head");
  expect(rankFrom({ rank: "reviewer", name: "head-california" })).toBe("reviewer");
  expect(rankFrom({ rank: "boss", name: "escalation-oslo" })).toBe("escalation");
  expect(rankFrom({ name: "lead-lima" })).toBe("lead");
  expect(rankFrom({ name: "header" })).toBe("worker");
  expect(rankFrom({})).toBe("worker");
});
