import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { repository } from "../harness/repository.ts";

const browser = sharedBrowser();
const main = (page: Page) => page.getByRole("main");
const button = (page: Page, name: string) => main(page).getByRole("button", { name, exact: true });

test("projects from before are offered review on Now, all at once", async () => {
  const first = await startHall();
  const { root } = repository({ "a.txt": "a\n" });
  for (const name of ["Mill", "Bakery 🥖"]) await first.call("POST", "/api/projects", { name, workdir: root });
  await first.stop();
  for (const id of ["mill", "bakery"]) {
    const path = join(first.workspace, `projects/${id}/PROJECT.json`);
    const project = JSON.parse(readFileSync(path, "utf8"));
    delete project.config.constraints.requireReview;
    writeFileSync(path, JSON.stringify(project));
  }
  rmSync(join(first.workspace, "state/review-default.json"));
  const hall = await startHall(first.workspace);
  const page = await visit(browser(), hall);
  await main(page).getByText("Review before merge is off in 2 projects").waitFor();
  expect(await barriers(page)).toEqual([]);
  await button(page, "Turn on").click();
  await page.getByText("Review turned on in 2 projects.").waitFor();
  await main(page).getByText("Review before merge is off in 2 projects").waitFor({ state: "detached" });
  expect((await hall.call("GET", "/api/projects/mill")).body.project.requiresReview).toBe(true);
});

test("a paired device shows in Settings and is signed out there", async () => {
  const config = { server: { publicUrl: "https://hall.example.org" } };
  const hall = await startHall(undefined, { config });
  const { body } = await hall.call("POST", "/api/browser/pair", { name: "My phone 📱" });
  const entered = await fetch(`${hall.url}/api/browser/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: body.url.slice(-32) }),
  });
  expect(entered.status).toBe(201);
  const page = await visit(browser(), hall, "/settings");
  await main(page).getByText("My phone 📱").waitFor();
  expect(await barriers(page)).toEqual([]);
  await button(page, "Sign out My phone 📱").click();
  await main(page).getByText("No paired devices.").waitFor();
  expect((await hall.call("GET", "/api/browser/devices")).body.devices).toEqual([]);
});

test("what newly needs the person is said as a notification while the page is in the background", async () => {
  const hall = await startHall();
  await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  const page = await visit(browser(), hall, "/");
  await page.context().addInitScript(allowNotifications);
  await page.goto(`${hall.url}/settings`);
  await button(page, "Turn on notifications").click();
  await button(page, "Turn off notifications").waitFor();
  breakTask(hall);
  const shown = () => page.evaluate(() => (globalThis as { shown?: object[] }).shown);
  await expect
    .poll(shown)
    .toEqual([
      { title: expect.stringMatching(/^Needs you: .*TASK-001\.md/), tag: expect.any(String), path: "/projects/shop" },
    ]);

  const manifest = await (await fetch(`${hall.url}/manifest.webmanifest`)).json();
  for (const { src } of manifest.icons) expect((await fetch(hall.url + src)).status).toBe(200);
});

/** A file that cannot be read needs the person. */
function breakTask({ workspace }: Hall): void {
  writeFileSync(join(workspace, "projects/shop/TASKS/todo/TASK-001.md"), "---\nid: [\n---\n");
}

/** A browser without a screen refuses them all: this one allows them, nobody looks at it, and what it would show is kept. */
function allowNotifications(): void {
  const shown: object[] = [];
  Object.assign(globalThis, { shown });
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  ServiceWorkerRegistration.prototype.showNotification = async (title, { tag, data } = {}) => {
    shown.push({ title, tag, path: data.path });
  };
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  document.hasFocus = () => false;
}
