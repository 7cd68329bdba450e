import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, type Hall, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { writePlaybook } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const hall = sharedHall();
const NASTY = "<img src=x onerror=alert(1)>";

async function project(at: Hall, name: string, tasks: string[] = []): Promise<string> {
  const { body } = await at.call("POST", "/api/projects", { name });
  for (const title of tasks)
    await at.call("POST", `/api/projects/${body.project.id}/tasks`, { title, description: `About it: ${title}` });
  return body.project.id;
}

const chat = (page: Page) => page.getByRole("complementary", { name: "Talk to the main agent" });
const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

test("the chat is opened by a key, answers beside every page, and keeps what was written", async () => {
  const page = await visit(browser(), hall());
  await project(hall(), `Tea ${NASTY}`);
  await page.keyboard.press("t");
  const field = chat(page).getByRole("textbox");
  await field.waitFor();
  expect(await barriers(page)).toEqual([]);
  await chat(page)
    .getByRole("button", { name: /Get a status/ })
    .click();
  await expect.poll(() => field.inputValue()).toContain("what needs me");
  await field.press("Shift+Enter");
  await field.press("Enter");
  await chat(page).getByText("I'm Guildhall's offline model", { exact: false }).waitFor();
  await chat(page).getByText(`Tea ${NASTY}`, { exact: false }).first().waitFor();
  await field.fill("half a thought");
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("half a thought");
  await field.press("Escape");
  await chat(page).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("t");
  await expect.poll(() => field.inputValue()).toBe("half a thought");
  expect(await page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
});

test("an answer is shown as it is written, and can be stopped", async () => {
  const playbooks = join(hall().workspace, "playbooks");
  mkdirSync(playbooks, { recursive: true });
  const words = Array.from({ length: 200 }, (_, at) => `number${at + 1}`).join(" ");
  writeFileSync(join(playbooks, "count.yml"), `when: Count slowly\nturns:\n  - delayMs: 6000\n    text: "${words}"\n`);
  const id = await project(hall(), "Counting house");
  const page = await visit(browser(), hall(), `/projects/${id}/talk`);
  await page.getByRole("textbox", { name: "Message Counting house's agent" }).fill("Count slowly");
  await page.keyboard.press("Enter");
  await seen(page, "thinking…");
  await seen(page, /number1 number2/);
  await seen(page, "writing…");
  await page.getByRole("button", { name: "Stop answering" }).click();
  await seen(page, /Stopped\. Completed steps were kept\./);
});

test("what is said while the daemon is away is not lost, and is said once", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const first = await spawnHall(workspace);
  const page = await visit(browser(), first);
  await page.keyboard.press("t");
  const field = chat(page).getByRole("textbox");
  await field.fill("/help");
  await first.stop();
  await field.press("Enter");
  await chat(page).getByText("Not delivered.", { exact: false }).waitFor();
  await spawnHall(workspace, ["--port", new URL(first.url).port]);
  await page.getByText("Disconnected.").waitFor({ state: "detached" });
  await chat(page).getByRole("button", { name: "Try again" }).click();
  await chat(page).getByText("These commands need no model", { exact: false }).waitFor();
  await expect.poll(() => chat(page).getByText("/help", { exact: true }).count()).toBe(1);
});

test("a project is spoken with in its own tab, which leads to its tasks and shows its session", async () => {
  const id = await project(hall(), "Talkative shop", ["Mend the till"]);
  const page = await visit(browser(), hall(), `/projects/${id}/talk`);
  const field = page.getByRole("textbox", { name: "Message Talkative shop's agent" });
  await field.fill("How does it stand?");
  await field.press("Enter");
  const link = page.getByRole("link", { name: "TASK-001" });
  await link.waitFor();
  await expect.poll(() => link.getAttribute("href")).toBe(`/projects/${id}/board?task=TASK-001`);
  await page.getByRole("link", { name: "Agent log" }).click();
  await page.getByText("You", { exact: true }).waitFor();
  await page.getByText("Reading the board").click();
  await page.getByText("Mend the till").first().waitFor();
  expect(await barriers(page)).toEqual([]);
  await hall().call("POST", `/api/projects/${id}/move`, { status: "suspended" });
  await page.getByRole("link", { name: "Messages" }).click();
  await page.getByRole("button", { name: "Resume project" }).click();
  await field.waitFor();
});

