import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sampleEscalation } from "../../../test/fakes/sample-escalation.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { waitFor } from "../../../test/harness/wait-for.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { learn, openLearning } from "./open-learning.ts";

const NOW = "2026-11-16T12:00:00.000Z";
const change = { actor: { kind: "person" as const, via: "http" as const } };
const PAGE = "projects/shop/knowledge/decisions.md";
const LINE = "- Which cache? → Redis (2026-11-16, esc-001, answered by person)\n";

const QUESTION = sampleEscalation(NOW);

const answered = (resolution: string, more: Partial<EscalationFields> = {}) => ({
  status: "resolved" as const,
  outcome: "answered" as const,
  resolution,
  resolvedBy: "person",
  resolvedAt: NOW,
  scope: "project" as const,
  ...more,
});

async function openShop(workspace = temporaryFolder()) {
  const open = await openHall({ workspace, clock: () => new Date(NOW), version: "0" });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= open.close();
    return closing;
  };
  onTestFinished(close);
  const { hall, core } = open;
  const { projects } = hall.projects.list({ limit: 10 });
  if (projects.length === 0)
    await hall.projects.create({ id: "shop", name: "Shop", description: "", background: "" }, change);
  const startLearning = async () => {
    const learning = await openLearning({ core, hall, onTrouble: () => undefined });
    onTestFinished(learning.close);
    return learning;
  };
  const text = (path = PAGE) => readFileSync(join(workspace, path), "utf8");
  const set = (id: string, fields: Partial<EscalationFields>, type: "resolved" | "reopened" | "updated" = "resolved") =>
    hall.escalations.change(id, (now) => ({ ...now, ...fields }), { type: `escalation.${type}` }, change);
  return { hall, core, close, workspace, startLearning, text, set };
}

it("an answer becomes a statement, an undo takes it back, and another scope has another place [S4-KN-01 S4-GOAL-09]", async () => {
  const { hall, startLearning, text, set } = await openShop();
  const learning = await startLearning();
  await hall.escalations.create(QUESTION, change);
  await set("esc-001", answered("Redis"));
  await waitFor(() => expect(text()).toContain(LINE));
  const { statementId } = await hall.escalations.get("esc-001");
  expect(hall.knowledge.get("shop", { id: statementId ?? "" })).toMatchObject({
    status: "accepted",
    topic: "decisions",
  });
  expect(learning.problems()).toEqual([]);

  await set("esc-001", { status: "pending", resolution: null, resolvedBy: null, resolvedAt: null }, "reopened");
  await waitFor(() => expect(text()).not.toContain("Redis"));
  expect((await hall.escalations.get("esc-001")).statementId).toBeUndefined();

  await set("esc-001", answered("Redis", { scope: "hall" }));
  await waitFor(() => expect(text("knowledge/decisions.md")).toContain(LINE));
  expect(text()).not.toContain("Redis");
});

it("an answer is learned once, however often it is looked at, and also after a stop in between", async () => {
  const first = await openShop();
  await (await first.startLearning()).close();
  await first.hall.escalations.create(QUESTION, change);
  await first.set("esc-001", answered("Redis"));
  await first.close();

  const next = await openShop(first.workspace);
  await next.startLearning();
  await Promise.all(Array.from({ length: 5 }, () => learn(next.hall, "esc-001")));
  await waitFor(() => expect(next.text()).toContain(LINE));
  expect(next.text().split("Redis")).toHaveLength(2);
  const events: string[] = [];
  onTestFinished(next.hall.events.subscribe(({ type }) => events.push(type)));
  await learn(next.hall, "esc-001");
  expect(events).toEqual([]);
});

it("an answer that cannot be written down says why, and is learned when the page is fixed", async () => {
  const { workspace, hall, core, text, set } = await openShop();
  const pace = { retry: { firstMs: 5, longestMs: 10 } };
  const learning = await openLearning({ core, hall, onTrouble: () => undefined, pace });
  onTestFinished(learning.close);
  writeFileSync(join(workspace, PAGE), "```\nnever closed\n");
  await hall.escalations.create(QUESTION, change);
  await set("esc-001", answered("Redis"));
  const reason = expect.stringMatching(/Knowledge from answers: 1 answer pending .* does not end/);
  await waitFor(() => expect(learning.problems()).toMatchObject([{ reason }]));
  expect((await hall.escalations.get("esc-001")).statementId).toBeUndefined();
  writeFileSync(join(workspace, PAGE), "# Mine\n");
  await waitFor(() => expect(text()).toContain(LINE));
});
