import { describe, expect, it } from "vitest";
import { findingsText } from "./findings.ts";
import { type CheckedTask, IDLE_RULES, type IdleState } from "./idle-rules.ts";
import { SHUTDOWN_RULES, type ShutdownState } from "./shutdown-rules.ts";

const SINCE = "2026-11-16T10:00:00.000Z";
const BEFORE = "2026-11-16T09:00:00.000Z";
const AFTER = "2026-11-16T11:00:00.000Z";
const after = Date.parse(AFTER);
const before = Date.parse(BEFORE);

const task = (more: Partial<CheckedTask>): CheckedTask => ({
  ...{ id: "TASK-001", status: "pending", createdAt: BEFORE, movedAt: BEFORE, movedBy: "agent" },
  ...{ createdBy: "agent", hasMoved: true },
  ...{ hasRun: false, questions: 0, waitingOn: 0, unmet: 0, isPartial: false },
  ...more,
});
const done = (more: Partial<CheckedTask> = {}) => task({ status: "done", movedAt: AFTER, ...more });
const state = (more: Partial<IdleState>): IdleState => ({
  ...{ since: SINCE, tasks: [], plans: [], learnedAt: 0, hasTold: false },
  ...{ answer: { isAwaited: true, isEmpty: false } },
  ...more,
});
const plan = (more: object = {}) => ({ slug: "door", editedAt: before, done: 1, total: 2, ...more });
const unawaited = { isAwaited: false, isEmpty: false };

describe("built-in checks of TeammateIdle", () => {
  it.each<[string, keyof typeof IDLE_RULES, Partial<IdleState>, object[]]>([
    [
      "a task in progress without a run [S4-HOOK-01]",
      "tasks-updated",
      { tasks: [task({ status: "in-progress" })] },
      [{ code: "task_without_run", taskId: "TASK-001" }],
    ],
    ["a task with a run", "tasks-updated", { tasks: [task({ status: "in-progress", hasRun: true })] }, []],
    ["a person's own task", "tasks-updated", { tasks: [task({ status: "in-progress", movedBy: "person" })] }, []],
    [
      "criteria not met and nothing created for them [S4-HOOK-02]",
      "follow-ups-created",
      { tasks: [done({ unmet: 2 })] },
      [{ code: "no_follow_up", taskId: "TASK-001", unmet: 2 }],
    ],
    [
      "a result that is partly done [S4-HOOK-02]",
      "follow-ups-created",
      { tasks: [done({ status: "review", isPartial: true })] },
      [{ code: "no_follow_up", taskId: "TASK-001", unmet: 0 }],
    ],
    ["a complete result", "follow-ups-created", { tasks: [done()] }, []],
    ["a result of long ago", "follow-ups-created", { tasks: [done({ unmet: 1, movedAt: BEFORE })] }, []],
    [
      "a new task for the rest",
      "follow-ups-created",
      { tasks: [done({ unmet: 1 }), task({ id: "TASK-002", createdAt: AFTER })] },
      [],
    ],
    ["a question about the rest", "follow-ups-created", { tasks: [done({ unmet: 1, questions: 1 })] }, []],
    [
      "a plan that was not edited since its task moved [S4-HOOK-03]",
      "plan-updated",
      { tasks: [done({ plan: "door" })], plans: [plan()] },
      [{ code: "plan_outdated", slug: "door", taskIds: ["TASK-001"], isComplete: false }],
    ],
    [
      "a plan whose tasks are all done [S4-HOOK-03]",
      "plan-updated",
      { tasks: [done({ plan: "door" })], plans: [plan({ done: 2 })] },
      [{ code: "plan_outdated", slug: "door", taskIds: ["TASK-001"], isComplete: true }],
    ],
    ["an edited plan", "plan-updated", { tasks: [done({ plan: "door" })], plans: [plan({ editedAt: after })] }, []],
    ["a plan in which nothing moved", "plan-updated", { tasks: [task({ plan: "door" })], plans: [plan()] }, []],
    [
      "a task that is only new",
      "plan-updated",
      { tasks: [task({ plan: "door", createdAt: AFTER, movedAt: AFTER, hasMoved: false })], plans: [plan()] },
      [],
    ],
    [
      "a new task of the person's",
      "follow-ups-created",
      { tasks: [done({ isPartial: true }), task({ id: "TASK-002", createdAt: AFTER, createdBy: "person" })] },
      [{ code: "no_follow_up", taskId: "TASK-001", unmet: 0 }],
    ],
    [
      "finished work and nothing saved [S4-HOOK-04, S4-KN-06]",
      "learnings-saved",
      { tasks: [done()], learnedAt: before },
      [{ code: "no_learnings", taskIds: ["TASK-001"] }],
    ],
    ["something saved since", "learnings-saved", { tasks: [done()], learnedAt: after }, []],
    ["no finished work", "learnings-saved", { tasks: [task({ movedAt: AFTER })] }, []],
    ["work that a person finished", "learnings-saved", { tasks: [done({ movedBy: "person" })] }, []],
    [
      "an empty answer that someone waits for [S4-HOOK-05]",
      "results-reported",
      { answer: { isAwaited: true, isEmpty: true } },
      [{ code: "not_reported", to: "sender" }],
    ],
    ["an answer", "results-reported", { tasks: [done()] }, []],
    [
      "finished work that nobody is told of [S4-HOOK-05]",
      "results-reported",
      { tasks: [done()], answer: unawaited },
      [{ code: "not_reported", to: "main" }],
    ],
    ["a notification", "results-reported", { tasks: [done()], answer: unawaited, hasTold: true }, []],
    [
      "a blocked task without a question [S4-HOOK-06]",
      "blockers-escalated",
      { tasks: [task({ status: "blocked" })] },
      [{ code: "blocked_without_question", taskId: "TASK-001" }],
    ],
    [
      "a blocked task with a question",
      "blockers-escalated",
      { tasks: [task({ status: "blocked", questions: 1 })] },
      [],
    ],
    ["a task that waits for others", "blockers-escalated", { tasks: [task({ status: "blocked", waitingOn: 1 })] }, []],
  ])("%s", (_, name, given, findings) => {
    expect(IDLE_RULES[name](state(given))).toEqual(findings);
  });
});

