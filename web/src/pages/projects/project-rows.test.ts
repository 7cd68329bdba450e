import { expect, test } from "vitest";
import { countByStatus, matching, ordered, type ProjectRow, projectRows } from "./project-rows.ts";

const NONE = { todo: 0, inProgress: 0, review: 0, done: 0, failed: 0, cancelled: 0 };

function row(id: string, more: Partial<ProjectRow> = {}): ProjectRow {
  const found = { id, name: id, description: "", status: "active" as const, taskCount: NONE, teamSize: 0 };
  const at = "2026-11-15T10:00:00.000Z";
  return { ...found, updatedAt: at, activeAt: at, atWork: 0, today: 0, overall: 0, costKnown: true, ...more };
}

const ids = (rows: ProjectRow[]) => rows.map(({ id }) => id);

test("a project is shown with its agents at work and what it cost", () => {
  const cost = { runs: 1, calls: 1, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const [shop, blog] = projectRows({
    projects: [row("shop"), row("blog")],
    running: [{ projectId: "shop" }, { projectId: "shop" }],
    today: [{ ...cost, key: "shop", costUsd: 0.5, unpriced: 0 }],
    overall: [{ ...cost, key: "shop", costUsd: 2, unpriced: 1 }],
  });
  expect(shop).toMatchObject({ atWork: 2, today: 0.5, overall: 2, costKnown: false });
  expect(blog).toMatchObject({ atWork: 0, today: 0, overall: 0, costKnown: true });
});

test("every word of a search has to occur, in the name, the id or the description", () => {
  const rows = [row("shop", { name: "The Shop" }), row("blog", { description: "Posts about shopping" })];
  expect(ids(matching(rows, { text: "SHOP the", status: "all" }))).toEqual(["shop"]);
  expect(ids(matching(rows, { text: "shop", status: "all" }))).toEqual(["shop", "blog"]);
  expect(ids(matching(rows, { text: "", status: "suspended" }))).toEqual([]);
});

test("projects with agents at work come first, then those where something happened last", () => {
  const rows = [
    row("old", { activeAt: "2026-01-01T00:00:00.000Z" }),
    row("new"),
    row("busy", { activeAt: "2025-01-01T00:00:00.000Z", atWork: 1 }),
  ];
  expect(ids(ordered(rows, "activity"))).toEqual(["busy", "new", "old"]);
  expect(ids(ordered(rows, "name"))).toEqual(["busy", "new", "old"]);
});

test("the filter tells how many projects stand in each way", () => {
  const counts = countByStatus([row("a"), row("b", { status: "suspended" }), row("c")]);
  expect(Object.fromEntries(counts)).toEqual({ all: 3, active: 2, suspended: 1 });
});
