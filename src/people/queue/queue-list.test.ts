import { expect, it } from "vitest";
import type { Escalation } from "../../contract/documents/escalation.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { QueueList } from "./queue-list.ts";

const NOW = new Date("2026-11-16T12:00:00.000Z");
const AT = NOW.toISOString();
const entry = (id: string, more: Partial<Escalation> = {}): Escalation => ({
  ...{ id, type: "question", origin: "agent", question: `What of ${id}?`, context: "", suggestedAnswers: [] },
  ...{ escalatedBy: "hall", escalationPath: [], history: [], askers: [], priority: "medium", blocksTask: null },
  ...{ blocksInitiative: false, createdAt: AT, updatedAt: AT, status: "pending", resolution: null, answer: null },
  ...{ resolvedBy: null, resolvedAt: null, sources: [], replaces: [], reminders: 0, urgency: 1 },
  ...more,
});
const stored = (each: Escalation) => ({ ...each, path: "", etag: "" }) as StoredEscalation;

function queueOf(entries: Escalation[]) {
  const derived = entries.filter(({ id }) => !id.startsWith("esc-"));
  const documents = entries.filter(({ id }) => id.startsWith("esc-")).map(stored);
  const resolved = documents.filter(({ status }) => status === "resolved");
  return new QueueList({
    clock: () => NOW,
    shown: (each) => each as Escalation,
    derived: { all: async () => derived.map((each) => ({ entry: each, isHidden: each.status === "resolved" })) },
    documents: {
      open: () => documents.filter(({ status }) => status !== "resolved"),
      list: ({ limit, cursor }) => {
        const from = Number(cursor ?? 0);
        const next = from + limit < resolved.length ? { nextCursor: String(from + limit) } : {};
        return { escalations: resolved.slice(from, from + limit), invalid: [], total: resolved.length, ...next };
      },
    },
  });
}

it.each([1, 2, 3, 5, 100])("pages of %s have every entry once: open ones, then resolved ones", async (limit) => {
  const long = `problem-${"a~2f".repeat(300)}`;
  const done = { status: "resolved" } as const;
  const queue = queueOf([
    ...[entry("esc-001"), entry("review-a"), entry(long), entry("esc-002", { priority: "urgent" })],
    ...[entry("skill-a", done), entry("skill-b", done), entry("esc-003", done), entry("esc-004", done)],
  ]);
  const ids: string[] = [];
  for (let cursor: string | undefined = "", pages = 0; cursor !== undefined && pages < 20; pages++) {
    const page = await queue.list({ limit, ...(cursor === "" ? {} : { cursor }) });
    expect(page.total).toBe(8);
    expect(page.escalations.length).toBeLessThanOrEqual(limit);
    expect(page.nextCursor?.length ?? 0).toBeLessThanOrEqual(500);
    ids.push(...page.escalations.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(ids).toEqual(["esc-002", "esc-001", long, "review-a", "skill-a", "skill-b", "esc-003", "esc-004"]);
});

it("leaves out what is snoozed unless asked, and finds words", async () => {
  const snoozed = entry("esc-001", { snoozedUntil: "2026-11-17T00:00:00.000Z" });
  const queue = queueOf([snoozed, entry("review-a", { context: "Ärger im Lager", projectId: "shop" })]);
  const ids = async (query: object) => (await queue.list({ limit: 10, ...query })).escalations.map(({ id }) => id);
  expect(await ids({})).toEqual(["review-a"]);
  expect(await ids({ snoozed: true })).toEqual(["esc-001", "review-a"]);
  expect(await ids({ q: "lager ÄRGER" })).toEqual(["review-a"]);
  expect(await ids({ q: "lager keller" })).toEqual([]);
  expect(await ids({ project: "mill" })).toEqual([]);
  expect((await queue.pending()).map(({ id }) => id)).toEqual(["review-a"]);
});
