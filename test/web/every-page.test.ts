import { expect, test } from "vitest";
import { barriers, go, sharedBrowser, visit } from "../harness/browser.ts";
import { startHall } from "../harness/daemon.ts";
import { type FurnishedHall, furnishedHall } from "../harness/furnished-hall.ts";
import { complaintsAbout, DESK, PHONE } from "../harness/looks.ts";
import { PROJECT } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();

/** Every address of the dashboard, with something that stands there when it is all there. */
function everyPage({ review, failed, running }: FurnishedHall): [path: string, shown: string][] {
  const at = `/projects/${PROJECT}`;
  return [
    ["/", "Mend the till"],
    ["/inbox", "Mend the till"],
    ["/projects", "Shop"],
    [at, "Sell more"],
    [`${at}/initiatives/autumn-sale`, "Briefing for the next lead"],
    [`${at}/board`, "Count the stock"],
    [`${at}/board?task=TASK-002`, "Sell the rest"],
    [`${at}/board?view=list`, "Count the stock"],
    [`${at}/work`, "Ask the oracle"],
    [`${at}/work/teams`, "No teams yet."],
    [`${at}/work/gates`, "No gate reports yet."],
    [`${at}/talk`, "Agent log"],
    [`${at}/talk?view=session`, "Everything the project's agent received"],
    [`${at}/library/memory`, "when it is open"],
    [`${at}/library/knowledge`, "The shop is closed on Mondays."],
    [`${at}/library/skills`, "skill"],
    [`${at}/library/artifacts`, "report.md"],
    [`${at}/library/context`, "rules.md"],
    [`${at}/settings`, "Description"],
    [`${at}/settings/gates`, "Quality gates"],
    [`${at}/settings/roles`, "Worker"],
    [`${at}/settings/triggers`, "No triggers."],
    ["/teams", "No teams yet."],
    ["/runs", "Think for long"],
    [`/runs/${review}`, "Mend the till"],
    [`/runs/${review}?view=changes`, "n.txt"],
    [`/runs/${review}?view=timeline`, "Mend the till"],
    [`/runs/${review}?view=prompt`, "Mend the till"],
    [`/runs/${review}?view=cost`, "Mend the till"],
    [`/runs/${failed}`, "refused"],
    [`/runs/${running}`, "Think for long"],
    ["/roles", "Worker"],
    ["/roles/worker", "What agents with this role get"],
    ["/knowledge", "No knowledge yet."],
    ["/costs", "Per day"],
    ["/activity", "Today"],
    ["/search?q=stock", "Count the stock"],
    ["/settings", "Doctor"],
    ["/settings/permissions", "No permissions yet."],
    ["/settings/hooks", "Add a hook"],
    ["/settings/orchestrator", "No cycles yet."],
    ["/settings/gates", "Quality gates"],
    ["/settings/triggers", "No triggers."],
    ["/nowhere", "This page doesn't exist."],
  ];
}

const LONG = "Shop for everything that customers of a department store ask for in the week before a holiday";

test("shows every page to everybody: without barriers, in both themes, at a desk and on a phone [S4-SCOPE-12]", async () => {
  const furnished = await furnishedHall(await startHall());
  await furnished.hall.call("PUT", `/api/projects/${PROJECT}`, { name: LONG });
  const page = await visit(browser(), furnished.hall);
  const complaints: string[] = [];
  for (const [path, shown] of everyPage(furnished)) {
    await go(page, path);
    await page.getByText(shown).locator("visible=true").first().waitFor();
    complaints.push(...(await complaintsAbout(page, path)));
  }
  expect(complaints).toEqual([]);
}, 300_000);

/** Every dialog that a key or a button opens, by the page and how it is opened. */
const DIALOGS: [path: string, opener: string][] = [
  ["/", "key Control+k"],
  ["/", "key c"],
  ["/", "key s"],
  ["/", "key ?"],
  ["/projects", "New project"],
  ["/roles", "New role"],
  ["/roles", "Import"],
  ["/costs", "Edit limits"],
  ["/teams", "Start a team"],
  ["/projects/empty", "Start a team"],
  ["/projects/empty", "Start an agent"],
  ["/projects/empty", "New task"],
  ["/projects/empty", "New initiative"],
  ["/projects/empty/settings/roles", "Add role"],
  ["/projects/empty/library/memory", "Add a fact"],
  ["/projects/empty/library/context", "Add a file"],
];

/** Its width against the screen, and that what it says begins at the left, whatever it was opened from. */
const SHAPE = `(() => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const { left, right } = dialog.getBoundingClientRect();
  const centred = [...dialog.querySelectorAll("label")].filter((label) => getComputedStyle(label).textAlign === "center");
  return { fits: left >= 0 && right <= innerWidth && dialog.scrollWidth <= dialog.clientWidth, centred: centred.length };
})()`;

test("every dialog fits a desk and a phone, and looks the same wherever it is opened", async () => {
  const hall = await startHall();
  for (const id of ["empty", "other"]) await hall.call("POST", "/api/projects", { id, name: id });
  await hall.call("POST", "/api/roles", { id: "worker", name: "Worker", prompt: "Work." });
  const page = await visit(browser(), hall);
  const complaints: string[] = [];
  for (const [path, opener] of DIALOGS) {
    await go(page, path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const key = /^key (.*)$/.exec(opener)?.[1];
    if (key === undefined) await page.getByRole("main").getByRole("button", { name: opener }).first().click();
    else await page.keyboard.press(key);
    await page.locator("dialog[open]").waitFor();
    for (const size of [PHONE, DESK]) {
      await page.setViewportSize(size);
      const shape = await page.evaluate(SHAPE);
      if (JSON.stringify(shape) !== '{"fits":true,"centred":0}')
        complaints.push(`${path} ${opener} at ${size.width}: ${JSON.stringify(shape)}`);
    }
    complaints.push(...(await complaintsAbout(page, `${path} ${opener}`)));
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "hidden" });
  }
  expect(complaints).toEqual([]);
}, 180_000);

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
  await page.evaluate("document.querySelector('main').append(document.createElement('button'))");
  expect(await barriers(page), "axe looks at the page").toEqual([expect.stringContaining("button-name")]);
});
