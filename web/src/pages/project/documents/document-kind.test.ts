import { expect, test } from "vitest";
import { baseName, documentKind, grouped, shelfName, shownJson } from "./document-kind.ts";

test("a document is shown by the ending of its name", () => {
  expect(["a.md", "B.MARKDOWN", "c.json", "d.ts", "plain"].map(documentKind)).toEqual([
    "markdown",
    "markdown",
    "json",
    "text",
    "text",
  ]);
});

test("JSON is shown in lines, and what is no JSON as it is", () => {
  expect(shownJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(shownJson("{a")).toBe("{a");
});

test("documents are grouped in the order in which they come", () => {
  expect(grouped(["b/1", "a/1", "b/2"], (path) => path[0] ?? "")).toEqual([
    ["b", ["b/1", "b/2"]],
    ["a", ["a/1"]],
  ]);
  expect(baseName("ARTIFACTS/2026-11-15/plan.md")).toBe("plan.md");
});

test("a list names what a run wrote without the number of the run", () => {
  expect(shelfName("ARTIFACTS/2026-11-15/TASK-004-run-01m7gpsdx1000000000000.md")).toBe("TASK-004.md");
  expect(shelfName("rules/dry-run-notes.md")).toBe("dry-run-notes.md");
});
