import { expect, test } from "vitest";
import type { ProjectSummary } from "../../../src/contract/documents/project.ts";
import { allProjects } from "./all-projects.ts";

/** Pages of two, as many as are asked for. */
function pagesOf(total: number) {
  const asked: (string | undefined)[] = [];
  const ask = async (cursor: string | undefined) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const projects = [from, from + 1].filter((at) => at < total).map((at) => ({ id: `p${at}` }) as ProjectSummary);
    return { projects, ...(from + 2 < total ? { nextCursor: String(from + 2) } : {}) };
  };
  return { ask, asked };
}

test("all projects are asked for, page by page", async () => {
  const { ask, asked } = pagesOf(5);
  const all = await allProjects(ask);
  expect(all).toEqual({ projects: ["p0", "p1", "p2", "p3", "p4"].map((id) => ({ id })) });
  expect(asked).toEqual([undefined, "2", "4"]);
});

test("there is an end to it, and the answer says that there are more", async () => {
  const { ask } = pagesOf(1_000);
  const { projects, nextCursor } = await allProjects(ask);
  expect([projects.length, nextCursor]).toEqual([40, "40"]);
});

test("a project that comes on two pages stands once, as it is by then", async () => {
  const answers = [{ projects: [{ id: "a", name: "Old" }], nextCursor: "x" }, { projects: [{ id: "a", name: "New" }] }];
  const all = await allProjects(async () => answers.shift() as { projects: ProjectSummary[] });
  expect(all.projects).toEqual([{ id: "a", name: "New" }]);
});
