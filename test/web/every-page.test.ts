import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, go, sharedBrowser, visit } from "../harness/browser.ts";
import { startHall } from "../harness/daemon.ts";
import { type FurnishedHall, furnishedHall } from "../harness/furnished-hall.ts";
import { PROJECT } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();

/** Every address of the dashboard, with something that stands there when it is all there. */
function everyPage({ review, failed, running }: FurnishedHall): [path: string, shown: string][] {
  const at = `/projects/${PROJECT}`;
  return [
    ["/", "Mend the till"],
    ["/projects", "Shop"],
    [at, "Sell more"],
    [`${at}/board`, "Count the stock"],
    [`${at}/board?task=TASK-002`, "Sell the rest"],
    [`${at}/board?view=list`, "Count the stock"],
    [`${at}/work`, "Ask the oracle"],
    [`${at}/talk`, "Agent log"],
    [`${at}/talk?view=session`, "Everything the project's agent received"],
    [`${at}/library/memory`, "when it is open"],
    [`${at}/library/knowledge`, "The shop is closed on Mondays."],
    [`${at}/library/skills`, "skill"],
    [`${at}/library/artifacts`, "report.md"],
    [`${at}/library/context`, "rules.md"],
    [`${at}/settings`, "Description"],
    [`${at}/settings/roles`, "Worker"],
    ["/runs", "Think for long"],
    [`/runs/${review}`, "Mend the till"],
    [`/runs/${review}?view=changes`, "n.txt"],
    [`/runs/${review}?view=timeline`, "Mend the till"],
    [`/runs/${review}?view=prompt`, "Mend the till"],
    [`/runs/${review}?view=cost`, "Mend the till"],
    [`/runs/${failed}`, "refused"],
    [`/runs/${running}`, "Think for long"],
    ["/roles", "Worker"],
    ["/roles/worker", "What an agent of this role is told"],
    ["/knowledge", "Nothing is known yet."],
    ["/costs", "Per day"],
    ["/activity", "Today"],
    ["/search?q=stock", "Count the stock"],
    ["/settings", "Doctor"],
    ["/nowhere", "There is nothing at this address."],
  ];
}

/** What is wrong with a page, for those who cannot see it well, use no mouse, or have a phone. */
async function complaintsAbout(page: Page, path: string): Promise<string[]> {
  const found = await barriers(page);
  await page.evaluate("document.documentElement.dataset.theme = 'dark'");
  found.push(...(await barriers(page, ["color-contrast"])).map((barrier) => `dark: ${barrier}`));
  await page.setViewportSize({ width: 390, height: 844 });
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  if (width > 390) found.push(`it is ${width} wide on a phone of 390`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
  return found.map((complaint) => `${path} ${complaint}`);
}

test("shows every page to everybody: without barriers, in both themes, and on a phone", async () => {
  const furnished = await furnishedHall(await startHall());
  const page = await visit(browser(), furnished.hall);
  const complaints: string[] = [];
  for (const [path, shown] of everyPage(furnished)) {
    await go(page, path);
    await page.getByText(shown).locator("visible=true").first().waitFor();
    complaints.push(...(await complaintsAbout(page, path)));
  }
  expect(complaints).toEqual([]);
}, 300_000);

test("begins with a welcome where there is no project, and shows empty pages as empty", async () => {
  const hall = await startHall();
  const page = await visit(browser(), hall);
  await page
    .getByText(/offline/i)
    .first()
    .waitFor();
  const complaints = await complaintsAbout(page, "welcome");
  for (const path of ["/projects", "/runs", "/roles", "/costs"]) {
    await go(page, path);
    await page
      .getByRole("main")
      .getByText(/no |nobody|nothing/i)
      .first()
      .waitFor();
    complaints.push(...(await complaintsAbout(page, `empty ${path}`)));
  }
  expect(complaints).toEqual([]);
});
