import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { furnishedHall } from "../harness/furnished-hall.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

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

  writeFileSync(join(hall.workspace, "escalations/pending/esc-900.json"), "{");
  await entry(page, "esc-900.json").click();
  await page.getByRole("article").getByText("Unreadable file").waitFor();
  expect(await page.getByText("escalation file can't be read").count()).toBe(0);
  await page.getByRole("button", { name: "Drafts" }).click();
  await page.getByText("1 escalation file can't be read").waitFor();
  const { body } = await hall.call("GET", `/api/runs?project=${PROJECT}&task=TASK-004`);
  expect(body.runs.map(({ id }) => id)).toContain(failed);
  expect(body.runs).toHaveLength(2);
});

const ASKING = `
turns:
  - calls:
      - tool: escalate
        input:
          type: decision
          question: Redis or NATS?
          blocksTask: TASK-001
          suggestedAnswers: [{label: Redis, description: Known}, {label: NATS, description: New}]
  - text: "They said: {{last.escalate}}"
`;

test("a run that waits for an answer gets it on its own page, and the board, the task and the project name the question", async () => {
  const hall = await furnish(await startHall(), { asking: ASKING });
  const runId = await spawnRun(hall, "asking", "Choose a queue");
  const page = await visit(browser(), hall, `/runs/${runId}`);
  const question = page.getByRole("region", { name: "Open question" });
  await question.getByText("Waiting for an answer:").waitFor();
  await question.getByText("Redis or NATS?").waitFor();

  await page.goto(`${hall.url}/projects/${PROJECT}/board`);
  await page.getByRole("link", { name: "Blocked by question esc-001" }).waitFor();
  await page.goto(`${hall.url}/projects/${PROJECT}`);
  await page.getByRole("list", { name: "Open questions" }).getByRole("link", { name: "Redis or NATS?" }).waitFor();
  await page.goto(`${hall.url}/projects/${PROJECT}/board?task=TASK-001`);
  await page.getByRole("dialog").getByText("Blocked by a question:").waitFor();

  await page.goto(`${hall.url}/runs/${runId}`);
  await question.getByRole("button", { name: "NATS" }).click();
  await question.waitFor({ state: "detached" });
  const run = await untilOver(hall, runId);
  expect(run.result?.output).toContain("NATS");
});
