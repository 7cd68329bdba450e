import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sharedBrowser, signIn, visit } from "../harness/browser.ts";
import { newContext } from "../harness/chromium-browser.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const browser = sharedBrowser();
const hall = sharedHall();

async function made(path: string, body: object): Promise<void> {
  const answer = await hall().call("POST", path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
}

test("a task that is open shows when its file breaks, where, and the task again when it is mended", async () => {
  await made("/api/projects", { id: "mill", name: "Mill" });
  await made("/api/projects/mill/tasks", { title: "Grind the corn" });
  // The browser itself writes to its console that the daemon refused the task.
  const context = await newContext(browser());
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await signIn(page, hall());
  await page.goto(`${hall().url}/projects/mill/board?task=TASK-001`);
  const drawer = page.getByRole("dialog", { name: "TASK-001" });
  await drawer.getByText("Grind the corn").first().waitFor();
  const { path } = (await hall().call("GET", "/api/projects/mill/tasks/TASK-001")).body.task;
  const file = join(hall().workspace, path);
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.replace("---\n", "---\nlabels: [a, b\n"));
  await drawer.getByText("TASK-001 cannot be read").waitFor();
  await drawer.getByText(`${path}:2`).waitFor();
  await expect.poll(() => drawer.getByText("Grind the corn").count()).toBe(0);
  writeFileSync(file, whole);
  await drawer.getByText("Grind the corn").first().waitFor();
});

test("a project's budget is shown before anything is spent, and changed on the spot", async () => {
  await made("/api/projects", { id: "forge", name: "Forge" });
  const page = await visit(browser(), hall(), "/costs?project=forge");
  await page.getByText("Inherited from the workspace").waitFor();
  await page.getByRole("button", { name: "Edit project limits" }).click();
  await page.getByLabel("Daily limit, USD").fill("3");
  await page.getByLabel("Limit per run, USD").fill("none");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("$3.00 left").waitFor();
  await page.getByText("Set for this project").waitFor();
  expect((await hall().call("GET", "/api/projects/forge")).body.project.config.budget).toEqual({
    dayUsd: 3,
    runUsd: "none",
  });
  await page.goto(`${hall().url}/costs`);
  await page.getByText("$3.00 per day, no cost limit per run").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Forge", exact: true }).waitFor();
});

test("a role shows what its agents can do in any case, and where it is when it cannot be deleted", async () => {
  await made("/api/roles", { id: "smith", name: "Smith", skills: ["exec"] });
  await made("/api/projects", { id: "anvil", name: "Anvil" });
  await made("/api/projects/anvil/team", { roleId: "smith" });
  const context = await newContext(browser());
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await signIn(page, hall());
  await page.goto(`${hall().url}/roles/smith`);
  for (const name of ["Read files (with exec)", "Report a result (always)"]) {
    const box = page.getByLabel(name);
    await box.waitFor();
    expect([await box.isChecked(), await box.isDisabled()]).toEqual([true, true]);
  }
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("This role is still on a team.").waitFor();
  await page.getByRole("link", { name: "Anvil" }).waitFor();
  await page.getByRole("link", { name: "Anvil" }).click();
  await page.waitForURL("**/projects/anvil/settings/roles");
});
