import { describe, expect, it, test } from "vitest";
import type { ControlFile } from "../contract/control-file.ts";
import type { Run } from "../contract/run.ts";
import { TASK_STATUSES } from "../contract/task-status.ts";
import {
  afterGates,
  canDecide,
  type Decision,
  didNotContinue,
  type Evidence,
  handedIn,
  isSuperseded,
  type Judgement,
  type ResultState,
  taskAfterRun,
  taskPathsAfter,
  taskWhenCompleted,
} from "./lifecycle.ts";

const CONTROL: ControlFile = { path: ".npmrc", kind: "package-manager", change: "added" };
const ENDS = ["completed", "failed", "cancelled"] as const;
const PLACES = ["branch", "folder"] as const;
const CHANGED = ["nothing", "something", "unknown"] as const;
const FINDING = { severity: "high", message: "A test fails." } as const;

const short = (standing: ReturnType<typeof handedIn> | ReturnType<typeof afterGates>) =>
  typeof standing === "string"
    ? standing
    : `${standing.state}${standing.reasonCode === undefined ? "" : ` ${standing.reasonCode}`}`;

describe("a result that is handed in", () => {
  /** Every combination: what was changed, whether control files are among it, how the run ended, and who looks at it. */
  const table = {
    "branch nothing": { completed: ["unchanged", "review no-changes"], failed: "unchanged", cancelled: "unchanged" },
    "branch something": { completed: "judge", failed: "kept", cancelled: "kept" },
    "branch something control": { completed: "review control-files", failed: "kept", cancelled: "kept" },
    "folder nothing": { completed: ["unchanged", "review no-changes"], failed: "unchanged", cancelled: "unchanged" },
    "folder something": { completed: "judge", failed: "kept", cancelled: "kept" },
    "folder something control": "review control-files",
    "folder unknown": "review changes-unknown",
    "folder unknown control": "review control-files",
  } as const;

  const cases = Object.entries(table).flatMap(([name, expected]) =>
    ENDS.flatMap((status) =>
      [false, true].map((requiresReview) => {
        const of = typeof expected === "string" ? expected : expected[status];
        return { name, status, requiresReview, expected: typeof of === "string" ? of : of[requiresReview ? 1 : 0] };
      }),
    ),
  );

  test.each(cases)("$name, $status, review required: $requiresReview → $expected", (given) => {
    const [place, changed, control] = given.name.split(" ") as [Evidence["place"], Evidence["changed"], string?];
    const evidence = { place, changed, controlFiles: control === undefined ? [] : [CONTROL] };
    const policy = { requiresReview: given.requiresReview };
    expect(short(handedIn(given.status, evidence, policy))).toBe(given.expected);
  });

  it("is never delivered, nor judged, unless its run completed and is known to be without control files", () => {
    for (const status of ENDS)
      for (const place of PLACES)
        for (const changed of CHANGED)
          for (const controlFiles of [[], [CONTROL]])
            for (const requiresReview of [false, true]) {
              const isClean = status === "completed" && changed === "something" && controlFiles.length === 0;
              const begun = handedIn(status, { place, changed, controlFiles }, { requiresReview });
              expect(begun === "judge", JSON.stringify({ status, place, changed, controlFiles })).toBe(isClean);
            }
  });
});

test.each<[judgement: Judgement, free: string, required: string]>([
  [{ is: "pass" }, "deliver", "review required"],
  [{ is: "fail", findings: [FINDING] }, "review gate-failed", "review gate-failed"],
  [{ is: "fail", findings: [] }, "review gate-failed", "review gate-failed"],
  [{ is: "unable", reason: "no compiler" }, "review gate-unable", "review gate-unable"],
])("after the gates said %j: %s, or %s where a review is required", (judgement, free, required) => {
  expect(short(afterGates(judgement, { requiresReview: false }))).toBe(free);
  expect(short(afterGates(judgement, { requiresReview: true }))).toBe(required);
});

