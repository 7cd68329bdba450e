import { expect, it } from "vitest";
import type { ProjectSummary } from "../../contract/documents/project.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import { mainCaller, shownTo } from "./main-caller.ts";

const at = "2026-01-01T00:00:00Z";
const summary = (id: string, status: ProjectSummary["status"] = "active"): ProjectSummary => ({
  ...{ id, name: id, description: "", status, teamSize: 0, updatedAt: at, activeAt: at },
  taskCount: { todo: 0, inProgress: 0, review: 0, done: 0, failed: 0, cancelled: 0 },
});
/** Pages of one project each. */
const hallOf = (...projects: ProjectSummary[]) => ({
  projects: {
    list: ({ cursor = "0" }: { cursor?: string | undefined }) => {
      const next = Number(cursor) + 1;
      const page = projects.slice(next - 1, next);
      return { projects: page, total: projects.length, ...(next < projects.length ? { nextCursor: `${next}` } : {}) };
    },
  },
});
const said = (text: string, more: Partial<SessionMessage> = {}): SessionMessage => ({
  ...{ id: "m", from: "person", channel: { type: "cli", id: "cli" }, text, at },
  ...more,
});
const NONE = new Set<string>();

it("the person's words name projects on every page of the list, but none that was made in answer to them", () => {
  const hall = hallOf(summary("till"), summary("mill"), summary("shop"));
  expect(mainCaller(said("Suspend shop"), hall, NONE)).toMatchObject({ named: new Set(["shop"]) });
  const made = new Set(["shop"]);
  expect(mainCaller(said("Make a project shop"), hall, made)).toMatchObject({ named: NONE, made });
});

it("the only project is the only one that is not archived", () => {
  const only = (...projects: ProjectSummary[]) => mainCaller(said("Go on"), hallOf(...projects), NONE);
  expect(only(summary("shop"), summary("old", "archived"))).toMatchObject({ only: "shop" });
  expect(only(summary("shop"), summary("mill", "suspended"))).toMatchObject({ only: undefined });
  expect(only(summary("old", "archived"))).toMatchObject({ only: undefined });
});

it("what is forwarded is for nobody, and what a project said is for that project, whatever it names", () => {
  const hall = hallOf(summary("shop"), summary("mill"));
  expect(mainCaller(said("Suspend shop", { forwarded: true }), hall, NONE)).toEqual({ kind: "mainForOthers" });
  expect(mainCaller(said("shop", { forwarded: true, project: "mill" }), hall, NONE)).toEqual({ kind: "mainForOthers" });
  const told = said("Suspend shop", { from: "project", channel: { type: "project", id: "mill" } });
  expect(mainCaller(told, hall, NONE)).toEqual({ kind: "mainForProject", project: "mill" });
  const ended = said("Suspend shop", { from: "hall", project: "mill" });
  expect(mainCaller(ended, hall, NONE)).toEqual({ kind: "mainForProject", project: "mill" });
});

it("a project's turn shows the person's message that it came of, and no other message of the person", () => {
  const told = said("Done", { from: "project", channel: { type: "project", id: "mill" }, root: "r1" });
  const isShown = shownTo(told);
  const earlier = [
    said("asked", { root: "r1" }),
    said("other", { root: "r2" }),
    said("older"),
    said("passed on", { root: "r1", forwarded: true }),
    said("own", { from: "project", channel: { type: "project", id: "mill" } }),
    said("of shop", { from: "project", channel: { type: "project", id: "shop" } }),
  ];
  expect(earlier.filter((message) => isShown?.(message)).map(({ text }) => text)).toEqual(["asked", "own"]);
  expect(shownTo({ ...told, root: undefined })?.(said("older"))).toBe(false);
  expect(shownTo(said("Hello"))).toBeUndefined();
});
