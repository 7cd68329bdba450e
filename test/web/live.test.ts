import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { sharedBrowser, signIn, visit } from "../harness/browser.ts";
import { newContext } from "../harness/chromium-browser.ts";
import { eventually, launchHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { furnish, PROJECT, SLOW, spawnRun } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const STEPS = `
turns:
  - delayMs: 300
    calls: [{tool: list, input: {path: .}}]
  - delayMs: 300
    text: All done.
`;

const list = (page: Page, name: string) => page.getByRole("list", { name });

test("shows a run as it comes, works and ends, and counts in the tab's title what needs the person", async () => {
  const hall = await furnish(await startHall(), {
    steps: STEPS,
    failing: "turns:\n  - fail: {kind: refused, times: 9}\n",
  });
  const page = await visit(browser(), hall);
  await page.getByText("You're all caught up.").waitFor();
  expect(await page.title()).toBe("Now · Guildhall");
  await spawnRun(hall, "steps", "Look around");
  await list(page, "Running").getByText("Look around").waitFor();
  await list(page, "Recent").getByText("Look around").waitFor();
  await spawnRun(hall, "failing", "Try in vain");
  await list(page, "Needs you").getByText("Try in vain").waitFor();
  await eventually(
    () => page.title(),
    (title) => title === "(1) Now · Guildhall",
  );
});

test("says that the daemon is away, and shows what happened meanwhile when it is back", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const first = await launchHall(workspace).ready;
  await furnish(first, { slow: SLOW });
  const page = await visit(browser(), first, `/projects/${PROJECT}/board`);
  for (const title of ["One", "Two"]) await first.call("POST", `/api/projects/${PROJECT}/tasks`, { title });
  await page.getByRole("link", { name: "One", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await first.kill();
  await page.getByText("Disconnected.").waitFor();
  await page.getByLabel("Add a task").first().fill("Three");
  await page.keyboard.press("Enter");
  await page.getByText("Can't reach the daemon.").waitFor();
  await page.getByRole("link", { name: "Two", exact: true }).click();
  await page.getByRole("dialog").getByText("This loads automatically once the daemon is back").waitFor();
  const second = await launchHall(workspace, ["--port", new URL(first.url).port]).ready;
  await second.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Made meanwhile" });
  await page.getByText("Made meanwhile").waitFor();
  await page.getByText("Disconnected.").waitFor({ state: "hidden" });
  await page.getByRole("dialog").getByText("Acceptance criteria").waitFor();
  await page.getByText("Can't reach the daemon.").waitFor({ state: "hidden" });
  await second.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Made afterwards" });
  await page.getByText("Made afterwards").waitFor();
});

test("keeps as many tabs true as the person opens, although a browser allows six connections", async () => {
  const hall = await furnish(await startHall(), { slow: SLOW });
  const context = await newContext(browser());
  onTestFinished(() => context.close());
  const first = await context.newPage();
  await signIn(first, hall);
  const others = await Promise.all(
    Array.from({ length: 7 }, async () => {
      const page = await context.newPage();
      await page.goto(`${hall.url}/projects`);
      await page.getByText("Shop").first().waitFor();
      return page;
    }),
  );
  await hall.call("POST", "/api/projects", { name: "Bakery" });
  await Promise.all(others.map((page) => page.getByText("Bakery").first().waitFor()));
  // What one tab does, the others show.
  await first.goto(`${hall.url}/projects/bakery/board`);
  await first.getByText("New task").first().waitFor();
  await first.keyboard.press("c");
  await first.getByRole("dialog").getByLabel("Title").fill("Bake bread");
  await first.keyboard.press("Enter");
  await others[0]?.goto(`${hall.url}/projects/bakery/board`);
  await others[0]?.getByText("Bake bread").first().waitFor();
});

test("is used without a mouse: places, lists, search, palette, help, and stopping a run", async () => {
  const hall = await furnish(await startHall(), { slow: SLOW });
  await hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Count the stock" });
  const page = await visit(browser(), hall);
  const runId = await spawnRun(hall, "slow", "Think for long");
  const { keyboard } = page;
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
  await list(page, "Running").getByText("Think for long").waitFor();
  await keyboard.press("j");
  await keyboard.press("x");
  await list(page, "Running").waitFor({ state: "hidden" });
  await eventually(
    async () => (await hall.call("GET", `/api/runs/${runId}`)).body.run.status,
    (status) => status === "cancelled",
  );
  for (const [keys, name] of [
    ["gp", "Projects"],
    ["gr", "Roles"],
    ["gc", "Costs"],
    ["gn", "Now"],
    ["gp", "Projects"],
  ] as const) {
    await keyboard.type(keys);
    await heading(name);
  }
  await keyboard.press("j");
  await keyboard.press("Enter");
  await heading(/Shop/);
  await keyboard.press("?");
  await page.getByRole("dialog").getByText("Stop").first().waitFor();
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await keyboard.press("/");
  await heading("Search");
  await keyboard.type("stock");
  await page.getByRole("main").getByText("Count the").first().waitFor();
  await keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
  await keyboard.type("settings");
  await keyboard.press("Enter");
  await heading("Settings");
  await keyboard.press("c");
  await page.getByRole("dialog").waitFor();
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});
