import { expect, test } from "vitest";
import { letterBooks, untilPaused } from "../harness/autonomous-team.ts";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { startHall } from "../harness/daemon.ts";
import { complaintsAbout, DESK, PHONE } from "../harness/looks.ts";
import { teamHall, teamOf, untilTeam } from "../harness/team-hall.ts";

const browser = sharedBrowser();
const CHANGED = {
  ...{ name: "changed", writes: "old.txt", fixes: "new.txt", wanted: "never.txt" },
  proposes: ["new.txt"],
};

test("a person starts an autonomous team, sees why it paused, approves its spec change and switches it", async () => {
  const hall = await startHall();
  await teamHall(hall, letterBooks([CHANGED]), { config: { qualityGates: { appliesTo: "off" } } });
  const page = await visit(browser(), hall, "/teams");
  await page.getByRole("main").getByRole("button", { name: "Start a team" }).last().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Goal").fill("Have changed letters");
  await dialog.getByLabel("Autonomy").selectOption("Smart");
  await dialog.getByText("work starts without asking you").waitFor();
  expect(await dialog.getByLabel("Your approval").count()).toBe(0);
  await dialog.getByRole("button", { name: "Start team" }).click();
  await page.waitForURL("**/teams/team-*");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await teamOf(hall, id)).toMatchObject({ approval: "none", autonomy: { mode: "smart" } });
  await untilPaused(hall, id, "approval-required");
  const part = page.getByRole("region", { name: "Autonomy" });
  await part.getByText("Paused: it needs your approval").waitFor();
  await part.getByText("Spec change: The letter has another name.").waitFor();
  await part.getByText("-- never.txt is there.").waitFor();
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    expect(await complaintsAbout(page)).toEqual([]);
    if (process.env.GUILDHALL_PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.GUILDHALL_PICTURES}/autonomy-${size.width}.png`, fullPage: true });
  }
  expect(await barriers(page)).toEqual([]);
  await part.getByLabel("Autonomy").selectOption("Fixed");
  // Fixed mode keeps the spec: the proposal is dropped.
  await part.getByText("Superseded").waitFor();
  expect(await teamOf(hall, id)).toMatchObject({ autonomy: { mode: "fixed" } });
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop team" }).click();
  await untilTeam(hall, id, "stopped");
  await part.getByText("Aborted").waitFor();
});
