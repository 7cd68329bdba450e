import { describe, expect, it } from "vitest";
import { beat, type Heard, type HeartbeatState, nextBeat } from "./beat-rule.ts";

const at = (minutes: number) => new Date(Date.parse("2026-03-02T08:00:00Z") + minutes * 60_000);
const step = (state: HeartbeatState, minutes: number, fingerprint: string, heard?: Heard) =>
  beat(state, { now: at(minutes), fingerprint, heard, notes: 0 });
const first: HeartbeatState = { noted: 0, beats: [] };

describe("a beat", () => {
  it("tells the main agent of a change, and is silent while nothing changes [S4-TRIG-06] [S4-SCOPE-08] [S4-SCOPE-17]", () => {
    const one = step(first, 0, "aaaa");
    expect(one.send).toMatch(/^heartbeat-aaaa-/);
    const two = step(one.next, 30, "aaaa", "read");
    expect(two).toMatchObject({ next: { seen: "aaaa" } });
    expect(two.send).toBeUndefined();
    expect(two.next.sent).toBeUndefined();
    expect(step(two.next, 60, "bbbb").send).toMatch(/^heartbeat-bbbb-/);
  });

  it("sends no second message while one is unread, whatever changes", () => {
    const one = step(first, 0, "aaaa");
    const two = step(one.next, 30, "bbbb", "open");
    expect(two.send).toBeUndefined();
    expect(two.next.sent).toEqual(one.next.sent);
    expect(two.next.beats.at(-1)).toMatchObject({ outcome: "unread" });
  });

  it("does not take a fingerprint for seen when its message was dropped", () => {
    const one = step(first, 0, "aaaa");
    const two = step(one.next, 30, "aaaa", "dropped");
    expect(two.send).toBeDefined();
    expect(two.send).not.toBe(one.send);
    expect(two.next.seen).toBeUndefined();
    const three = step(two.next, 60, "bbbb", "read");
    expect(three.next.seen).toBe("aaaa");
    expect(three.send).toMatch(/^heartbeat-bbbb-/);
  });

  it("comes every so many minutes, also after the clock was set back, and 48 are remembered [S4-TRIG-01]", () => {
    expect(nextBeat(first, 30, at(0))).toEqual(at(0));
    let state = step(first, 0, "a").next;
    expect(nextBeat(state, 30, at(10))).toEqual(at(30));
    expect(nextBeat(state, 30, at(-600))).toEqual(at(-570));
    for (let count = 0; count < 100; count++) state = step(state, count, "a", "read").next;
    expect(state.beats).toHaveLength(48);
  });
});
