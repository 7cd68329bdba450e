import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Escalation } from "../../contract/documents/escalation.ts";
import { Files } from "../../store/files/files.ts";
import { QueueNotes } from "./queue-notes.ts";

const START = Date.parse("2026-11-16T12:00:00.000Z");
const HOUR = 3_600_000;
const one = { id: "problem-a.md", version: "v1" };
const changed = { ...one, version: "v2" };

const ENTRY: Escalation = {
  ...{ id: one.id, type: "blocker", origin: "health", question: "Fix a.md", context: "", suggestedAnswers: [] },
  ...{ escalatedBy: "hall", escalationPath: [], history: [], askers: [], priority: "medium", blocksTask: null },
  ...{ blocksInitiative: false, createdAt: iso(0), updatedAt: iso(0), status: "resolved", resolution: "No" },
  ...{ answer: null, resolvedBy: "person", resolvedAt: iso(0), sources: [], replaces: [], reminders: 0, urgency: 0 },
};

function iso(after: number): string {
  return new Date(START + after).toISOString();
}

function open(folder = temporaryFolder()) {
  let now = START;
  new Files(folder).makeFolder("state");
  const parts = { files: new Files(folder), clock: () => new Date(now) };
  return {
    folder,
    notes: new QueueNotes(parts),
    again: () => new QueueNotes(parts),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const answer = (holds: "change" | "moment") => ({ version: one.version, at: iso(0), holds, entry: ENTRY });

describe("notes of the queue", () => {
  it("hide a snoozed entry until its time, also for the next daemon, and show it when its subject changes", async () => {
    const { notes, again, pass } = open();
    expect(notes.hidesNothing).toBe(true);
    await notes.note(one, { snoozedUntil: iso(HOUR) });
    expect([notes.isHidden(one), again().isHidden(one), notes.hidesNothing]).toEqual([true, true, false]);
    expect(again().isHidden(changed)).toBe(false);
    pass(HOUR);
    expect([notes.isHidden(one), notes.hidesNothing]).toEqual([false, true]);
  });

  it("keep a dismissed entry hidden, and one that was carried out only for a moment", async () => {
    const { notes, again, pass } = open();
    await notes.answered(one.id, answer("moment"));
    expect([notes.isHidden(one), notes.isHidden(changed)]).toEqual([true, false]);
    pass(HOUR);
    expect([notes.isHidden(one), notes.lastAnswer(one.id)?.entry.resolution]).toEqual([false, "No"]);
    await notes.answered(one.id, answer("change"));
    expect([again().isHidden(one), again().isHidden(changed)]).toEqual([true, false]);
    await notes.answered(one.id, null);
    expect(again().isHidden(one)).toBe(false);
  });

  it("say since when an entry has been there, and forget it when it is gone", async () => {
    const { notes, again, pass } = open();
    notes.seen([{ ...one, at: undefined }]);
    pass(HOUR);
    notes.seen([{ ...one, at: undefined }]);
    await notes.close();
    expect([notes.of(one)?.firstSeenAt, again().of(one)?.firstSeenAt]).toEqual([iso(0), iso(0)]);
    await notes.answered(one.id, answer("change"));
    notes.seen([]);
    await notes.close();
    expect([again().of(one), again().lastAnswer(one.id)?.version]).toEqual([undefined, "v1"]);
    pass(25 * HOUR);
    notes.seen([]);
    await notes.close();
    expect(again().lastAnswer(one.id)).toBeUndefined();
  });

  it("do not hold what could not be written", async () => {
    const { folder, notes, again } = open();
    rmSync(join(folder, "state"), { recursive: true });
    await expect(notes.note(one, { snoozedUntil: iso(HOUR) })).rejects.toThrow();
    await expect(notes.answered(one.id, answer("change"))).rejects.toThrow();
    expect([notes.hidesNothing, again().hidesNothing]).toEqual([true, true]);
  });

  it.each(["{", "[]", '{"version": 1}', '{"version": 1, "notes": {"x": 7}, "answers": {"y": null}}'])(
    "start empty where the file is %s",
    async (text) => {
      const { folder, notes } = open();
      await notes.note(one, {});
      writeFileSync(join(folder, "state/queue.json"), text);
      const { notes: next } = open(folder);
      expect([next.of(one), next.hidesNothing]).toEqual([undefined, true]);
    },
  );
});
