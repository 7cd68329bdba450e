import { expect, it } from "vitest";
import { SUBAGENTS } from "../../contract/words/teams/role-spec-words.ts";
import { subagentOrder, whyNoSubagent } from "./subagents.ts";

it("every member may call explore and discuss, and others if its role-spec lists them [S2-REL-07]", () => {
  expect([whyNoSubagent("explore", []), whyNoSubagent("discuss", [])]).toEqual([undefined, undefined]);
  expect(whyNoSubagent("code-developer", ["code-developer"])).toBeUndefined();
  expect(whyNoSubagent("code-developer", ["oracle"])).toBe(
    "Your role-spec does not list the subagent 'code-developer'. You may call explore, discuss.",
  );
  expect(whyNoSubagent("oracle", ["oracle"])).toContain("There is no subagent 'oracle'. Known: explore, discuss,");
});

it("each has a template with the question and what the member works on [S2-W-06]", () => {
  const orders = SUBAGENTS.map((name) =>
    subagentOrder(name, { question: "Where?\nMore.", context: "Task a", roleId: "dev" }),
  );
  for (const { title, description } of orders) {
    expect(title).toMatch(/^[A-Z][a-z ]+: Where\?$/);
    expect(description).toMatch(
      /## Task\n\nWhere\?\nMore\.\n\n## Context\n\nTask a\n\n## Expected Output\n\n[A-Z].+\.$/,
    );
  }
  expect(new Set(orders.map(({ description }) => description)).size).toBe(SUBAGENTS.length);
  // Those that write have the role of whoever calls them, and the others only read.
  expect(orders.map(({ handIn, roleId }) => (handIn === undefined ? roleId : handIn.kind))).toEqual([
    ...["explore", "discuss", "explore", "dev", "dev", "dev"],
  ]);
});
