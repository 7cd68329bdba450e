import { expect, it } from "vitest";
import type { Plan } from "./detection/plan.ts";
import type { TestCase } from "./local-checks.ts";
import { judgeErrors, judgeTests, WHOLE_COMMAND } from "./verdicts.ts";

const plan = { tool: "runner", command: "runner --all" } as unknown as Plan;
const passed: TestCase = { id: "a", name: "a", status: "passed" };

it("is unable where the report can't be read or is cut, also with exit code 0", () => {
  const judge = (code: number, tests: TestCase[]) =>
    judgeTests(plan, { code, tail: "" }, { tests, isUnreadable: true });
  expect(judge(0, [])).toMatchObject({ verdict: "unable", kind: "no-tests" });
  expect(judge(0, [passed])).toMatchObject({ verdict: "unable", reason: { code: "nothing-ran" } });
  expect(judge(1, [])).toMatchObject({ verdict: "unable", kind: "infra-failure" });
});

it("is unable where every test was skipped: none of them ran", () => {
  const skipped: TestCase = { ...passed, status: "skipped" };
  const judged = judgeTests(plan, { code: 0, tail: "" }, { tests: [skipped, { ...skipped, id: "b" }] });
  expect(judged).toMatchObject({ verdict: "unable", kind: "no-tests", reason: { code: "nothing-ran" } });
});

it("fails where every test passed and the runner failed all the same", () => {
  const judged = judgeTests(plan, { code: 1, tail: "Coverage is too low." }, { tests: [passed] });
  expect(judged).toMatchObject({ verdict: "fail", kind: "test-failures" });
  expect(judged.tests.at(-1)).toMatchObject({ id: WHOLE_COMMAND, message: "Exit code 1.\nCoverage is too low." });
});

it("is unable where a compiler fails without naming an error", () => {
  const judge = (code: number) => judgeErrors(plan, { code, tail: "" }, { errors: [] });
  expect(judge(0).verdict).toBe("pass");
  expect(judge(2)).toMatchObject({ verdict: "unable", reason: { code: "infra-failure" } });
  expect(judge(127)).toMatchObject({ verdict: "unable", kind: "config-error" });
});
