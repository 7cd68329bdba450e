import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const browser = sharedBrowser();
const hall = sharedHall();
const SHOP = "/projects/shop";

beforeAll(async () => {
  await hall().call("POST", "/api/projects", { id: "shop", name: "Shop" });
  await hall().call("PUT", "/api/projects/shop/memory/file", { path: "facts/a.md", content: "# A\n\n> Summary: a\n" });
});

const tabs = (page: Page) => page.getByRole("navigation", { name: "Project", exact: true });
const place = (page: Page) => page.url().slice(hall().url.length);

test("a project has six tabs, opened with the keys 1 to 6, and the palette leads into them", async () => {
  const page = await visit(browser(), hall(), SHOP);
  await tabs(page).waitFor();
  expect(await tabs(page).getByRole("link").allInnerTexts()).toEqual([
    ...["Overview", "Board", "Work", "Talk", "Library", "Settings"],
  ]);
  const places = ["", "/board", "/work", "/talk", "/library/memory", "/settings"];
  for (const [at, path] of places.entries()) {
    await page.keyboard.press(String(at + 1));
    await page.waitForURL(`**${SHOP}${path}`);
    await expect.poll(() => tabs(page).locator("[aria-current=page]").count()).toBe(1);
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("artifacts");
  await page.getByRole("option", { name: "Artifacts" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${SHOP}/library/artifacts`);
});

test("addresses of before lead to where things are now, with what they say after the question mark", async () => {
  const page = await visit(browser(), hall());
  const moved: Record<string, string> = {
    "/runs": "/work",
    "/team": "/settings/roles",
    "/memory?view=facts%2Fa.md": "/library/memory?view=facts%2Fa.md",
    "/knowledge": "/library/knowledge",
    "/skills": "/library/skills",
    "/artifacts": "/library/artifacts",
    "/context": "/library/context",
    "/library": "/library/memory",
  };
  for (const [before, now] of Object.entries(moved)) {
    await page.goto(`${hall().url}${SHOP}${before}`);
    await expect.poll(() => place(page)).toBe(`${SHOP}${now}`);
  }
});

test("on a phone every entry of both bars has a label, and More has the other pages", async () => {
  const page = await visit(browser(), hall(), SHOP, { width: 360, height: 740 });
  const bar = page.getByRole("navigation", { name: "Main" });
  await bar.waitFor();
  expect((await bar.locator("a, button").allInnerTexts()).map((text) => text.trim())).toEqual([
    ...["Now", "Inbox", "Projects", "Runs", "Talk", "More"],
  ]);
  expect((await page.getByRole("banner").locator("a, button").allInnerTexts()).map((text) => text.trim())).toEqual([
    ...["Guildhall", "Search"],
  ]);
  await bar.getByRole("button", { name: "More" }).click();
  const more = page.getByRole("dialog", { name: "More" });
  await more.waitFor();
  expect(await more.getByRole("link").allInnerTexts()).toEqual([
    "Teams",
    "Roles",
    "Knowledge",
    "Costs",
    "Activity",
    "Settings",
  ]);
  await more.getByRole("link", { name: "Costs" }).click();
  await page.getByRole("heading", { name: "Costs", level: 1 }).waitFor();
  expect(await more.count()).toBe(0);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("option", { name: "New task" }).waitFor();
  expect(await page.getByRole("option", { name: "Keyboard shortcuts" }).count()).toBe(0);
});
