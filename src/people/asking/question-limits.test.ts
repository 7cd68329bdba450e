import { expect, it } from "vitest";
import { sampleEscalation } from "../../../test/fakes/sample-escalation.ts";
import { QuestionCap } from "./question-limits.ts";

const NOW = Date.parse("2026-11-16T12:00:00.000Z");
const clock = () => new Date(NOW);
const asked = (by: string, minutesAgo: number) => ({
  ...sampleEscalation(new Date(NOW - minutesAgo * 60_000).toISOString(), {
    escalatedBy: by,
    askers: [{ kind: "run", id: by.slice(4), waits: false, askedAt: new Date(NOW).toISOString() }],
  }),
  ...{ id: "esc-001", path: "escalations/pending/esc-001.json", etag: "" },
});
const next = (by: string) => ({ by, projectId: "shop", kind: "run" as const });

it("counts what was asked before a restart, within the hour", () => {
  const full = new QuestionCap(clock, () => Array.from({ length: 10 }, () => asked("run:a", 30)));
  expect(() => full.take(next("run:a"))).toThrow("You asked 10 questions");
  expect(() => full.take(next("run:b"))).not.toThrow();
  const crowded = new QuestionCap(clock, () => Array.from({ length: 30 }, (_, at) => asked(`run:${at}`, 30)));
  expect(() => crowded.take(next("run:new"))).toThrow("This project asked 30 questions");
  const old = new QuestionCap(clock, () => Array.from({ length: 30 }, () => asked("run:a", 61)));
  expect(() => old.take(next("run:a"))).not.toThrow();
});
