import { beforeAll, expect, it } from "vitest";
import type { PortfolioProject } from "../../src/contract/documents/autonomy/portfolio.ts";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { wanted } from "../harness/workspace.ts";

let hall: Hall;
const later = afterAllTests();
beforeAll(async () => {
  hall = await startHall(undefined, { later });
  for (const id of ["shop", "docs"])
    await wanted(201, hall.call("POST", "/api/projects", { id, name: id, goals: ["Sell books"] }));
  await wanted(200, hall.call("POST", "/api/projects/docs/move", { status: "suspended" }));
});

const add = async (body: object) => (await wanted(201, hall.call("POST", "/api/projects/shop/tasks", body))).task.id;
const portfolio = async () => {
  const { projects } = await wanted(200, hall.call("GET", "/api/portfolio"));
  return new Map<string, PortfolioProject>(projects.map((project: PortfolioProject) => [project.id, project]));
};

it("shows each project with its goals, initiatives, what is ready and what is blocked [S4-SCOPE-10]", async () => {
  await wanted(201, hall.call("POST", "/api/projects/shop/initiatives", { title: "Checkout", goals: ["Pay"] }));
  await wanted(201, hall.call("POST", "/api/projects/shop/initiatives", { title: "Returns" }));
  const first = await add({ title: "Basket", plan: "checkout", priority: "high" });
  await add({ title: "Payment", plan: "checkout", priority: "urgent", blockedBy: [first] });
  const asked = await add({ title: "Which bank?", plan: "checkout" });
  await add({ title: "Sweep the floor" });
  const question = { type: "blocker", question: "Which bank?", projectId: "shop", blocksTask: asked };
  await wanted(201, hall.call("POST", "/api/escalations", question));
  const found = await eventually(portfolio, (now) => now.get("shop")?.tasks.blocked === 1);
  expect(found.get("docs")).toMatchObject({ status: "suspended", autonomy: "off", initiatives: [] });
  expect(found.get("shop")).toMatchObject({
    goals: ["Sell books"],
    tasks: { total: 4, ready: 2, blocked: 1, done: 0, underWay: 0 },
    running: { leads: 0, runs: 0, teams: 0 },
    spent: { todayUsd: 0, totalUsd: 0 },
    initiatives: [
      { slug: "checkout", state: "ready", priority: "high", tasks: { total: 3, ready: 1 }, escalations: ["esc-001"] },
      { slug: "returns", state: "empty", tasks: { total: 0 }, escalations: [] },
    ],
  });
  for (const status of ["in-progress", "done"])
    await wanted(200, hall.call("POST", `/api/projects/shop/tasks/${first}/move`, { status }));
  const [checkout] = (await portfolio()).get("shop")?.initiatives ?? [];
  expect(checkout).toMatchObject({ priority: "urgent", tasks: { done: 1, ready: 1 } });
});

it("says which initiatives are paused", async () => {
  const initiative = { slug: "resting", title: "Resting" };
  await wanted(201, hall.call("POST", "/api/projects/shop/initiatives", initiative));
  await wanted(200, hall.call("PUT", "/api/projects/shop/initiatives/resting", { status: "paused" }));
  const found = (await portfolio()).get("shop")?.initiatives.find(({ slug }) => slug === "resting");
  expect(found).toMatchObject({ status: "paused", state: "empty" });
  expect((await commandLine(["portfolio"], { workspace: hall.workspace })).stdout).toContain("resting (paused)");
});

it("is one command, and a project's autonomy is part of its settings", async () => {
  const run = (...words: string[]) => commandLine(words, { workspace: hall.workspace });
  expect((await run("project", "edit", "shop", "--autonomy", "work")).stderr).toBe("");
  const { stdout } = await run("portfolio");
  expect(stdout).toMatch(/^shop +autonomy: work +1\/4 /m);
  expect(stdout).toMatch(/^ +checkout +1\/3 +1 +1 +1/m);
  expect(stdout).toMatch(/^docs +\(suspended\)/m);
  expect(JSON.parse((await run("portfolio", "--json")).stdout).projects).toHaveLength(2);
  await wanted(200, hall.call("PUT", "/api/projects/shop", { config: { autonomy: null } }));
  expect((await portfolio()).get("shop")?.autonomy).toBe("off");
});
