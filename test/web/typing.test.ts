import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { seesEveryLook } from "../harness/looks.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const browser = sharedBrowser();
const hall = sharedHall();
const BOARD = "/projects/shop/board";

beforeAll(async () => {
  for (const id of ["depot", "shop"]) await hall().call("POST", "/api/projects", { id, name: id });
  await hall().call("POST", "/api/projects/shop/tasks", { title: "Count the stock" });
});

/** Holds back code of the page until it is released, as a slow machine does. */
async function holdBack(page: Page, code: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(code, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Its very first script has run. */
async function listens(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate("window.takeFirstKeys !== undefined")).toBe(true);
}

/** A page on which nothing was opened yet, with a part of its code held back. */
async function coldBoard(page: Page, code: RegExp): Promise<() => void> {
  const release = await holdBack(page, code);
  await page.goto(hall().url + BOARD, { waitUntil: "commit" });
  await listens(page);
  return release;
}

const field = (page: Page) => page.getByRole("combobox", { name: "Search or jump" });
const dialogs = (page: Page) => page.locator("dialog[open]").count();
const titleField = (page: Page, name = "Title") => page.getByRole("dialog").getByLabel(name, { exact: true });

test("Ctrl-K keeps every letter while the list of choices is loading, and no letter is a shortcut", async () => {
  const page = await visit(browser(), hall());
  const release = await coldBoard(page, /\/assets\/palette-/);
  await page.getByText("Count the stock").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("secrets");
  expect(await field(page).inputValue()).toBe("secrets");
  expect(await dialogs(page)).toBe(1);
  // Closed before its choices came, it leaves the keys to the page.
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.getByRole("heading", { name: "Roles", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("secrets");
  release();
  await page.getByRole("option", { name: "Search everything for “secrets”" }).waitFor();
});

test("keys pressed before any of the dashboard's code is there go to the field that they open", async () => {
  const page = await visit(browser(), hall());
  const release = await coldBoard(page, /\/assets\/.*\.js/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("sett");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("tings");
  await page.keyboard.press("Enter");
  release();
  await page.waitForURL("**/settings");
  expect(await dialogs(page)).toBe(0);
});

test.each([
  { opener: "c", code: /\/assets\/new-task-/, label: "Title" },
  { opener: "s", code: /\/assets\/start-agent-/, label: "Task" },
  { opener: "c", code: /\/assets\/.*\.js/, label: "Title" },
  { opener: "s", code: /\/assets\/.*\.js/, label: "Task" },
])("what is typed after $opener is the title, while $code is held back", async ({ opener, code, label }) => {
  const page = await visit(browser(), hall());
  const release = await coldBoard(page, code);
  if (!code.test("/assets/board-page.js")) await page.getByText("Count the stock").first().waitFor();
  await page.keyboard.press(opener);
  await page.keyboard.type("Sell sockets, trucks & c");
  release();
  await expect.poll(() => titleField(page, label).inputValue()).toBe("Sell sockets, trucks & c");
  await page.keyboard.type("arts");
  expect(await titleField(page, label).inputValue()).toBe("Sell sockets, trucks & carts");
  expect(await dialogs(page)).toBe(1);
});

test("/ opens the search with what is typed after it, and Esc drops what was typed for a dialog that is not there yet", async () => {
  const page = await visit(browser(), hall());
  const search = await coldBoard(page, /\/assets\/search-page-/);
  await page.getByText("Count the stock").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("stock check");
  search();
  await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("stock check");

  const dialog = await coldBoard(page, /\/assets\/new-task-/);
  await page.getByText("Count the stock").first().waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("never mind");
  await page.keyboard.press("Escape");
  dialog();
  await page.keyboard.press("c");
  await titleField(page).waitFor();
  expect(await titleField(page).inputValue()).toBe("");
});

test("a person who types at 60 to 150 ms a key on a slow machine loses nothing on the first opening", async () => {
  const page = await visit(browser(), hall());
  const slowly = await page.context().newCDPSession(page);
  await slowly.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  for (const delay of seesEveryLook ? [60, 150] : [60]) {
    await page.goto(hall().url + BOARD, { waitUntil: "commit" });
    await listens(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("secrets", { delay });
    await expect.poll(() => field(page).inputValue()).toBe("secrets");
    expect(await dialogs(page)).toBe(1);
  }
  await page.reload();
  await page.getByText("Count the stock").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("secrets", { delay: 60 });
  expect(await field(page).inputValue()).toBe("secrets");
  expect(await dialogs(page)).toBe(1);
});

test("c, a title and Enter make a task from any page, in the project used last; an arrow key chooses another", async () => {
  const page = await visit(browser(), hall(), BOARD);
  await page.getByText("Count the stock").first().waitFor();
  await page.goto(`${hall().url}/costs`);
  await page.getByRole("heading", { name: "Costs", level: 1 }).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("Buy shelves");
  await page.keyboard.press("Enter");
  await page.getByText("TASK-002 added.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/costs");
  await page.keyboard.press("c");
  await page.keyboard.type("Sweep the floor");
  await page.getByRole("dialog").getByRole("option", { name: "depot" }).waitFor({ state: "attached" });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("TASK-001 added.").waitFor();
  const titlesOf = async (id: string) =>
    (await hall().call("GET", `/api/projects/${id}/tasks`)).body.tasks.map(({ title }: { title: string }) => title);
  expect(await titlesOf("depot")).toEqual(["Sweep the floor"]);
  expect(await titlesOf("shop")).toContain("Buy shelves");
});
