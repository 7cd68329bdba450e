import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import { wanted } from "../harness/workspace.ts";

const browser = sharedBrowser();

const list = (page: Page, name: string | RegExp) => page.getByRole("list", { name });
const button = (at: ReturnType<typeof list> | Page, name: string) => at.getByRole("button", { name, exact: true });
const menu = (page: Page, name: string) => page.getByRole("menuitem", { name });

async function answered(hall: Hall, question: string, resolution: string, more: object = {}): Promise<string> {
  const body = { type: "decision", question, projectId: "shop" };
  const { escalation } = await wanted(201, hall.call("POST", "/api/escalations", body));
  const id = escalation?.id ?? "";
  await wanted(200, hall.call("POST", `/api/escalations/${id}/resolve`, { resolution, ...more }));
  await eventually(
    async () => (await hall.call("GET", `/api/escalations/${id}`)).body.escalation,
    ({ statementId }) => statementId !== undefined,
  );
  return id;
}

test("decisions lead to their question, pending ones are accepted, and contradictions are settled [S4-KN-01]", async () => {
  const { hall } = await scriptedHall(() => ({ text: "Done." }));
  await answered(hall, "Which payment provider should the checkout use?", "Stripe, it takes SEPA", { always: true });
  const agents = ["Retry failed webhooks three times.", "Prices are stored in cents."];
  const page = join(hall.workspace, "projects/shop/knowledge/patterns.md");
  for (const text of agents) appendFileSync(page, `- ${text} (2026-11-16, TASK-001, pending)\n`);
  const decisions = join(hall.workspace, "projects/shop/knowledge/decisions.md");
  appendFileSync(decisions, "- Which payment provider should the checkout use? → Adyen (2026-11-01, person)\n");

  const shown = await visit(browser(), hall, "/projects/shop/library/knowledge");
  await list(shown, "Decisions").getByText("Stripe, it takes SEPA").waitFor();
  await list(shown, "Rules").getByText("Stripe, it takes SEPA").waitFor();
  expect(await barriers(shown)).toEqual([]);

  const conflict = list(shown, /Which payment provider/);
  await conflict.getByRole("listitem").filter({ hasText: "Adyen" }).getByRole("button", { name: "Actions" }).click();
  await menu(shown, "Mark as superseded").click();
  await conflict.waitFor({ state: "detached" });
  await shown.getByText("Superseded 1").click();
  await list(shown, "Superseded").getByText("Adyen").waitFor();

  await button(shown, "Accept all…").click();
  await button(shown.getByRole("dialog"), "Accept all").click();
  await list(shown, "Pending").waitFor({ state: "detached" });
  await list(shown, "Patterns").getByText("Prices are stored in cents.").waitFor();
  const { statements } = (await hall.call("GET", "/api/knowledge?project=shop&status=pending")).body;
  expect(statements).toEqual([]);

  const decision = list(shown, "Decisions").getByRole("listitem").filter({ hasText: "Stripe" });
  await button(decision, "Actions").click();
  await menu(shown, "Where used").click();
  await shown.getByRole("dialog").getByText("No answer rests on it").waitFor();
  await shown.keyboard.press("Escape");
  await list(shown, "Rules").getByRole("button", { name: "Edit" }).click();
  await shown.getByLabel("Answer").fill("Stripe, always");
  await button(list(shown, "Rules"), "Save").click();
  await list(shown, "Rules").getByText("Stripe, always").waitFor();
  await decision.getByRole("link", { name: "esc-001" }).click();
  await shown.waitForURL("**/inbox?id=esc-001");
});

test("the workspace's page has the pending entries of every project", async () => {
  const hall = await startHall();
  await wanted(201, hall.call("POST", "/api/projects", { id: "shop", name: "Ye Olde Shop 🛒" }));
  const page = join(hall.workspace, "projects/shop/knowledge/patterns.md");
  appendFileSync(page, "- Prices are stored in cents. (2026-11-16, TASK-001, pending)\n");
  const shown = await visit(browser(), hall, "/knowledge");
  const row = list(shown, "Pending").getByRole("listitem");
  await row.getByText("Ye Olde Shop 🛒").waitFor();
  await button(row, "Actions").click();
  await menu(shown, "Reject").click();
  await button(shown.getByRole("dialog"), "Remove").click();
  await shown.getByText("No knowledge yet.").waitFor();
});
