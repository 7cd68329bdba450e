import { afterAll, beforeAll, expect, it } from "vitest";
import { go, sharedBrowser, visit } from "../harness/browser.ts";
import { type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";

const browser = sharedBrowser();
let shop: ScriptedHall;
beforeAll(async () => {
  shop = await scriptedHall(({ tools }) => (tools.includes("report_initiative") ? { hang: true } : { text: "Hm." }), {
    later: afterAll,
  });
});

it("an initiative's page shows its plan and briefing, starts its lead and stops it", async () => {
  const { hall } = shop;
  await hall.call("POST", "/api/projects/shop/initiatives", {
    title: "New doors",
    goals: ["Doors open by themselves"],
  });
  await hall.call("POST", "/api/projects/shop/tasks", { title: "Oil the hinges", plan: "new-doors" });
  const page = await visit(browser(), hall);
  await go(page, "/projects/shop");
  await page.getByRole("link", { name: "New doors" }).click();
  await page.getByRole("region", { name: "Briefing for the next lead" }).getByText("0/1 tasks done").waitFor();
  await page.getByRole("region", { name: "Plan" }).getByText("Doors open by themselves").waitFor();
  await page.getByRole("button", { name: "Start lead" }).click();
  const lead = page.getByRole("region", { name: "Lead", exact: true });
  await lead.getByText("Working").waitFor();
  await page.getByRole("button", { name: "Stop lead" }).click();
  await lead.getByText("Stopped", { exact: true }).waitFor();
  await lead.getByText("It was stopped.").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Paused · 0 of 1 tasks done").waitFor();
  const { initiative } = (await hall.call("GET", "/api/projects/shop/initiatives/new-doors")).body;
  expect(initiative.status).toBe("paused");
});
