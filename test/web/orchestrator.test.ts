import { expect, test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { furnish, PROJECT } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();

test("the orchestrator is paused, resumed and asked for a cycle on its page, and the portfolio is a view of Projects", async () => {
  const hall = await furnish(await startHall(undefined, { config: { orchestrator: { enabled: true } } }), {});
  const initiative = { title: "Sell <b>books</b>", slug: "sell", goals: ["Ten a day"] };
  await hall.call("POST", `/api/projects/${PROJECT}/initiatives`, initiative);
  await hall.call("PUT", `/api/projects/${PROJECT}/initiatives/sell`, { status: "paused" });
  await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { autonomy: "work" } });
  const state = async () => (await hall.call("GET", "/api/orchestrator")).body.orchestrator?.state;
  const page = await visit(browser(), hall, "/settings/orchestrator");
  await page.getByRole("button", { name: "Run a cycle" }).click();
  await page.getByText("shop / sell: the initiative is paused").first().waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await eventually(state, (now) => now === "paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await eventually(state, (now) => now === "idle");
  const other = await visit(browser(), hall, "/projects");
  await other.getByRole("link", { name: "Portfolio" }).click();
  const portfolio = other.getByRole("list", { name: "Portfolio" });
  await portfolio.getByText("Sell <b>books</b>").waitFor();
  expect(await portfolio.textContent()).toContain("orchestrator: work");
});

test("the orchestrator is turned on from its page, after what that means was confirmed", async () => {
  const hall = await startHall();
  const isOn = async () => (await hall.call("GET", "/api/orchestrator")).body.orchestrator?.state !== "off";
  const page = await visit(browser(), hall, "/settings/orchestrator");
  await page.getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog", { name: "Turn on the orchestrator" });
  await dialog.getByText("at most $5.00 a day").waitFor();
  expect(await isOn()).toBe(false);
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "Run a cycle" }).waitFor();
  expect(await isOn()).toBe(true);
});
