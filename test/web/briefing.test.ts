import { expect, test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();

test("the briefing is a view of Now: it tells what was done, and a decision is answered in place", async () => {
  const hall = await furnish(await startHall(), { ok: "turns:\n  - text: Done.\n" });
  await untilOver(hall, await spawnRun(hall, "ok", "Paint the 🚪 door"));
  const asked = {
    ...{ type: "decision", question: "Redis or Memcached?", projectId: PROJECT },
    suggestedAnswers: [{ label: "Redis", description: "persistent" }, { label: "Memcached" }],
  };
  const { escalation } = (await hall.call("POST", "/api/escalations", asked)).body;
  const get = async () => (await hall.call("GET", `/api/escalations/${escalation?.id}`)).body.escalation;
  await eventually(get, ({ status }) => status === "pending");
  const page = await visit(browser(), hall);
  await page.getByRole("link", { name: "Briefing" }).click();
  await page.getByText("Paint the 🚪 door").first().waitFor();
  expect(
    await page.getByRole("navigation", { name: "Views of now" }).locator("[aria-current=page]").allInnerTexts(),
  ).toEqual(["Briefing"]);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByRole("region", { name: "Open question" }).waitFor();
  await page.getByRole("region", { name: "Open question" }).getByText("Redis", { exact: true }).first().click();
  await eventually(get, ({ status }) => status === "resolved");
  expect(await get()).toMatchObject({ answer: "Redis", resolvedBy: "person" });
});
