import { expect, it } from "vitest";
import { sampleEscalation } from "../../../test/fakes/sample-escalation.ts";
import { needsOf } from "./needs.ts";

const AT = "2026-11-19T08:00:00.000Z";

it.each([
  ["the plan of its team", { team: { id: "team-1", kind: "plan", number: 1 } }, "/teams/team-1?view=plan"],
  ["the plan of its initiative", { initiative: "roof" }, "/projects/shop/initiatives/roof"],
  ["its project", {}, "/projects/shop"],
] as const)("an approval links to %s [S4-BRIEF-05]", (_, about, details) => {
  const approval = { ...sampleEscalation(AT, { type: "approval", ...about }), id: "esc-001", urgency: 3 };
  const { approvals } = needsOf([approval], () => undefined);
  expect(approvals.items).toMatchObject([{ id: "esc-001", details }]);
});
