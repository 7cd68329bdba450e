import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { barriers, go, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { PHONE } from "../harness/looks.ts";
import { furnish, PROJECT } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { wanted } from "../harness/workspace.ts";

const browser = sharedBrowser();
const later = afterAllTests();
let hall: Hall;

beforeAll(async () => {
  hall = await furnish(await startHall(undefined, { later }), { looks: "turns:\n  - text: Two tasks are stuck.\n" });
  const role = { id: "looker", name: "Looker", skills: ["read"], modelConfig: { model: "offline/looks" } };
  await wanted(201, hall.call("POST", "/api/roles", role));
});

const trigger = async (name: string) => (await wanted(200, hall.call("GET", `/api/triggers/${name}`))).trigger;
const field = (page: Page, name: string) => page.getByRole("dialog").getByLabel(name, { exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("a trigger is added, tested, run, paused, changed and removed in the settings of its project", async () => {
  const page = await visit(browser(), hall, `/projects/${PROJECT}/settings/triggers`, {
    expects: /status of 422/,
  });
  await page.getByText("No triggers.").waitFor();
  await press(page, "Add trigger");
  await field(page, "Name").fill("morning");
  await field(page, "Cron").fill("61 7 * * *");
  await field(page, "Time zone").fill("Europe/Berlin");
  await field(page, "Action").selectOption("spawn");
  await field(page, "Role").selectOption("looker");
  await field(page, "Task title").fill("Look at the <b>board</b> 🚪");
  await field(page, "Instructions").fill("Tell me what is stuck.");
  const add = page.getByRole("dialog").getByRole("button", { name: "Add trigger" });
  await add.click();
  await page.getByRole("alert").getByText("on.cron").waitFor();
  expect(await barriers(page)).toEqual([]);
  await field(page, "Cron").fill("30 7 * * *");
  await add.click();
  await page.getByText("Created morning.").waitFor();
  await page.getByText("cron 30 7 * * * (Europe/Berlin) → run of looker: Look at the <b>board</b> 🚪").waitFor();
  await press(page, "Test morning");
  await page.getByRole("dialog").getByText("Tell me what is stuck.").waitFor();
  await page.getByText("Nothing was started.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await press(page, "Run morning");
  await page.getByText("Fired morning.").waitFor();
  await press(page, "History of morning");
  const firings = page.getByRole("list", { name: "Firings of morning" });
  await firings.getByText("Two tasks are stuck.").waitFor();
  expect(await firings.getByRole("link", { name: "Run" }).getAttribute("href")).toMatch(/^\/runs\/run-/);
  await press(page, "Pause morning");
  await page.getByText("It is paused.").waitFor();
  await press(page, "More actions for morning");
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  await field(page, "When").selectOption("interval");
  await field(page, "Interval").fill("6h");
  await press(page, "Save");
  await page.getByText("every 6h → run of looker").waitFor();
  expect(await trigger("morning")).toMatchObject({
    on: { interval: "6h" },
    words: "Tell me what is stuck.",
    enabled: false,
  });
  await press(page, "Resume morning");
  await eventually(
    () => trigger("morning"),
    ({ state }) => state === "active",
  );
  await press(page, "More actions for morning");
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await press(page, "Remove trigger");
  await page.getByText("No triggers.").waitFor();
});

test("all triggers are in the settings, by project, also those that are broken, and on a phone", async () => {
  const create = (body: object) => wanted(201, hall.call("POST", "/api/triggers", body));
  await create({ name: "weekly", on: { cron: "0 9 * * 1" }, do: { message: "Look at the boards of all projects." } });
  const webhook = { secretEnv: "UNSET_SECRET", form: "github", events: ["issues"] };
  await create({
    name: "issues",
    projectId: PROJECT,
    on: { webhook },
    do: { spawn: { roleId: "looker", title: "Issue" } },
  });
  const page = await visit(browser(), hall, "/settings/triggers");
  await page.getByRole("region", { name: "All projects" }).getByText("weekly").waitFor();
  const own = page.getByRole("region", { name: `Triggers of ${PROJECT}` });
  await own.getByText("POST /hooks/issues").waitFor();
  await own.getByText("UNSET_SECRET is not set: every delivery is refused.").waitFor();
  expect(await barriers(page)).toEqual([]);
  if (process.env.GUILDHALL_SHOTS) await page.screenshot({ path: "/tmp/triggers-1440.png" });
  await page.setViewportSize(PHONE);
  await go(page, "/settings/triggers");
  await own.getByText("POST /hooks/issues").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  if (process.env.GUILDHALL_SHOTS) await page.screenshot({ path: "/tmp/triggers-390.png", fullPage: true });
  await press(page, "Add trigger");
  if (process.env.GUILDHALL_SHOTS) await page.screenshot({ path: "/tmp/triggers-add-390.png" });
});
