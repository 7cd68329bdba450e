import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { TASK_STATUSES, type TaskStatus } from "../../src/contract/documents/task-status.ts";
import { type Board, boardOf } from "../harness/board.ts";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const browser = sharedBrowser();
const hall = sharedHall();
const AT = "/projects/alpha/board";

const WAY: Record<TaskStatus, readonly TaskStatus[]> = {
  pending: [],
  assigned: ["assigned"],
  "in-progress": ["in-progress"],
  review: ["in-progress", "review"],
  blocked: ["blocked"],
  done: ["in-progress", "done"],
  failed: ["failed"],
  cancelled: ["cancelled"],
};

/** A task in every column. */
async function fill(board: Board): Promise<void> {
  for (const [at, status] of TASK_STATUSES.entries()) {
    const priority = status === "failed" ? "urgent" : "medium";
    const { id } = await board.add({ title: `Task ${at} is ${status}`, priority });
    for (const step of WAY[status]) await board.move(id, step);
  }
}

beforeAll(async () => {
  await hall().call("POST", "/api/projects", { id: "alpha", name: "Alpha" });
  await fill(boardOf(hall()));
});

const column = (page: Page, name: string) => page.getByRole("region", { name });
const titles = (page: Page) => page.getByRole("table").locator("[data-task]").allInnerTexts();

test("at 1440 all columns are in sight when all are in use, those that are over closed until they are wanted", async () => {
  const page = await visit(browser(), hall(), AT);
  await column(page, "Failed, 1 task").getByText("is failed").waitFor();
  for (const name of ["Failed, 1 task", "Cancelled, 1 task"]) {
    const box = await column(page, name).boundingBox();
    expect(box === null ? 0 : box.x + box.width, name).toBeLessThanOrEqual(1440);
  }
  expect(await page.getByText("is done").count()).toBe(0);
  await page.getByRole("button", { name: "Expand Done 1" }).click();
  await page.getByText("is done").waitFor();
  await page.reload();
  await page.getByText("is done").waitFor();
  await column(page, "Done, 1 task").hover();
  await page.getByRole("button", { name: "Collapse Done" }).click();
  await expect.poll(() => page.getByText("is done").count()).toBe(0);
});

test("the list is sorted and filtered, used with the keyboard, and remembered for the project", async () => {
  const page = await visit(browser(), hall(), AT);
  await page.getByRole("button", { name: "List" }).click();
  await expect.poll(() => titles(page)).toEqual(TASK_STATUSES.map((status, at) => `Task ${at} is ${status}`));
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Priority" }).click();
  await expect.poll(async () => (await titles(page))[0]).toBe("Task 6 is failed");
  await page.getByRole("button", { name: "ID" }).click();
  await page.getByRole("button", { name: "ID" }).click();
  await expect.poll(async () => (await titles(page))[0]).toBe("Task 7 is cancelled");
  expect(page.url()).toContain("sort=-id");
  await page.getByLabel("Filter by status").selectOption("failed");
  await expect.poll(() => titles(page)).toEqual(["Task 6 is failed"]);
  await page.getByRole("button", { name: "Clear filters" }).click();

  await page.goto(`${hall().url}/projects/alpha`);
  await page.getByRole("navigation", { name: "Project", exact: true }).waitFor();
  await page.keyboard.press("2");
  await expect.poll(() => titles(page)).toHaveLength(8);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate("document.activeElement.dataset.task")).toBe("TASK-002");
  await page.keyboard.press("m");
  await page.getByRole("menuitem", { name: /Blocked/ }).click();
  await expect.poll(async () => (await boardOf(hall()).get("TASK-002")).status).toBe("blocked");
  await page
    .getByRole("row", { name: /TASK-002/ })
    .getByText("Blocked")
    .waitFor();
  await boardOf(hall()).move("TASK-002", "pending");
  await boardOf(hall()).move("TASK-002", "assigned");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "TASK-002" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("v");
  await column(page, "Failed, 1 task").waitFor();
});

test("on a phone the list shows each task with its id and status, and is not wider than the screen", async () => {
  const page = await visit(browser(), hall(), `${AT}?view=list`, { width: 360, height: 740 });
  await page
    .getByRole("row", { name: /TASK-007.*is failed|is failed.*TASK-007/ })
    .getByText("Failed", { exact: true })
    .waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await barriers(page)).toEqual([]);
});
