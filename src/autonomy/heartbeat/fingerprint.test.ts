import { expect, it } from "vitest";
import { type FingerprintParts, fingerprintOf } from "./fingerprint.ts";

const ESCALATION = { id: "esc-001", status: "pending", question: "Which color?", reminders: 0 };

function seen(escalation: object, files: Record<string, string> = {}): string {
  const found = { ...ESCALATION, ...escalation };
  const all = { [`escalations/pending/${found.id}.json`]: JSON.stringify(found), ...files };
  const below = (folder: string) =>
    Object.entries(all)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, etag]) => ({ path, etag }));
  const core = { followed: { below }, glance: { review: () => [], failed: () => [] } };
  const escalations = { open: () => [found], undelivered: () => [] };
  return fingerprintOf({ core, hall: { escalations } } as unknown as FingerprintParts);
}

it("is the same after the person was reminded, and another after what the agent could act on changed [S4-TRIG-06]", () => {
  const before = seen({});
  expect(seen({ reminders: 3, remindedAt: "2026-03-01T12:00:00.000Z" })).toBe(before);
  expect(seen({ status: "draft" })).not.toBe(before);
  expect(seen({ question: "Which size?" })).not.toBe(before);
  expect(seen({}, { "projects/shop/TASKS/TASK-001.md": "1" })).not.toBe(before);
  expect(seen({}, { "projects/shop/runs/index.jsonl": "1" })).toBe(before);
});
