import { expect, test } from "vitest";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { filterIn, fitsFilter, newestFirst, withDays } from "./event-rows.ts";

const event = (seq: number, given: Partial<HallEvent> = {}): HallEvent => ({
  seq,
  id: `e${seq}`,
  at: `2026-01-0${seq}T10:00:00Z`,
  type: "task.moved",
  actor: { kind: "person", via: "http" },
  projectId: "shop",
  subject: { kind: "task", id: "TASK-001" },
  prev: "",
  hash: "",
  ...given,
});

test("events from pages and from the stream stand once, the newest first, below their days", () => {
  const events = newestFirst([event(1), event(2)], [event(3, { at: "2026-01-02T11:00:00Z" }), event(2)]);
  expect(withDays(events, (at) => at.toISOString().slice(0, 10)).map(({ key }) => key)).toEqual([
    "2026-01-02",
    "3",
    "2",
    "2026-01-01",
    "1",
  ]);
});

test("a filter goes by project, by what it is about and by who did it", () => {
  expect(fitsFilter(event(1), {})).toBe(true);
  expect(fitsFilter(event(1), { project: "shop", about: "tasks", actor: "person" })).toBe(true);
  expect(fitsFilter(event(1), { project: "other" })).toBe(false);
  expect(fitsFilter(event(1, { type: "runs.stopped" }), { about: "runs" })).toBe(true);
  expect(fitsFilter(event(1), { about: "runs" })).toBe(false);
  expect(fitsFilter(event(1), { actor: "agent" })).toBe(false);
});

test("what an address says without a meaning narrows nothing", () => {
  expect(filterIn({ project: "shop", about: "runs", actor: "agent" })).toEqual({
    project: "shop",
    about: "runs",
    actor: "agent",
  });
  expect(filterIn({ about: "toString", actor: "evil" })).toEqual({});
});
