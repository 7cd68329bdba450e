import { describe, expect, it } from "vitest";
import { expiresAt as timeOf } from "./expiry-rules.ts";
import { afterQuiet, quietHours } from "./quiet-hours.ts";
import { notifying, type Waiting } from "./reminder-rules.ts";

const HOUR = 3_600_000;
const at = (hour: number, minute = 0, day = 16) => new Date(2026, 10, day, hour, minute);
const night = quietHours("22:00-08:00");
const usual = { remindHours: 24, quiet: undefined };
const entry = (id: string, more: Partial<Waiting> = {}): Waiting => ({
  id,
  blocks: false,
  reminders: 0,
  urgency: 1,
  ...more,
});
const told = (id: string, when: Date, more: Partial<Waiting> = {}) =>
  entry(id, { remindedAt: when.toISOString(), reminders: 1, ...more });

describe("quiet hours", () => {
  it.each([
    [at(21, 59), at(21, 59)],
    [at(22), at(8, 0, 17)],
    [at(23, 30), at(8, 0, 17)],
    [at(0, 0, 17), at(8, 0, 17)],
    [at(7, 59), at(8)],
    [at(8), at(8)],
  ])("from 22:00 to 08:00: %s", (now, then) => expect(afterQuiet(now, night)).toEqual(then));

  it("may be within one day, and are off unless set", () => {
    expect(afterQuiet(at(12, 30), quietHours("12:00-13:00"))).toEqual(at(13));
    expect(afterQuiet(at(13), quietHours("12:00-13:00"))).toEqual(at(13));
    expect(afterQuiet(at(3), quietHours(undefined))).toEqual(at(3));
  });
});

describe("notifications", () => {
  it("tell of what is new at once, most urgent first, in one message", () => {
    const waiting = [entry("esc-001"), entry("esc-002", { urgency: 5 }), entry("esc-003")];
    expect(notifying(waiting, usual, { now: at(12) })).toEqual({
      now: ["esc-002", "esc-001", "esc-003"],
      next: undefined,
    });
  });

  it("repeat it after the hours that are set, after three while it blocks work, and never with 0", () => {
    const waiting = [told("esc-001", at(9)), told("esc-002", at(9), { blocks: true })];
    expect(notifying(waiting, usual, { now: at(10) })).toEqual({ now: [], next: at(12) });
    expect(notifying(waiting, usual, { now: at(12) })).toEqual({ now: ["esc-002"], next: at(9, 0, 17) });
    expect(notifying(waiting, { ...usual, remindHours: 1 }, { now: at(10) }).now).toEqual(["esc-001", "esc-002"]);
    expect(notifying(waiting, { ...usual, remindHours: 0 }, { now: at(23) })).toEqual({ now: [], next: undefined });
  });

  it("repeat together what would be due a few minutes apart", () => {
    const waiting = [told("esc-001", at(9)), told("esc-002", at(9, 10)), told("esc-003", at(9, 20))];
    const { now, next } = notifying(waiting, usual, { now: at(9, 0, 17) });
    expect({ now, next }).toEqual({ now: ["esc-001", "esc-002"], next: at(9, 20, 17) });
  });

  it("wait for the end of the quiet hours, whatever the priority", () => {
    const quiet = { remindHours: 24, quiet: night };
    const waiting = [entry("esc-001", { urgency: 100, blocks: true }), told("esc-002", at(6, 0, 15))];
    expect(notifying(waiting, quiet, { now: at(23) })).toEqual({ now: [], next: at(8, 0, 17) });
    expect(notifying(waiting, quiet, { now: at(8, 0, 17) }).now).toEqual(["esc-001", "esc-002"]);
  });

  it("leave out what is snoozed until its time, and then tell of it again", () => {
    const waiting = [told("esc-001", at(9), { snoozedUntil: at(15).toISOString() })];
    expect(notifying(waiting, usual, { now: at(14) })).toEqual({ now: [], next: at(15) });
    expect(notifying(waiting, usual, { now: at(15) }).now).toEqual(["esc-001"]);
    const again = [told("esc-001", at(15), { snoozedUntil: at(15).toISOString(), reminders: 2 })];
    expect(notifying(again, usual, { now: at(15, 1) })).toEqual({ now: [], next: at(15, 0, 17) });
  });

  it("keep a distance, so that a burst becomes few messages", () => {
    const last = at(12).toISOString();
    const soon = new Date(at(12).getTime() + 2_000);
    expect(notifying([entry("esc-002")], usual, { now: at(12), last })).toEqual({ now: [], next: soon });
    expect(notifying([entry("esc-002")], usual, { now: soon, last }).now).toEqual(["esc-002"]);
  });
});

describe("defaults", () => {
  const expiresAt = (escalation: Parameters<typeof timeOf>[0], notifies = true) => timeOf(escalation, { notifies });
  const question = {
    type: "question" as const,
    status: "pending" as const,
    createdAt: at(8).toISOString(),
    expires: { at: at(12).toISOString(), answer: "Redis" },
    history: [{ at: at(9).toISOString(), by: "hall", action: "reminded" as const }],
  };

  it("take effect at their time, for questions only", () => {
    expect(expiresAt(question)).toBe(at(12).getTime());
    for (const type of ["decision", "blocker", "approval"] as const)
      expect(expiresAt({ ...question, type })).toBeUndefined();
    expect(expiresAt({ ...question, status: "resolved" })).toBeUndefined();
  });

  it("leave the person an hour after the first notification, and wait while it is snoozed", () => {
    expect(expiresAt({ ...question, history: [] })).toBeUndefined();
    expect(expiresAt({ ...question, history: [] }, false)).toBe(at(12).getTime());
    const late = [{ ...question.history[0], at: at(11, 50).toISOString(), by: "hall", action: "reminded" as const }];
    expect(expiresAt({ ...question, history: late })).toBe(at(11, 50).getTime() + HOUR);
    expect(expiresAt({ ...question, snoozedUntil: at(20).toISOString() })).toBe(at(20).getTime());
  });
});
