import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually } from "../harness/daemon.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const browser = sharedBrowser();
const hall = sharedHall();

async function boardOf(id: string, tasks: object[]): Promise<{ statusOf: (task: string) => Promise<string> }> {
  const must = async (method: string, path: string, body: object) => {
    const answer = await hall().call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  };
  await must("POST", "/api/projects", { id, name: id });
  for (const task of tasks) await must("POST", `/api/projects/${id}/tasks`, task);
  return { statusOf: async (task) => (await hall().call("GET", `/api/projects/${id}/tasks/${task}`)).body.task.status };
}

const card = (page: Page, id: string) => page.locator(`[data-task="${id}"]`);
const column = (page: Page, name: string) => page.getByRole("region", { name: new RegExp(`^${name},`) });
const has = (page: Page, name: string, id: string) => column(page, name).locator(`[data-task="${id}"]`).waitFor();
const focused = (page: Page) => page.evaluate<string | undefined>("document.activeElement?.dataset.task");

test("cards are moved by dragging and by keys, legal ways only, others' moves show by themselves, and refused ones are taken back", async () => {
  const { statusOf } = await boardOf("drag", [
    { title: "Paint the door", priority: "high" },
    { title: "Oil the hinges" },
    { title: "Hang it", status: "done" },
  ]);
  const page = await visit(browser(), hall(), "/projects/drag/board");
  await has(page, "Pending", "TASK-001");
  await card(page, "TASK-001").dragTo(column(page, "In progress"));
  await has(page, "In progress", "TASK-001");
  await eventually(
    () => statusOf("TASK-001"),
    (status) => status === "in-progress",
  );
  await card(page, "TASK-003").dragTo(column(page, "Failed"));
  await page.getByText("Can't move TASK-003. From done, a task can move to in progress.").first().waitFor();
  expect(await statusOf("TASK-003")).toBe("done");

  await card(page, "TASK-001").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await has(page, "In review", "TASK-001");
  expect(await focused(page)).toBe("TASK-001");
  await page.getByText("Moved TASK-001 to in review: Paint the door").waitFor({ state: "attached" });
  await page.keyboard.press("h");
  expect(await focused(page)).toBe("TASK-002");
  await page.keyboard.press("m");
  await page.locator("[role=menuitem]:focus").waitFor();
  await page.getByRole("menuitem", { name: "Blocked" }).click();
  await has(page, "Blocked", "TASK-002");
  await eventually(
    () => statusOf("TASK-002"),
    (status) => status === "blocked",
  );
  expect(await focused(page)).toBe("TASK-002");

  await hall().call("POST", "/api/projects/drag/tasks/TASK-002/move", { status: "pending" });
  await has(page, "Pending", "TASK-002");
  await hall().call("POST", "/api/projects/drag/tasks", { title: "Somebody else's" });
  await has(page, "Pending", "TASK-004");

  // What is over says so, and how it ended can be said, or the move taken back where there is a way.
  await card(page, "TASK-004").focus();
  await page.keyboard.press("m");
  await page.getByRole("menuitem", { name: "Failed" }).click();
  await has(page, "Failed", "TASK-004");
  await page.getByText("TASK-004 is now failed.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await has(page, "Pending", "TASK-004");
  await eventually(
    () => statusOf("TASK-004"),
    (status) => status === "pending",
  );
  await card(page, "TASK-001").dragTo(column(page, "Done"));
  await page.getByText("TASK-001 is now done.").waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Add a note" }).click();
  const ending = page.getByRole("dialog", { name: "TASK-001 done: add a note" });
  await ending.getByRole("combobox", { name: "Outcome" }).selectOption("partial");
  await ending.getByRole("textbox", { name: "Note" }).fill("The inside is not painted.");
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("Control+Enter");
  await ending.waitFor({ state: "detached" });
  expect((await hall().call("GET", "/api/projects/drag/tasks/TASK-001")).body.task).toMatchObject({
    outcome: "partial",
    completionNotes: "The inside is not painted.",
  });

  await page.route("**/move", (route) =>
    route.fulfill({ status: 409, json: { error: { code: "project_closed", message: "The project is completed." } } }),
  );
  page.removeAllListeners("console");
  await card(page, "TASK-002").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByRole("alert").getByText("The project is completed.").waitFor();
  await has(page, "Pending", "TASK-002");
});

test("tasks are added and filtered, and files that cannot be read are named", async () => {
  await boardOf("shelf", [
    { title: "Dust <img src=x onerror=alert(1)>", labels: ["clean"] },
    { title: "Sort", priority: "urgent" },
  ]);
  writeFileSync(join(hall().workspace, "projects/shelf/TASKS/todo/TASK-009.md"), "---\nid: [\n---\n");
  const page = await visit(browser(), hall(), "/projects/shelf/board");
  await page.getByText("1 task file can't be read").click();
  await page.getByText("projects/shelf/TASKS/todo/TASK-009.md").first().waitFor();
  await page.getByRole("textbox", { name: "Add a task" }).fill("Buy soap");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Buy soap" }).waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("c");
  await page.getByLabel("Title").fill("Wax the floor");
  await page.getByLabel("Acceptance criteria").fill("It shines\n- Nobody slips");
  await page.getByRole("button", { name: "Add task" }).click();
  await page.getByRole("link", { name: "Wax the floor" }).waitFor();
  await page.getByLabel("Filter by priority").selectOption("urgent");
  await page.getByRole("link", { name: "Wax the floor" }).waitFor({ state: "detached" });
  expect(new URL(page.url()).searchParams.get("priority")).toBe("urgent");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Filter by text").fill("dust");
  await page.getByText("1 of 4").waitFor();
  await page.goto(`${hall().url}/settings`);
  await page.getByRole("region", { name: "Problems" }).getByText("projects/shelf/TASKS/todo/TASK-009.md").waitFor();
});

test("what a person types into a task is not overwritten, and a conflict lets them choose", async () => {
  await boardOf("notes", [{ title: "Write it down", description: "First words", acceptanceCriteria: ["It is short"] }]);
  const path = "/api/projects/notes/tasks/TASK-001";
  const page = await visit(browser(), hall(), "/projects/notes/board?task=TASK-001");
  const drawer = page.getByRole("dialog", { name: "TASK-001" });
  await drawer.getByText("First words").waitFor();
  await page.keyboard.press("e");
  const field = drawer.getByRole("textbox", { name: "Description" });
  await field.fill("My words");
  await hall().call("PUT", path, { acceptanceCriteria: ["It is short", "It rhymes"], priority: "urgent" });
  await drawer.getByText("It rhymes").waitFor();
  await expect.poll(() => field.inputValue()).toBe("My words");
  await drawer.getByRole("checkbox", { name: "It is short" }).check();
  // A change that comes first would have the page save once more, over a response that the browser reports.
  await expect.poll(async () => (await hall().call("GET", path)).body.task.acceptanceCriteria[0]?.done).toBe(true);
  await hall().call("PUT", path, { description: "Their words" });
  await drawer.getByText("The description changed while you were editing.").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await card(page, "TASK-001").click();
  await expect.poll(() => field.inputValue()).toBe("My words");
  await drawer.getByRole("button", { name: "Keep mine" }).click();
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByText("My words").and(drawer.locator("p")).waitFor();
  const { task } = (await hall().call("GET", path)).body;
  expect(task).toMatchObject({ description: "My words", priority: "urgent" });
  expect(task.acceptanceCriteria).toEqual([
    { text: "It is short", done: true },
    { text: "It rhymes", done: false },
  ]);
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("s");
  const spawning = page.getByRole("dialog", { name: "Start an agent on TASK-001" });
  await spawning.waitFor();
  await spawning.getByRole("heading", { level: 2 }).focus();
  // What lies below a dialog does not hear its keys.
  for (const key of ["c", "e", "g", "n"]) await page.keyboard.press(key);
  await expect.poll(() => page.getByRole("dialog").count()).toBe(2);
  await page.keyboard.press("Escape");
  await spawning.waitFor({ state: "detached" });
  await drawer.waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  expect(await focused(page)).toBe("TASK-001");
});

test("a role that is being written is not overwritten, and one that nobody writes into stays as it is", async () => {
  await hall().call("POST", "/api/roles", { template: "coder", id: "scribe", name: "Scribe" });
  const page = await visit(browser(), hall(), "/roles/scribe");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.waitFor();
  await hall().call("PUT", "/api/roles/scribe", { name: "Their scribe" });
  await page.getByRole("heading", { level: 1, name: "Their scribe" }).waitFor();
  await expect.poll(() => name.inputValue()).toBe("Their scribe");
  await name.fill("My scribe");
  await hall().call("PUT", "/api/roles/scribe", { description: "Writes." });
  await page.getByText("This role changed while you were editing.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "My scribe" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete My scribe?" }).getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/roles");
});