test("findings of the gates stay with the result, and the reason names the first", () => {
  const failed = afterGates({ is: "fail", findings: [FINDING, FINDING] }, { requiresReview: false });
  expect(failed).toMatchObject({
    findings: [FINDING, FINDING],
    reason: expect.stringContaining("A test fails. and 1"),
  });
});

describe("a task whose run is over", () => {
  it.each<[status: Run["status"], state: ResultState | undefined, free: string, required: string]>([
    ["completed", "merged", "done", "review"],
    ["completed", "applied", "done", "review"],
    ["completed", "unchanged", "done", "review"],
    ["completed", undefined, "done", "review"],
    ["completed", "review", "review", "review"],
    ["failed", "kept", "failed", "failed"],
    ["failed", "review", "failed", "failed"],
    ["cancelled", "kept", "pending", "pending"],
  ])("that %s with its result %s is %s, or %s where a review is required", (status, state, free, required) => {
    expect(taskAfterRun("in-progress", { status, state }, { requiresReview: false })).toBe(free);
    expect(taskAfterRun("in-progress", { status, state }, { requiresReview: true })).toBe(required);
  });

  it.each(TASK_STATUSES.filter((status) => status !== "in-progress"))(
    "stays %s when a person moved it there",
    (task) => {
      for (const status of ENDS)
        expect(taskAfterRun(task, { status, state: "merged" }, { requiresReview: false })).toBe(task);
    },
  );

  it("waits for a person where an agent completes it and the project asks for a review", () => {
    expect([taskWhenCompleted({ requiresReview: true }), taskWhenCompleted({ requiresReview: false })]).toEqual([
      "review",
      "done",
    ]);
  });
});

describe("a person's decision", () => {
  const STATES = ["working", "unchanged", "merged", "applied", "review", "kept", "rejected", "reverted"] as const;
  it.each<[decision: Decision, place: Evidence["place"], states: ResultState[]]>([
    ["approved", "branch", ["review", "kept"]],
    ["approved", "folder", ["review", "kept"]],
    ["rejected", "branch", ["review", "kept"]],
    ["rejected", "folder", ["review", "kept"]],
    ["reverted", "branch", ["merged"]],
    ["reverted", "folder", ["applied", "review", "kept", "rejected"]],
  ])("%s, of a result on a %s, needs it to be one of %j", (decision, place, states) => {
    expect(STATES.filter((state) => canDecide(decision, { place, state })).toSorted()).toEqual(states.toSorted());
  });

  it.each<[decision: Decision, status: Run["status"], paths: string[]]>([
    ["approved", "completed", ["review done"]],
    ["approved", "failed", ["failed in-progress done", "pending in-progress done"]],
    ["approved", "cancelled", ["failed in-progress done", "pending in-progress done"]],
    ["reverted", "completed", ["done in-progress pending", "review in-progress pending"]],
    ["rejected", "completed", []],
  ])("%s, of a run that %s, moves its task along %j", (decision, status, paths) => {
    expect(taskPathsAfter(decision, { status }).map((path) => path.join(" "))).toEqual(paths);
  });
});

test.each<[given: Parameters<typeof isSuperseded>[0], expected: boolean]>([
  [{ branch: { name: "b", target: "main", state: "review" } }, true],
  [{ branch: { name: "b", target: "main", state: "merged" } }, false],
  [{ changes: { state: "review" } }, true],
  [{ changes: { state: "review", controlFiles: [CONTROL] } }, false],
  [{ changes: { state: "review", reasonCode: "changes-unknown" } }, false],
  [{ changes: { state: "applied" } }, false],
  [{}, false],
])("other work on its task supersedes %j: %s", (given, expected) => expect(isSuperseded(given)).toBe(expected));

test.each<[given: object, expected: boolean]>([
  [{ status: "completed", usage: { turns: 0 } }, false],
  [{ status: "cancelled", usage: { turns: 0 } }, true],
  [{ status: "failed", usage: { turns: 3 } }, false],
  [{ status: "failed", usage: { turns: 3 }, changes: { state: "unchanged" } }, true],
])("a run like %j did not continue the result it was given: %s", (given, expected) => {
  expect(didNotContinue(given as Run)).toBe(expected);
});
