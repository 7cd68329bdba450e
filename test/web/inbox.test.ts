import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { furnishedHall } from "../harness/furnished-hall.ts";
import { PROJECT } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();

const entries = (page: Page) => page.getByRole("list", { name: "Entries" });
const entry = (page: Page, text: string) => entries(page).getByRole("link").filter({ hasText: text });

test("results, failures and unreadable files are decided in the inbox, and Now leads there", async () => {
  const { hall, review, failed } = await furnishedHall(await startHall());
  const page = await visit(browser(), hall, "/");
  await expect.poll(() => page.title()).toBe("(2) Now · Guildhall");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await entry(page, "Mend the till").waitFor();
  await page.getByRole("link", { name: "Inbox 1 needs you, 1 in review" }).waitFor();

  await entry(page, "Ask the oracle").click();
  await page.getByRole("article").getByText("The playbook makes this attempt fail").waitFor();
  await entry(page, "Mend the till").click();
  await page.getByRole("link", { name: "2 changed files" }).waitFor();
  await page.getByText("+2 −1").waitFor();
  expect(await barriers(page)).toEqual([]);

  await page.keyboard.press("2");
  await page.getByText("Describe the changes for the next run.").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  await page.getByRole("dialog", { name: "Approve?" }).waitFor();
  await page.keyboard.press("Enter");
  await entry(page, "Mend the till").waitFor({ state: "detached" });
  const run = await eventually(
    async () => (await hall.call("GET", `/api/runs/${review}`)).body.run,
    ({ delivery }) => delivery?.state === "delivered",
  );
  expect(run.delivery?.state).toBe("delivered");

  await page.getByRole("article").getByText("The playbook makes this attempt fail").waitFor();
  await page.keyboard.press("1");
  await page.getByText("You're all caught up.").waitFor();
  const { body } = await hall.call("GET", `/api/runs?project=${PROJECT}&task=TASK-004`);
  expect(body.runs.map(({ id }) => id)).toContain(failed);
  expect(body.runs).toHaveLength(2);
});
