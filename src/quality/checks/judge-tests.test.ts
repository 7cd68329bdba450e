import { describe, expect, it } from "vitest";
import { checkedRepository } from "../../../test/harness/checked-repository.ts";
import { standingOf } from "./baseline.ts";
import { judgeSyntax } from "./judge-syntax.ts";
import { judgeTests } from "./judge-tests.ts";

const NODE = { "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }) };
const CODE = "export const one = 1;\nexport const two = 2;\n";
const test = (name: string, value: number) =>
  `import test from "node:test";\nimport assert from "node:assert/strict";\nimport * as code from "./code.js";\ntest("${name} is right", () => assert.equal(code.${name}, ${value}));\n`;
const FILES = { ...NODE, "code.js": CODE, "one.test.js": test("one", 1), "two.test.js": test("two", 22) };

describe("the stage tests", { timeout: 120_000 }, () => {
  it("passes a change where only tests fail that fail on the base, and counts them [S1-QG-18]", async () => {
    const { treeWith, subjectFor } = checkedRepository(FILES);
    const tree = await treeWith({ "code.js": `${CODE}export const three = 3;\n` });
    const outcome = await judgeTests(await subjectFor(tree));
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ verdict: "pass", score: 100, findings: [] });
    expect(outcome.evidence[0]).toMatchObject({ purpose: "tests", tests: { passed: 1, failed: 1, known: 1 } });
    expect(outcome.evidence.map((one) => "purpose" in one && one.purpose)).toEqual([
      "tests",
      "second attempt",
      "baseline",
    ]);
    const strict = await judgeTests(await subjectFor(tree, { baselineAwareTests: false }));
    expect(strict).toMatchObject({
      verdict: "fail",
      score: 0,
      findings: [{ code: "test-failed", file: "two.test.js" }],
    });
    const listed = await judgeTests(
      await subjectFor(tree, { baselineAwareTests: false, knownFailingTests: ["two is right"] }),
    );
    expect(listed).toMatchObject({ verdict: "pass", score: 100 });
  });

  it("fails a change that breaks a test which passed on the base, with its place [S1-QG-03]", async () => {
    const { treeWith, subjectFor } = checkedRepository(FILES);
    const tree = await treeWith({ "code.js": "export const one = 7;\nexport const two = 2;\n" });
    const outcome = await judgeTests(await subjectFor(tree));
    expect(outcome, JSON.stringify(outcome)).toMatchObject({
      verdict: "fail",
      score: 0,
      findings: [
        { code: "test-failed", severity: "critical", file: "one.test.js", line: 4, blocks: true, state: "open" },
      ],
    });
    expect(outcome.findings[0]?.message).toMatch(/^one is right: AssertionError.*\n7 !== 1$/s);
  });

  it("is unable where no test passed and all of them fail on the base too, as without their packages", async () => {
    const broken = { "one.test.js": `import "not-installed";\n${test("one", 1)}` };
    const { treeWith, subjectFor } = checkedRepository({ ...NODE, "code.js": CODE, ...broken });
    const outcome = await judgeTests(await subjectFor(await treeWith({ "code.js": "export const one = 7;\n" })));
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ verdict: "unable", reason: { code: "failed" } });
    expect(outcome.reason?.text).toMatch(/^No test passed/);
  });

  it("says what a test of unittest found, not that there is a traceback", async () => {
    const traceback = [
      "Traceback (most recent call last):",
      '  File "test_code.py", line 7, in test_one',
      "    self.assertEqual(one, 1)",
      "AssertionError: 7 != 1",
      "",
    ].join("\n");
    const { treeWith, subjectFor } = checkedRepository(FILES);
    const subject = await subjectFor(await treeWith({ "code.js": "" }), { baselineAwareTests: false });
    const failed = { id: "one", name: "one", status: "failed" as const, message: traceback };
    const tests = async () => ({
      ...{ verdict: "fail" as const, kind: "test-failures" as const, evidence: [], errors: [], tests: [failed] },
    });
    const checks = { tests, syntax: unused, detect: unused, toolchain: unused, isTest: unused, isCheckSetting: unused };
    const { findings } = await judgeTests({ ...subject, checks });
    expect(findings.map(({ message }) => message)).toEqual(["one: AssertionError: 7 != 1"]);
  });

  it("lists so many failed tests, and says how many more there are", async () => {
    const { treeWith, subjectFor } = checkedRepository(FILES);
    const subject = await subjectFor(await treeWith({ "code.js": "" }), { baselineAwareTests: false });
    const failed = Array.from({ length: 230 }, (_, at) => ({ id: `${at}`, name: `${at}`, status: "failed" as const }));
    const tests = async () => ({
      ...{ verdict: "fail" as const, kind: "test-failures" as const, evidence: [], errors: [], tests: failed },
    });
    const checks = { tests, syntax: unused, detect: unused, toolchain: unused, isTest: unused, isCheckSetting: unused };
    const outcome = await judgeTests({ ...subject, checks });
    expect([outcome.findings.length, outcome.cut]).toEqual([200, ["Tests: 30 more failed tests are not listed."]]);
  });

  it("fails a test that is unsteady here and steady on the base", async () => {
    const flaky = `import test from "node:test";\nimport assert from "node:assert";\nimport { readdirSync } from "node:fs";\nimport { flips } from "./code.js";\n`;
    const steady = `${flaky}test("flips", () => assert.ok(!flips || process.hrtime.bigint() > 0n));\n`;
    const { treeWith, subjectFor, checks } = checkedRepository({
      ...NODE,
      "code.js": "export const flips = false;\n",
      "flips.test.js": steady,
    });
    const tree = await treeWith({ "code.js": "export const flips = true;\n" });
    const subject = await subjectFor(tree);
    // The first run of the tree fails, whatever the test says.
    const tests: typeof checks.tests = async (order) => {
      const checked = await checks.tests(order);
      if (order.tree !== tree || order.attempt === 2) return checked;
      return {
        ...checked,
        verdict: "fail",
        kind: "test-failures",
        tests: checked.tests.map((one) => ({ ...one, status: "failed" as const })),
      };
    };
    const outcome = await judgeTests({
      ...subject,
      checks: { tests, syntax: unused, detect: unused, toolchain: unused, isTest: unused, isCheckSetting: unused },
    });
    expect(outcome, JSON.stringify(outcome)).toMatchObject({
      verdict: "fail",
      findings: [{ code: "test-unsteady", file: "flips.test.js" }],
    });
  });

  it("is skipped with testScope none, and where no runner is found [S1-QG-19]", async () => {
    const { treeWith, subjectFor } = checkedRepository({ "README.md": "x\n" });
    const tree = await treeWith({ "README.md": "y\n" });
    expect(await judgeTests(await subjectFor(tree, { testScope: "none" }))).toMatchObject({
      verdict: "skipped",
      reason: { code: "off" },
      score: null,
    });
    expect(await judgeTests(await subjectFor(tree))).toMatchObject({
      verdict: "skipped",
      reason: { code: "not-detected" },
    });
  });

  it("is unable where a command without single results fails on the base too", async () => {
    const { treeWith, subjectFor } = checkedRepository({ "a.txt": "x\n" });
    const subject = await subjectFor(await treeWith({ "a.txt": "y\n" }), { commands: { tests: "false" } });
    expect(await judgeTests(subject)).toMatchObject({ verdict: "unable", reason: { code: "failed" } });
    const broken = await subjectFor(await treeWith({ "a.txt": "y\n" }), { commands: { tests: "grep -q x a.txt" } });
    expect(await judgeTests(broken)).toMatchObject({ verdict: "fail", findings: [{ code: "test-failed" }] });
  });
});

