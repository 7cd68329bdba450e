import { expect, it } from "vitest";
import type { Checked, TestCase } from "../checks/local-checks.ts";
import { redsOf } from "./red-before-green.ts";
import { vanishedTests } from "./vanished-tests.ts";

const test = (name: string, more: Partial<TestCase> = {}): TestCase => ({
  ...{ id: name, name, file: "a.test.ts", status: "passed" },
  ...more,
});
const checked = (tests: TestCase[]): Checked => ({
  ...{ verdict: tests.some(({ status }) => status === "failed") ? "fail" : "pass", kind: "none" },
  ...{ evidence: [], errors: [], tests },
});

it("a test that is reported twice has to pass both times to be a red that turned green", () => {
  const before = checked([test("adds", { status: "failed", failure: "assertion" })]);
  expect(redsOf(before, checked([test("adds"), test("adds")]))).toMatchObject([{ kind: "assertion" }]);
  expect(redsOf(before, checked([test("adds"), test("adds", { status: "failed" })]))).toEqual([]);
});

it("a test that the whole suite does not run has not turned green", () => {
  const red = { status: "failed", failure: "assertion" } as const;
  const elsewhere = checked([test("never", { file: "extra/new.test.ts", ...red })]);
  expect(redsOf(elsewhere, checked([test("adds")]))).toEqual([]);
  // A runner that does not say in which files its tests are leaves nothing but the verdict.
  expect(redsOf(elsewhere, checked([test("adds", { file: undefined })]))).toMatchObject([{ kind: "assertion" }]);
  expect(redsOf(elsewhere, checked([]))).toMatchObject([{ kind: "assertion" }]);
});

it("a new test elsewhere stands for one that is gone, not for every one of its name", () => {
  const before = checked([
    test("adds"),
    test("keeps"),
    test("adds", { file: "b.test.ts" }),
    test("keeps", { file: "b.test.ts" }),
  ]);
  const now = checked([test("keeps"), test("keeps", { file: "b.test.ts" }), test("adds", { file: "c.test.ts" })]);
  const touched = new Set(["a.test.ts", "b.test.ts", "c.test.ts"]);
  const found = vanishedTests({ before, now, moved: new Map(), touched, written: [], isWhole: false });
  expect(found.map(({ code, file }) => [code, file])).toEqual([["test-deleted", "b.test.ts"]]);
});

it("a file that reports nothing has lost its tests only where everything was run", () => {
  const before = checked([test("adds")]);
  const now = checked([test("other", { file: "b.test.ts" })]);
  const compared = { before, now, moved: new Map<string, string>(), touched: new Set(["a.test.ts"]), written: [] };
  expect(vanishedTests({ ...compared, isWhole: false })).toEqual([]);
  expect(vanishedTests({ ...compared, isWhole: true })).toMatchObject([{ code: "test-deleted", file: "a.test.ts" }]);
});
