import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { launchHall, temporaryFolder } from "../harness/daemon.ts";

const browser = sharedBrowser();

const place = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const keys = (page: Page) => page.getByRole("button", { name: "Keyboard shortcuts" });

test("pages and dialogs whose code is not there wait for the daemon; those that it does not have any more are offered anew", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const first = await launchHall(workspace).ready;
  const outdated = await visit(browser(), first, "/", { loadsAhead: true });
  await outdated.route(/\/assets\/(?:costs-page|keys-help)/, (route) => route.abort("connectionrefused"));
  await outdated.reload();
  await heading(outdated, "Now").waitFor();
  const waiting = await visit(browser(), first);
  // What React and the router tell developers of a failure that is shown.
  outdated.removeAllListeners("console");

  const lost = outdated.getByText("This part of the dashboard couldn't be loaded.");
  await keys(outdated).click();
  await lost.waitFor();
  await outdated.getByRole("button", { name: "Close" }).click();
  await place(outdated, "Costs").click();
  await lost.waitFor();
  await place(outdated, "Roles").click();
  await heading(outdated, "Roles").waitFor();
  await place(outdated, "Costs").click();
  await outdated.unrouteAll();
  const reload = outdated.getByRole("button", { name: "Reload page" });
  await Promise.all([outdated.waitForResponse(/\/assets\/keys-help/), reload.click()]);
  await heading(outdated, "Costs").waitFor();

  await first.kill();
  await waiting.getByText("Disconnected.", { exact: true }).waitFor();
  const away = waiting.getByText("This loads automatically once the daemon is back");
  await place(waiting, "Costs").click();
  await away.waitFor();
  await keys(waiting).click();
  await away.nth(1).waitFor();
  expect(await heading(waiting, "Costs").count()).toBe(0);
  await launchHall(workspace, ["--port", new URL(first.url).port]).ready;
  await waiting.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await waiting.keyboard.press("Escape");
  await heading(waiting, "Costs").waitFor();
});
