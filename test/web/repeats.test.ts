import { expect, test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { furnish, PROJECT } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const hall = sharedHall();

test("what is asked twice, because the answer was lost or the button was hit twice, is done once", async () => {
  await furnish(hall(), { helper: "turns:\n  - text: Done.\n" });
  const page = await visit(browser(), hall(), `/projects/${PROJECT}/board`);
  await page.getByRole("button", { name: "New task" }).first().click();
  await page.getByLabel("Title").fill("Only once");
  await page.route(
    "**/api/projects/*/tasks",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  const add = page.getByRole("button", { name: "Add task" });
  await add.click();
  await page.getByText("Can't reach the daemon.").first().waitFor();
  await add.evaluate((button) => {
    (button as HTMLButtonElement).click();
    (button as HTMLButtonElement).click();
  });
  await page.getByText("added.").first().waitFor();
  const { tasks } = (await hall().call("GET", `/api/projects/${PROJECT}/tasks`)).body;
  expect(tasks.map(({ title }: { title: string }) => title)).toEqual(["Only once"]);
});
