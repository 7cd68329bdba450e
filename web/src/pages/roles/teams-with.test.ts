import { expect, it } from "vitest";
import { areFew, havingRole, withTeams } from "./teams-with.ts";

const team = (...roles: string[]) => ({
  isPending: false,
  data: { assignments: roles.map((roleId) => ({ roleId })) },
});

it("names the projects that have a role, also where the team of another cannot be told", () => {
  const failed = { isPending: false, data: undefined };
  expect(havingRole("coder", ["a", "b", "c"], [team("coder"), failed, team("poet")])).toEqual(["a"]);
  expect(havingRole("coder", ["a", "b"], [team("coder"), { isPending: true }])).toBeUndefined();
});

it("asks only for teams that somebody is on, and for an offer only where they are few", () => {
  expect(withTeams([{ teamSize: 0 }, { teamSize: 2 }])).toEqual([{ teamSize: 2 }]);
  expect([areFew(Array(50)), areFew(Array(51))]).toEqual([true, false]);
});
