import type { Client } from "../../src/cli/http/client.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";

interface Asked {
  projectId: string;
  roleId: string;
  model: string;
  title: string;
}

const asked = (projectId: string, roleId: string, model: string, title: string): Asked => ({
  projectId,
  roleId,
  model,
  title,
});

/** Played by a provider on this machine, whose calls count against the budget. */
const PAID = "acme/large";

const BEFORE_REVIEW: readonly Asked[] = [
  asked("web-shop", "coder", "offline/build", "Survive a slow network at the checkout"),
  asked("mobile-app", "coder", "offline/build", "Try uploads again"),
  asked("data-pipeline", "researcher", "offline/research", "Why does the nightly import fail on Mondays?"),
  asked("design-system", "lead", "offline/lead", "Why is the date picker slow?"),
  asked("research", "researcher", "offline/research", "What do others ask for bundles?"),
  asked("infrastructure", "devops", "offline/circles", "Rotate the certificates"),
  asked("customer-support", "support", PAID, "Answer the letters of this morning"),
  asked("payments", "security", PAID, "Look for card numbers in the log"),
  asked("uebersetzung", "translator", PAID, "Translate the errors of the checkout"),
  asked("customer-support", "support", "offline/refused", "Answer the letter of the lawyer"),
];

const REVIEWED: readonly Asked[] = [
  asked("payments", "coder", "offline/build", "Try refunds again when the bank is away"),
  asked("web-shop", "writer", "offline/polish", "Make invoices easier to read"),
];

const GOING_ON: readonly Asked[] = [
  asked("web-shop", "performance", "offline/slow", "Make product search twice as fast"),
  asked("mobile-app", "tester", "offline/slow", "Cover offline mode with tests"),
  asked("data-pipeline", "data-engineer", "offline/slow", "Backfill the sales report of 2025"),
  asked("japan", "translator", "offline/slow", "Break lines where a reader would"),
];

/** Runs that are over: merged, partial, failed in two ways, with helpers, and waiting for review. */
export async function playRuns(client: Client): Promise<void> {
  await untilOver(client, await Promise.all(BEFORE_REVIEW.map((each) => spawn(client, each))));
  for (const id of new Set(REVIEWED.map(({ projectId }) => projectId)))
    await client.call("updateProject", {
      params: { id },
      body: { config: { constraints: { requireReview: true } } },
    });
  await untilOver(client, await Promise.all(REVIEWED.map((each) => spawn(client, each))));
}

/** Runs that go on for ten minutes, and one that stands still because its project has no money left. */
export async function startRuns(client: Client): Promise<void> {
  await Promise.all(GOING_ON.map((each) => spawn(client, each)));
  const params = { id: "uebersetzung" };
  await client.call("updateProject", { params, body: { config: { budget: { dayUsd: 0.2 } } } });
  await spawn(client, asked("uebersetzung", "translator", PAID, "Which plural forms are missing?"));
}

async function spawn(client: Client, { projectId, roleId, model, title }: Asked): Promise<string> {
  const task = {
    title,
    type: "feature" as const,
    description: `${title}. Report what you found and what you changed.`,
  };
  const answer = await client.call("spawn", {
    body: { projectId, roleId, task, overrides: { model } },
  });
  if ("plan" in answer) throw new Error(`${title} was only planned`);
  return answer.sessionId;
}

async function untilOver(client: Client, runIds: readonly string[]): Promise<void> {
  for (const runId of runIds)
    while (!isOver((await client.call("getRun", { params: { runId } })).run))
      await new Promise((resolve) => setTimeout(resolve, 50));
}
