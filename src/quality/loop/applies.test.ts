import { expect, it } from "vitest";
import { gatesApply } from "./applies.ts";

const judged = { settings: { enabled: true, appliesTo: "teams" as const }, hasTeam: true, kind: "branch" as const };

it("applies gates to code of teams, to all where that is set, and to nothing where they are off", () => {
  const type = "feature" as const;
  expect(gatesApply({ ...judged, type })).toBe("judge");
  expect(gatesApply({ ...judged, type, hasTeam: false })).toBe("off");
  const all = { enabled: true, appliesTo: "all" as const };
  expect(gatesApply({ ...judged, type, hasTeam: false, settings: all })).toBe("judge");
  expect(gatesApply({ ...judged, type, settings: { ...all, enabled: false } })).toBe("off");
  expect(gatesApply({ ...judged, type: "docs" })).toBe("skipped");
  expect(gatesApply({ ...judged, type, kind: "folder" })).toBe("no-tree");
});