describe("the stage syntax", { timeout: 120_000 }, () => {
  it("fails for new errors, with their place, and passes with those of the base [S1-QG-02]", async () => {
    const { treeWith, subjectFor } = checkedRepository({ "a.txt": "bad.c:1: old error\n" });
    const settings = { commands: { syntax: "cat a.txt; ! grep -q error a.txt" } };
    const worse = await treeWith({ "a.txt": "bad.c:5: old error\nbad.c:9: new error\n" });
    const outcome = await judgeSyntax(await subjectFor(worse, settings));
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ verdict: "fail", score: 0 });
    expect(outcome.findings.map(({ file, line, blocks }) => [file, line, blocks])).toEqual([
      ["bad.c", 9, true],
      ["bad.c", 5, false],
    ]);
    const twice = await treeWith({ "a.txt": "bad.c:5: old error\nbad.c:9: old error\n" });
    expect((await judgeSyntax(await subjectFor(twice, settings))).findings.map(({ blocks }) => blocks)).toEqual([
      true,
      false,
    ]);
    const same = await treeWith({ "a.txt": "bad.c:5: old error\n\n" });
    expect(await judgeSyntax(await subjectFor(same, settings))).toMatchObject({ verdict: "pass", score: 100 });
    const fixed = await treeWith({ "a.txt": "fine\n" });
    expect(await judgeSyntax(await subjectFor(fixed, settings))).toMatchObject({ verdict: "pass", findings: [] });
  });
});

describe("a failed test", () => {
  const seen = { test: { id: "a", name: "a", status: "failed" as const }, isListed: false };
  it.each([
    [{ again: "failed", base: ["passed"] }, "blocks"],
    [{ again: "failed", base: [undefined] }, "blocks"],
    [{ again: undefined, base: ["passed"] }, "blocks"],
    [{ again: "failed", base: ["failed"] }, "known"],
    [{ again: "failed", base: undefined }, "blocks"],
    [{ again: "passed", base: undefined }, "unsteady"],
    [{ again: "passed", base: ["passed", "passed"] }, "unsteady"],
    [{ again: "passed", base: [undefined, undefined] }, "unsteady"],
    [{ again: "passed", base: ["passed", "failed"] }, "flaky"],
    [{ again: "passed", base: ["failed", "failed"] }, "flaky"],
    [{ again: "failed", base: ["passed"], isListed: true }, "known"],
  ] as const)("that was %j counts as %s", (part, standing) => {
    expect(standingOf({ ...seen, ...part })).toBe(standing);
  });
});

function unused(): never {
  throw new Error("not used here");
}