test("the palette finds pages, projects, texts and actions by a few letters, and asks before it stops everything", async () => {
  const id = await project(hall(), "Palette works", ["Polish the brass lantern"]);
  const page = await visit(browser(), hall(), "/", { theme: "dark" });
  const combobox = page.getByRole("combobox", { name: "Search or jump" });
  const type = async (text: string) => {
    await page.keyboard.press("Control+k");
    await combobox.fill(text);
  };
  await type("palwor");
  await page.getByRole("option", { name: /Palette works/, selected: true }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/projects/${id}/board`);
  await type("lantern");
  await page.getByRole("option", { name: /Polish the brass lantern/ }).click();
  await page.waitForURL("**/board?task=TASK-001");
  await page.keyboard.press("Escape");
  await page.goto(`${hall().url}/costs`);
  await page.getByRole("heading", { level: 1, name: "Costs" }).waitFor();
  await type("stop every");
  await page.keyboard.press("Enter");
  await page.getByText("Stops all runs and answers", { exact: false }).waitFor();
  await page.keyboard.press("Enter");
  await seen(page, "Nothing was running.");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  expect(await barriers(page)).toEqual([]);
});

test("search marks what it finds as one types, leads there by the keyboard, and shows names as they are", async () => {
  const id = await project(hall(), "Searchable", ["Wind the grandfather clock", `Clockwork ${NASTY}`]);
  const page = await visit(browser(), hall());
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Search everything" });
  await field.waitFor();
  await page.keyboard.type("clock");
  await page.waitForURL("**/search?q=clock");
  await page.getByRole("heading", { level: 2, name: "Tasks" }).waitFor();
  await expect.poll(() => page.locator("mark").allTextContents()).toEqual(expect.arrayContaining(["clock", "Clock"]));
  await page.getByRole("link", { name: `Clockwork ${NASTY}` }).waitFor();
  await page.keyboard.type("work");
  await page.getByRole("status").getByText("1 result").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/projects/${id}/board?task=TASK-002`);
  await page.goto(`${hall().url}/search?q=nowhere&kind=role`);
  await seen(page, /No results for/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL("**/search?q=nowhere");
});

test("what was said in a run is found under its task, with who said it, and leads to the turn", async () => {
  const projectId = await project(hall(), "Tower");
  writePlaybook(hall().workspace, "tower", "turns:\n  - text: The pendulum swings.\n");
  await hall().call("POST", "/api/roles", { id: "clockmaker", name: "Clockmaker" });
  const order = { projectId, roleId: "clockmaker", task: { title: "Climb up" }, overrides: { model: "offline/tower" } };
  await hall().call("POST", "/api/team/spawn", { ...order, options: { waitForCompletion: true } });
  await eventually(
    async () => (await hall().call("GET", "/api/search?q=pendulum&kind=run")).body.hits[0]?.entry,
    (entry) => entry !== undefined,
  );
  const page = await visit(browser(), hall(), "/search?q=pendulum");
  const runs = page.getByRole("list", { name: "In runs of Climb up" });
  await runs.getByText("Clockmaker", { exact: true }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await runs.getByRole("link", { name: "Run" }).click();
  await page.waitForURL(/\/runs\/run-\w+\?view=transcript&at=e\d+$/);
  await page.getByRole("list", { name: "Transcript" }).getByText("The pendulum swings.").first().waitFor();
});

test("the activity tells in sentences what happens, live, and leaves in peace who reads further down", async () => {
  const id = await project(
    hall(),
    "Busy",
    Array.from({ length: 130 }, (_, at) => `Task of the day ${at}`),
  );
  const page = await visit(browser(), hall(), `/activity?project=${id}`, { theme: "dark" });
  const row = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  await row("You created the task TASK-130 “Task of the day 129”").waitFor();
  const move = (task: string) =>
    hall().call("POST", `/api/projects/${id}/tasks/${task}/move`, { status: "in-progress" });
  await move("TASK-001");
  await row("You moved the task TASK-001 from pending to in-progress").waitFor();
  await page
    .getByRole("button", { name: /Details of event/ })
    .first()
    .click();
  await page.getByText("task.moved", { exact: false }).waitFor();
  await page.mouse.wheel(0, 2_000);
  await eventually(
    () => page.evaluate<number>("scrollY"),
    (y) => y > 1000,
  );
  await move("TASK-002");
  await page.getByRole("button", { name: "1 new" }).click();
  await row("You moved the task TASK-002").waitFor();
  await eventually(async () => {
    await page.mouse.wheel(0, 20_000);
    return page.getByText("Beginning of log").isVisible();
  }, Boolean);
  await row("You created the project busy").waitFor();
  await page.getByRole("button", { name: "Verify log" }).click();
  await page.getByRole("dialog", { name: "Log verified" }).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("combobox", { name: "Actor" }).selectOption("daemon");
  await seen(page, "No activity matches these filters.");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL("**/activity");
  await row("You moved the task TASK-002").waitFor();
});

test("on a phone the chat takes the whole screen, and no page is wider than it", async () => {
  const id = await project(hall(), "Pocket", ["A task with a rather long name that goes on and on and on"]);
  const page = await visit(browser(), hall(), "/", { width: 390, height: 844 });
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Talk" }).click();
  const dialog = page.getByRole("dialog", { name: "Talk to the main agent" });
  await dialog.getByRole("textbox").waitFor();
  expect(await dialog.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  for (const path of ["/search?q=task", "/activity", `/projects/${id}/talk`, `/projects/${id}/talk?view=session`]) {
    await page.goto(hall().url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(390);
  }
});
