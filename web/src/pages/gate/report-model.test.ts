import { expect, test } from "vitest";
import { changeBetween, findingsOf, shownStages } from "./report-model.ts";
import { finding, gateReport, stages } from "./sample-report.ts";

const ids = (findings: readonly { id: string }[]) => findings.map(({ id }) => id);

test("findings come worst first: blocking ones, then open ones, then settled ones", () => {
  const report = gateReport("gate-1", {
    stages: stages({
      architecture: {
        findings: [
          finding("waived", { severity: "critical", state: "waived" }),
          finding("low", { severity: "low", blocks: false }),
          finding("high-b", { line: 9 }),
        ],
      },
      errors: {
        findings: [
          finding("critical", { severity: "critical", state: "disputed" }),
          finding("high-a", { line: 2 }),
          finding("medium", { severity: "medium", blocks: false }),
        ],
      },
    }),
  });
  expect(ids(findingsOf(report))).toEqual(["critical", "high-a", "high-b", "medium", "low", "waived"]);
  expect(findingsOf(report)[0]?.from).toBe("Errors");
  expect(findingsOf(report).map(({ canWaive }) => canWaive)).toEqual([true, true, true, true, true, false]);
});

test("a running gate shows the stage that is under way and those to come", () => {
  const [syntax] = stages();
  const shown = shownStages({ state: "running", stages: syntax === undefined ? [] : [syntax] });
  expect(shown.map(({ progress }) => progress)).toEqual(["judged", "running", ...Array(7).fill("waiting")]);
  expect(shownStages({ state: "finished", stages: stages() })).toHaveLength(9);
});

test("between two cycles findings are fixed, new or still open", () => {
  const before = gateReport("gate-1", {
    stages: stages({ errors: { findings: [finding("gone"), finding("closed"), finding("kept")] } }),
  });
  const after = gateReport("gate-2", {
    stages: stages({
      errors: { findings: [finding("closed", { state: "resolved" }), finding("kept")] },
      simplicity: { findings: [finding("fresh"), finding("refuted", { state: "refuted" })] },
    }),
  });
  const { fixed, added, left } = changeBetween(before, after);
  expect([ids(fixed), ids(added), ids(left)]).toEqual([["gone", "closed"], ["fresh"], ["kept"]]);
  expect(ids(changeBetween(undefined, before).added)).toEqual(["gone", "closed", "kept"]);
});

test("failing tests and code that does not compile can't be waived", () => {
  const report = gateReport("gate-1", { stages: stages({ tests: { findings: [finding("a")] } }) });
  expect(findingsOf(report).map(({ canWaive }) => canWaive)).toEqual([false]);
});
