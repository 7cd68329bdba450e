import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const hall = sharedHall();
const PLAN = writing({
  "AGENTS.md": "Use spaces.\n",
  ".github/workflows/ci.yml": "on: push\n",
  "src/a.ts": "a\n",
  "package.json": '{"scripts": {"postinstall": "x"}}\n',
});

test("a review names the files that control tools first, and instructions are accepted on the project's page", {
  timeout: 120_000,
}, async () => {
  const repo = repository({ "AGENTS.md": "Use tabs.\n" });
  await hallOver(hall(), { root: repo.root, playbooks: { plan: PLAN } });
  await hall().call("GET", "/api/projects/shop/instructions");
  const id = await spawnRun(hall(), "plan", "Set it up");
  await untilOver(hall(), id);
  const page = await visit(browser(), hall(), `/runs/${id}?view=changes`);
  const first = page.getByRole("region", { name: "Files that control your tools" });
  await first.getByText("Agents follow these files as instructions").waitFor();
  expect(await first.locator("code").allTextContents()).toEqual([
    "AGENTS.md",
    ".github/workflows/ci.yml",
    "package.json",
  ]);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("3 files control your tools").waitFor();
  await page.getByRole("button", { name: "Approve and merge" }).click();
  await expect.poll(async () => (await runOf(hall(), id)).delivery?.state).toBe("delivered");

  writeFileSync(repo.at("AGENTS.md"), "By hand.\n");
  await page.goto(`${hall().url}/projects/shop/library/skills`);
  await page.getByText("Changed since you accepted it").waitFor();
  await page.getByRole("button", { name: "Accept AGENTS.md" }).click();
  await page.getByText("Accepted", { exact: true }).waitFor();
});
