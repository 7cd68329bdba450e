import { expect, test } from "vitest";
import type { GateReport } from "../../../../src/contract/documents/quality/gate.ts";
import { integrationOutcome, outcomeWords, reasonWords, testWords } from "./report-words.ts";
import { finding, gateReport, stages } from "./sample-report.ts";

const FAIL = { verdict: "fail" as const };
const OLD = "0".repeat(40);

test.each<[Partial<GateReport>, string]>([
  [{}, "9 stages passed. Score 100, required 90."],
  [{ score: null }, "9 stages passed."],
  [
    { ...FAIL, stages: stages({ tests: { ...FAIL, score: 0, findings: [finding("a"), finding("b", { line: 4 })] } }) },
    "Tests failed: The total ignores the discount (src/cart.ts:3), and 1 more.",
  ],
  [{ ...FAIL, stages: stages({ syntax: { ...FAIL, score: 0 } }) }, "Syntax failed."],
  [
    { ...FAIL, stages: stages({ errors: { ...FAIL, score: 60, findings: [finding("a")] } }) },
    "1 blocking finding: The total ignores the discount (src/cart.ts:3).",
  ],
  [
    { ...FAIL, stages: stages({ errors: { ...FAIL, score: 60, findings: [finding("a"), finding("b")] } }) },
    "2 blocking findings. Worst: The total ignores the discount (src/cart.ts:3).",
  ],
  [{ ...FAIL, stages: stages({ simplicity: { ...FAIL, score: 55.25 } }) }, "Simplicity scored 55.3, required 70."],
  [{ ...FAIL, score: 82 }, "Score 82, required 90."],
  [
    { verdict: "unable", stages: stages({ errors: { verdict: "unable", reason: { code: "no-model", text: "" } } }) },
    "Errors could not be judged. No model available for reviews.",
  ],
  [{ verdict: "unable", reason: { code: "cancelled", text: "" } }, "Cancelled."],
  [{ verdict: "skipped", reason: { code: "not-code", text: "Type docs." } }, "Not a code task. Type docs."],
  [{ state: "running", stages: [] }, "Stage 1 of 9: Syntax."],
])("a report with %j says in one sentence what stopped it: %s", (more, words) => {
  expect(outcomeWords(gateReport("gate-1", more))).toBe(words);
});

test("a message of many lines is told by the beginning of its first", () => {
  const long = finding("a", { message: `${"x".repeat(500)}\nmore` });
  const words = outcomeWords(gateReport("g", { ...FAIL, stages: stages({ errors: { ...FAIL, findings: [long] } }) }));
  expect(words.length).toBeLessThan(240);
  expect(words).toContain("…");
});

test("an integration check says which part broke the whole", () => {
  const check = {
    id: "check-1",
    projectId: "shop",
    runIds: [],
    target: "main",
    base: OLD,
    breakers: [],
    startedAt: "",
  };
  const step = { name: "tests" as const, verdict: "fail" as const, findings: [finding("a")], evidence: [] };
  const over = { ...check, state: "finished" as const, verdict: "fail" as const, steps: [step] };
  expect(integrationOutcome(over)).toBe("1 blocking finding: The total ignores the discount (src/cart.ts:3).");
  expect(integrationOutcome({ ...over, firstBroken: "run-2" })).toBe("Broken since run-2.");
  expect(integrationOutcome({ ...over, verdict: "pass", steps: [{ ...step, verdict: "pass", findings: [] }] })).toBe(
    "1 step passed.",
  );
});

test("reasons keep their detail, and counts leave out what did not happen", () => {
  expect(reasonWords({ code: "timeout", text: " after 10 minutes " })).toBe("Timed out. after 10 minutes");
  expect(testWords({ tests: { passed: 3, failed: 0, skipped: 1, known: 0, unsteady: 2 } })).toBe(
    "3 passed, 1 skipped, 2 unsteady",
  );
  expect(testWords({})).toBe("");
});
