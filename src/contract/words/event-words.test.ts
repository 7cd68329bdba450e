import { expect, test } from "vitest";
import type { HallEvent } from "../event.ts";
import { EVENT_TYPES } from "../event-types.ts";
import { eventChanges, eventWords } from "./event-words.ts";

const event = (given: Partial<HallEvent>): HallEvent => ({
  seq: 1,
  id: "e",
  at: "2026-01-01T00:00:00Z",
  type: "task.moved",
  actor: { kind: "person", via: "http" },
  subject: { kind: "task", id: "TASK-012" },
  prev: "",
  hash: "",
  ...given,
});

const sentence = (given: Partial<HallEvent>): string => {
  const { who, did, name, more } = eventWords(event(given));
  return [who, did, name, more].filter((part) => part !== undefined && part !== "").join(" ");
};

test.each<[Partial<HallEvent>, string]>([
  [{ before: { status: "pending" }, after: { status: "done" } }, "You moved the task TASK-012 from pending to done"],
  [
    { type: "task.created", actor: { kind: "agent", id: "run-1", via: "daemon" }, after: { title: "Mend it" } },
    "An agent created the task TASK-012 “Mend it”",
  ],
  [
    {
      type: "run.ended",
      subject: { kind: "run", id: "run-1" },
      after: { status: "failed", taskId: "TASK-001", error: "No\nway" },
    },
    "A run on TASK-001 failed: No",
  ],
  [
    {
      type: "team.activity",
      subject: { kind: "team", id: "team-1" },
      after: { type: "task-claimed", member: "head-lisbon", task: "store", data: { model: "opus" } },
    },
    "Team: head-lisbon started store with opus",
  ],
  [
    { type: "team.moved", subject: { kind: "team", id: "team-1" }, after: { status: "failed", reason: "No spec" } },
    "A team is now failed: No spec",
  ],
  [
    {
      type: "run.approved",
      subject: { kind: "run", id: "run-1" },
      after: { taskId: "TASK-001", taskNotMoved: { code: "invalid_file", reason: "Its file can't be read." } },
    },
    "You approved the result of a run on TASK-001, but the task was not moved: Its file can't be read.",
  ],
  [
    { type: "daemon.started", actor: { kind: "daemon", via: "daemon" }, subject: { kind: "workspace", id: "w" } },
    "The daemon started",
  ],
  [{ type: "task.updated", actor: { kind: "person", via: "file" } }, "File edit: updated the task TASK-012"],
  [
    {
      type: "file.invalid",
      actor: { kind: "person", via: "file" },
      subject: { kind: "file", id: "projects/shop/TASKS/active/TASK-004.md" },
      after: { line: 3, reason: "a ']' is missing" },
    },
    "TASK-004 was edited and can't be read: a ']' is missing",
  ],
  [{ type: "file.mended", actor: { kind: "person", via: "file" } }, "TASK-012 is valid again"],
])("an event reads as a sentence: %#", (given, expected) => {
  expect(sentence(given)).toBe(expected);
});

test("what an event names by id is called by its name where that is known", () => {
  const names = {
    role: (id: string) => (id === "coder" ? "Code Specialist" : undefined),
    title: (_: string, id: string) => (id === "TASK-001" ? "Mend the roof" : undefined),
    run: (id: string) => (id === "run-1" ? { roleId: "coder", taskId: "TASK-001" } : undefined),
  };
  const said = (given: Partial<HallEvent>) =>
    Object.values(eventWords(event(given), names))
      .filter(Boolean)
      .join(" ");
  const about = { subject: { kind: "run", id: "run-1" } } as const;
  const agent = { kind: "agent", id: "run-1", via: "daemon" } as const;
  const after = { roleId: "coder", taskId: "TASK-001", attempt: 1, status: "completed" };
  expect([
    said({ ...about, type: "run.created", after }),
    said({ ...about, type: "run.started", actor: agent, after: { attempt: 2 } }),
    said({ ...about, type: "run.ended", actor: agent, after: { status: "completed" } }),
    said({ subject: { kind: "task", id: "TASK-001" }, actor: agent, after: { status: "review" } }),
    said({ type: "assignment.created", after: { roleId: "poet" } }),
  ]).toEqual([
    "You queued a run of Code Specialist on TASK-001 “Mend the roof”",
    "Code Specialist started a run on TASK-001 “Mend the roof” (attempt 2)",
    "A run of Code Specialist on TASK-001 “Mend the roof” completed",
    "Code Specialist moved the task TASK-001 “Mend the roof” to review",
    "You added poet to the team",
  ]);
});

test("every kind of event has its own words, and one of a newer daemon its name", () => {
  for (const type of EVENT_TYPES) expect(sentence({ type })).not.toContain(type);
  expect(sentence({ type: "hall.painted" as HallEvent["type"] })).toBe("You hall.painted TASK-012");
});

test("changes leave out what is the same and shorten digests", () => {
  const hash = "a".repeat(64);
  expect(eventChanges({ before: { id: 1, title: "A", gone: "x" }, after: { id: 2, title: "A", hash } })).toEqual([
    { field: "gone", from: "x", to: "" },
    { field: "hash", from: "", to: "aaaaaaaa…" },
  ]);
});