test("an agent is started after its preview was seen, and refusals say what to do", async () => {
  await hall().call("POST", "/api/roles", { template: "coder", id: "spawn-coder" });
  await boardOf("spawned", [{ title: "Fix the roof", description: "It drips.", assignedRoleId: "spawn-coder" }]);
  await hall().call("POST", "/api/projects/spawned/move", { status: "suspended" });
  const page = await visit(browser(), hall(), "/projects/spawned/board");
  await card(page, "TASK-001").focus();
  page.removeAllListeners("console");
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Start an agent on TASK-001" });
  await dialog.getByRole("alert").getByText("Project 'spawned' is suspended").waitFor();
  const start = dialog.getByRole("button", { name: "Start", exact: true });
  await expect.poll(() => start.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Resume project" }).click();
  await dialog.getByText("offline/rehearsal").waitFor();
  await dialog.getByRole("button", { name: "Add to team" }).click();
  await dialog.getByRole("button", { name: "Add to team" }).waitFor({ state: "detached" });
  await dialog.getByText("Role prompt").click();
  await dialog.getByText("It drips.").last().waitFor();
  await dialog.getByLabel("Thinking").selectOption("low");
  await dialog.getByText("set by this request").waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/run-/);
  await page.goto(`${hall().url}/projects/spawned/board?task=TASK-001`);
  await page.getByRole("list", { name: "Runs of this task" }).getByRole("link", { name: "Fix the roof" }).waitFor();
});

test("a phone shows one column at a time, without scrolling sideways", async () => {
  await boardOf("small", [{ title: "Fold" }, { title: "Store", status: "review" }]);
  const page = await visit(browser(), hall(), "/projects/small/board", { width: 390, height: 844, theme: "dark" });
  await has(page, "Pending", "TASK-001");
  await page.getByRole("button", { name: /^In review/ }).click();
  await has(page, "In review", "TASK-002");
  await expect.poll(() => card(page, "TASK-001").count()).toBe(0);
  await page.getByRole("button", { name: "Actions for TASK-002" }).click();
  await page.getByRole("menuitem", { name: "Done" }).click();
  await card(page, "TASK-002").waitFor({ state: "detached" });
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390);
});
