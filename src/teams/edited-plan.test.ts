import { expect, it } from "vitest";
import { PlayedWorld, plannedTask as task, teamDocument, teamPlan } from "../../test/fakes/team-world.ts";
import type { TeamDocument } from "../contract/documents/teams/team.ts";
import { editedPlan } from "./edited-plan.ts";

/** Waits for the approval of a plan of three tasks that can be done side by side. */
function asked(more: Partial<TeamDocument> = {}): PlayedWorld {
  const world = new PlayedWorld(teamDocument({ approval: "plan", ...more }));
  world.plan([task("a", { requirements: ["REQ-001"], criteria: ["REQ-001.1"] }), task("b"), task("c")]);
  return world;
}

const chain = teamPlan([
  task("a", { requirements: ["REQ-001"] }),
  task("b", { dependsOn: ["a"] }),
  task("c", { dependsOn: ["b"] }),
]);

it("chooses the strategy again for a plan that the person edited, with the figures that decided it", () => {
  const world = asked();
  expect(world.state.strategy).toMatchObject({ value: "flat" });
  world.append({ type: "approved", what: "plan", by: "person", ...editedPlan(world.state, chain, []) });
  expect(world.state.strategy?.value).toBe("single");
  expect(world.state.strategy?.because).toMatch(/^1 of 3 tasks/);
  expect(Array.from(world.state.tasks.values(), ({ rank }) => rank)).toEqual(["worker", "worker", "worker"]);
});

it("keeps a strategy that the person chose", () => {
  const world = asked({ strategy: "managed" });
  expect(editedPlan(world.state, chain, []).strategy).toMatchObject({ value: "managed" });
});

it("refuses an edited plan with every fault at once", () => {
  const broken = teamPlan([task("a", { dependsOn: ["b"], files: ["../x"] }), task("b", { dependsOn: ["a"] })]);
  expect(() => editedPlan(asked().state, broken, [])).toThrow(/outside the repository.*circular.*REQ-001/s);
});