describe("built-in checks of PreShutdown", () => {
  const nothing: ShutdownState = { drafts: [], tasks: [], unread: [], inReview: [] };
  it.each<[string, keyof typeof SHUTDOWN_RULES, Partial<ShutdownState>, object[]]>([
    [
      "a draft [S4-HOOK-09]",
      "drafts-reviewed",
      { drafts: ["esc-001"] },
      [{ code: "draft_question", escalationId: "esc-001" }],
    ],
    ["no draft", "drafts-reviewed", {}, []],
    [
      "a task in progress without a run [S4-HOOK-10]",
      "no-orphaned-tasks",
      { tasks: [task({ status: "in-progress" })] },
      [{ code: "task_without_run", taskId: "TASK-001" }],
    ],
    [
      "results that nobody dealt with [S4-HOOK-11]",
      "results-processed",
      { unread: ["run-1"], inReview: [{ runId: "run-2", taskId: "TASK-002" }] },
      [
        { code: "unread_result", runId: "run-1" },
        { code: "result_in_review", runId: "run-2", taskId: "TASK-002" },
      ],
    ],
    ["no results", "results-processed", {}, []],
  ])("%s", (_, name, given, findings) => {
    expect(SHUTDOWN_RULES[name]({ ...nothing, ...given })).toEqual(findings);
  });
});

it("names what is missing, and at most twenty things", () => {
  const many = Array.from({ length: 22 }, (_, at) => ({ code: "unread_result" as const, runId: `run-${at}` }));
  expect(findingsText(many)).toMatch(/^- The result of run-0 has not been read\.\n[\s\S]*run-19[\s\S]*\n- and 2 more$/);
});
