import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { ProjectStatus, ProjectSummary } from "../../contract/documents/project.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { mainCaller } from "./main-caller.ts";
import { MainDesk } from "./main-desk.ts";
import { mainTools } from "./main-tools.ts";

async function desk() {
  const workspace = join(temporaryFolder(), "workspace");
  const { hall, close } = await openHall({ workspace, clock: () => new Date(), version: "0", warnings: [] });
  onTestFinished(close);
  const main = new MainDesk({ hall, decisions: { text: () => "" } } as never);
  const message = { id: "m-1", from: "person", channel: { type: "http", id: "default" }, text: "", at: "" } as const;
  const caller = () => mainCaller(message, hall, new Set());
  const tools = mainTools(main, { message, caller, onMade: () => undefined });
  let calls = 0;
  const call = async (name: string, input: object) => {
    const use = { callId: `c-${++calls}`, signal: new AbortController().signal };
    return tools.find(({ spec }) => spec.name === name)?.run(JSON.stringify(input), use);
  };
  return { hall, call };
}

/** So many projects in the order of their ids, as the hall lists them. */
function listing(statuses: Record<string, ProjectStatus>): Hall["projects"]["list"] {
  const taskCount = { todo: 0, inProgress: 0, review: 0, done: 0 };
  const all = Object.entries(statuses).map(([id, status]) => ({ id, name: id, status, taskCount }) as ProjectSummary);
  return ({ status, q = "", limit }) => {
    const fit = all.filter((project) => (status ?? project.status) === project.status && project.id.includes(q));
    return { projects: fit.slice(0, limit), ...(fit.length > limit ? { nextCursor: "more" } : {}) };
  };
}

it("shows the projects at work first where there are too many, and finds the others by words", () => {
  const closed = Array.from({ length: 102 }, (_, at) => [`a-${at}`, "completed"] as const);
  const list = listing({ ...Object.fromEntries(closed), "tea-shop": "active", web: "suspended" });
  const main = new MainDesk({ hall: { projects: { list } } } as never);
  const lines = main.listProjects(undefined).split("\n");
  expect(lines.length).toBe(101);
  expect(lines.slice(0, 2).map((line) => line.split(";")[0])).toEqual(["tea-shop: active", "web: suspended"]);
  expect(lines.at(-1)).toContain("(more projects;");
  expect(main.listProjects(undefined, "a-101")).toMatch(/^a-101: completed/);
  expect(main.listProjects(undefined, "nowhere")).toBe("No projects match.");
  expect(main.listProjects("archived")).toBe("No project is archived.");
});

it.each([
  ["begins with a blank line", "\n\nSell tea.\nAnd more.", "Sell tea."],
  ["has a tab in it", "Sell\ttea.", "Sell tea."],
  ["has an emoji where it is cut", `${"a".repeat(199)}🍵 and more`, "a".repeat(199)],
])("makes a project of a goal that %s", async (_how, goal, first) => {
  const { hall, call } = await desk();
  expect(await call("create_project", { name: "Tea", goal })).toMatchObject({
    output: expect.stringContaining("Project 'tea' is active."),
  });
  expect(hall.projects.get("tea").config.goals).toEqual([first]);
});
