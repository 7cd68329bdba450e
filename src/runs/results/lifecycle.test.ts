import { describe, expect, it, test } from "vitest";
import type { ControlFile } from "../../contract/documents/control-file.ts";
import { TASK_STATUSES, type TaskStatus } from "../../contract/documents/task-status.ts";
import { type Delivery, DeliveryState } from "../../contract/runs/delivery.ts";
import { decide } from "./lifecycle.ts";
import type { Decision, Evidence, Judgement, PlainEvent, RunPart, Step } from "./lifecycle-events.ts";

const CONTROL: ControlFile = { path: ".npmrc", kind: "package-manager", change: "added" };
const FINDING = { severity: "high", message: "A test fails." } as const;
const ENDS = ["completed", "failed", "cancelled"] as const;
const KINDS = ["branch", "folder"] as const;
const CHANGED = ["nothing", "something", "unknown"] as const;
const STATES = DeliveryState.options;
const POLICIES = [{ requiresReview: false }, { requiresReview: true }];

const UNDONE = { at: "", task: "pending", from: { state: "review" } } as const;

const delivery = (kind: Delivery["kind"], state: DeliveryState = "working", more: object = {}): Delivery =>
  kind === "branch"
    ? { kind, name: "guildhall/x", target: "main", state, ...more }
    : ({ kind, state, ...more } as Delivery);

const run = (more: Partial<RunPart> & { turns?: number } = {}): RunPart => {
  const { turns = 3, ...rest } = more;
  const usage = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd: 0,
    costKnown: true,
  };
  return { id: "run-1", status: "completed", purpose: "work", usage: { turns, ...usage }, ...rest };
};

/** `state code`, or what is to be done next, or the refusal. */
const short = ({ delivery: after, effects, refused }: Step): string =>
  refused ??
  (effects.length > 0
    ? effects.join(" ")
    : [after?.state ?? "none", ...(after?.reasonCode === undefined ? [] : [after.reasonCode])].join(" "));

describe("a result that is handed in", () => {
  /** Every combination: what was changed, whether control files are among it, how the run ended, and who looks at it. */
  const table = {
    "branch nothing": "unchanged",
    "branch something": { completed: "judge", failed: "kept", cancelled: "kept" },
    "branch something control": { completed: "review control-files", failed: "kept", cancelled: "kept" },
    "folder nothing": "unchanged",
    "folder something": { completed: "judge", failed: "kept", cancelled: "kept" },
    "folder something control": "review control-files",
    "folder unknown": "review changes-unknown",
    "folder unknown control": "review control-files",
  } as const;

  const cases = Object.entries(table).flatMap(([name, expected]) =>
    ENDS.flatMap((status) =>
      POLICIES.map((policy) => {
        const of = typeof expected === "string" ? expected : expected[status];
        return { name, status, policy, expected: of };
      }),
    ),
  );

  test.each(cases)("$name, $status, $policy → $expected", ({ name, status, policy, expected }) => {
    const [kind, changed, control] = name.split(" ") as [Delivery["kind"], Evidence["changed"], string?];
    const evidence = { changed, controlFiles: control === undefined ? [] : [CONTROL] };
    const step = decide(
      { run: run({ status, delivery: delivery(kind) }) },
      { type: "handed-in", status, ...evidence },
      policy,
    );
    expect(short(step)).toBe(expected);
  });

  it("is never delivered, nor judged, unless its run completed and is known to be without control files", () => {
    for (const status of ENDS)
      for (const kind of KINDS)
        for (const changed of CHANGED)
          for (const controlFiles of [[], [CONTROL]])
            for (const policy of POLICIES) {
              const isClean = status === "completed" && changed === "something" && controlFiles.length === 0;
              const subject = { run: run({ status, delivery: delivery(kind) }) };
              const step = decide(subject, { type: "handed-in", status, changed, controlFiles }, policy);
              expect(
                [short(step) === "judge", step.delivery?.state],
                JSON.stringify({ status, kind, changed }),
              ).toEqual([isClean, isClean ? "working" : expect.not.stringMatching("delivered|working")]);
            }
  });

  it("by a team counts although the run that delivers it failed, and not where it was stopped", () => {
    const policy = { requiresReview: false, author: "team" as const };
    const after = ENDS.map((status) => {
      const subject = { run: run({ status, purpose: "lead", delivery: delivery("branch") }) };
      return short(decide(subject, { type: "handed-in", status, changed: "something", controlFiles: [] }, policy));
    });
    expect(after).toEqual(["judge", "judge", "kept"]);
  });

  it.each([
    ["that cannot write", {}],
    ["that is part of another run", { parentRunId: "run-0" }],
    ["that reviews another result", { purpose: "review" as const }],
  ])("by a run %s is none", (_, more) => {
    const event = { type: "handed-in", status: "completed", changed: "nothing", controlFiles: [] } as const;
    expect(POLICIES.map((policy) => short(decide({ run: run(more) }, event, policy)))).toEqual(["none", "none"]);
  });
});

describe("what the gates say", () => {
  test.each<[judgement: Judgement, kind: Delivery["kind"], free: string, required: string]>([
    [{ is: "pass" }, "branch", "deliver", "review required"],
    [{ is: "pass" }, "folder", "delivered", "review required"],
    ...KINDS.flatMap((kind): [Judgement, Delivery["kind"], string, string][] => [
      [{ is: "fail", findings: [FINDING] }, kind, "review gate-failed", "review gate-failed"],
      [{ is: "fail", findings: [] }, kind, "review gate-failed", "review gate-failed"],
      [{ is: "unable", reason: "no compiler" }, kind, "review gate-unable", "review gate-unable"],
    ]),
  ])("%j of a result on a %s: %s, or %s where a review is required", (judgement, kind, free, required) => {
    const subject = { run: run({ delivery: delivery(kind) }) };
    const steps = POLICIES.map((policy) => short(decide(subject, { type: "judged", judgement }, policy)));
    expect(steps).toEqual([free, required]);
  });

  it("stays with the result, and the reason names the first finding", () => {
    const judgement: Judgement = { is: "fail", findings: [FINDING, FINDING] };
    const subject = { run: run({ delivery: delivery("branch") }) };
    expect(decide(subject, { type: "judged", judgement }, { requiresReview: false }).delivery).toMatchObject({
      findings: [FINDING, FINDING],
      reason: expect.stringContaining("A test fails. and 1"),
    });
  });
});

describe("the task of a run that is over", () => {
  it.each<[status: (typeof ENDS)[number], state: DeliveryState | undefined, free: TaskStatus, required: TaskStatus]>([
    ["completed", "delivered", "done", "review"],
    ["completed", "unchanged", "done", "done"],
    ["completed", undefined, "done", "done"],
    ["completed", "review", "review", "review"],
    ["failed", "kept", "failed", "failed"],
    ["failed", "review", "failed", "failed"],
    ["cancelled", "kept", "pending", "pending"],
  ])("that %s with its result %s is %s, or %s where a review is required", (status, state, free, required) => {
    for (const kind of KINDS) {
      const over = run({ status, ...(state === undefined ? {} : { delivery: delivery(kind, state) }) });
      const moves = POLICIES.map(
        (policy) => decide({ run: over, task: "in-progress" }, { type: "ended" }, policy).moves,
      );
      expect(moves).toEqual([[free], [required]]);
    }
  });

  it.each(TASK_STATUSES.filter((status) => status !== "in-progress"))(
    "stays %s when a person moved it there",
    (task) => {
      for (const status of ENDS)
        for (const policy of POLICIES) {
          const over = run({ status, delivery: delivery("branch", "delivered") });
          expect(decide({ run: over, task }, { type: "ended" }, policy).moves).toEqual([]);
        }
    },
  );

  it("waits for a person where an agent completes it and the project asks for a review", () => {
    const moves = (by: "agent" | "person") =>
      POLICIES.map((policy) => decide({}, { type: "task-completed", by }, policy).moves[0]);
    expect([moves("agent"), moves("person")]).toEqual([
      ["done", "review"],
      ["done", "done"],
    ]);
  });
});

describe("a run that was to continue a result", () => {
  const sentBack = (kind: Delivery["kind"]) =>
    run({ id: "run-0", delivery: delivery(kind, "rejected", { next: "run-1" }) });

  it.each<[more: Parameters<typeof run>[0], isGivenBack: boolean]>([
    [{ status: "completed", turns: 0 }, false],
    [{ status: "completed", turns: 3, delivery: delivery("branch", "unchanged") }, false],
    [{ status: "completed", turns: 3, delivery: delivery("folder", "unchanged") }, true],
    [{ status: "cancelled", turns: 0 }, true],
    [{ status: "failed", turns: 3 }, false],
    [{ status: "failed", turns: 3, delivery: delivery("folder", "unchanged") }, true],
    [{ status: "failed", turns: 3, delivery: delivery("folder", "kept") }, false],
    [{ id: "run-2", status: "cancelled", turns: 0 }, false],
  ])("and ended as %j gives it back: %s", (more, isGivenBack) => {
    for (const kind of KINDS)
      for (const policy of POLICIES) {
        const subject = { run: run(more), task: "in-progress" as const };
        const step = decide(subject, { type: "ended", before: sentBack(kind) }, policy);
        expect(step.effects).toEqual(isGivenBack ? ["give-back"] : []);
        if (isGivenBack) expect(step.moves).toEqual(["review"]);
      }
  });

  it.each(KINDS)("gives one on a %s back to review, only if that still waits for it", (kind) => {
    const { id: from } = run();
    const back = (known: RunPart) => short(decide({ run: known }, { type: "returned", from }));
    const { delivery: control } = run({
      delivery: delivery(kind, "rejected", { next: from, controlFiles: [CONTROL] }),
    });
    expect(back(sentBack(kind))).toBe("review not-continued");
    expect(back(run({ ...(control === undefined ? {} : { delivery: control }) }))).toBe("review control-files");
    expect(back(run({ delivery: delivery(kind, "rejected", { next: "run-9" }) }))).toBe("none");
    for (const state of STATES.filter((one) => one !== "rejected"))
      expect(back(run({ delivery: delivery(kind, state, { next: from }) }))).toBe("none");
  });

  it("does so again when it is retried, unless the result was approved meanwhile", () => {
    for (const status of ENDS)
      for (const state of STATES) {
        const step = decide(
          { run: run({ status }) },
          { type: "retry", before: run({ delivery: delivery("branch", state) }) },
        );
        expect(step.effects).toEqual(state === "delivered" ? [] : ["continue"]);
      }
  });
});

describe("a decision", () => {
  const decisions: Record<Decision, Record<Delivery["kind"], DeliveryState[]>> = {
    approve: { branch: ["review", "kept"], folder: ["review", "kept"] },
    reject: { branch: ["review", "kept"], folder: ["review", "kept"] },
    revert: { branch: ["delivered"], folder: ["delivered", "rejected"] },
    discard: { branch: ["review", "kept"], folder: ["review", "kept"] },
    restore: { branch: ["discarded"], folder: ["discarded"] },
  };
  const effects = {
    approve: "deliver",
    reject: "start-next",
    revert: "take-back",
    discard: "discard",
    restore: "restore",
  };
  const DISCARD = { at: "10:00", until: "10:01", task: "pending", from: { state: "review" } } as const;

  it.each(
    (["approve", "reject", "revert", "discard", "restore"] as const).flatMap((type) =>
      KINDS.flatMap((kind) => STATES.map((state) => ({ type, kind, state }))),
    ),
  )("to $type a result on a $kind that is $state", ({ type, kind, state }) => {
    const isAllowed = decisions[type][kind].includes(state);
    const known = run({ delivery: delivery(kind, state, state === "discarded" ? { discard: DISCARD } : {}) });
    expect(short(decide({ run: known }, { type, at: "10:00" }))).toBe(isAllowed ? effects[type] : "state");
  });

  it("needs a result; what was left of a revert or a discard can be removed later", () => {
    expect(short(decide({ run: run() }, { type: "approve" }))).toBe("no-result");
    for (const [type, state] of [
      ["revert", "reverted"],
      ["discard", "discarded"],
    ] as const) {
      const rest = run({ delivery: delivery("folder", state, { reason: "1 of its paths" }) });
      expect(short(decide({ run: rest }, { type }))).toBe(effects[type]);
    }
  });

  it("can be undone, where it is a discard, until its time is over", () => {
    const restore = (discard: object, at: string) =>
      short(decide({ run: run({ delivery: delivery("branch", "discarded", { discard }) }) }, { type: "restore", at }));
    expect(restore(DISCARD, "10:01")).toBe("restore");
    expect(restore(DISCARD, "10:02")).toBe("expired");
    const { until: _, ...forGood } = DISCARD;
    expect(restore(forGood, "10:00")).toBe("expired");
  });

  it.each<[before: Partial<Delivery>, by: string | undefined, after: object]>([
    [
      { state: "review", reasonCode: "required", reason: "x" },
      undefined,
      { state: "review", reasonCode: "required", reason: "x" },
    ],
    // Nobody checks it any more.
    [
      { state: "review", reasonCode: "gate-running", reason: "x" },
      undefined,
      { state: "review", reasonCode: "gate-unable", reason: expect.stringContaining("stopped checking") },
    ],
    [{ state: "kept", reason: "the run failed" }, undefined, { state: "kept", reason: "the run failed" }],
    [{ state: "review" }, "run-2", { state: "kept", reason: "superseded by run-2" }],
  ])("to discard %j, undone while %s has its task, leaves %j", (before, by, after) => {
    for (const kind of KINDS) {
      const known = run({ delivery: delivery(kind, "review", before) });
      const { from: _, ...discard } = DISCARD;
      const discarded = decide({ run: known }, { type: "discarded", discard });
      expect([discarded.delivery?.state, discarded.effects]).toEqual(["discarded", ["clean-up"]]);
      const back = decide({ run: run({ ...discarded }) }, { type: "restored", by });
      expect(back.delivery).toEqual({ ...delivery(kind), ...after });
      expect(back.effects).toEqual(["restore"]);
      expect(decide({ run: known }, { type: "restored" }).delivery).toBeUndefined();
    }
  });

  it.each<[event: PlainEvent, state: string, more: object]>([
    [{ type: "approved", merge: "abc" }, "delivered", { merge: "abc" }],
    [{ type: "approved", isNothing: true }, "unchanged", {}],
    [{ type: "rejected", next: "run-2" }, "rejected", { next: "run-2" }],
    [{ type: "reverted", commit: "def" }, "reverted", { revert: "def" }],
    [{ type: "reverted", reason: "1 of its paths" }, "reverted", { reason: "1 of its paths" }],
  ])("%j leaves the result %s, without what it waited for", (event, state, more) => {
    const waits = { reason: "the project asks", reasonCode: "required", controlFiles: [CONTROL] };
    const { delivery: after } = decide({ run: run({ delivery: delivery("branch", "review", waits) }) }, event);
    const { reason: _, reasonCode: _code, ...kept } = delivery("branch", "review", waits);
    expect(after).toEqual({ ...kept, state, ...more });
  });

  it.each<[event: PlainEvent, status: RunPart["status"], paths: Partial<Record<TaskStatus, string>>]>([
    [{ type: "approved" }, "completed", { review: "done", blocked: "done" }],
    [{ type: "approved" }, "failed", { failed: "in-progress done", pending: "in-progress done", blocked: "done" }],
    [{ type: "approved" }, "cancelled", { failed: "in-progress done", pending: "in-progress done", blocked: "done" }],
    [{ type: "reverted" }, "completed", { done: "in-progress pending", review: "in-progress pending" }],
    [{ type: "rejected", next: "run-2" }, "completed", {}],
    [
      { type: "discarded", discard: { at: "", task: "pending" } },
      "completed",
      { review: "in-progress pending", failed: "pending" },
    ],
    [
      { type: "discarded", discard: { at: "", task: "pending" }, isResumed: true },
      "completed",
      { review: "in-progress pending", "in-progress": "pending", failed: "pending" },
    ],
    [
      { type: "discarded", discard: { at: "", task: "cancelled" } },
      "failed",
      { review: "cancelled", failed: "cancelled", pending: "cancelled", blocked: "cancelled" },
    ],
    [{ type: "discarded", discard: { at: "", task: "keep" } }, "completed", {}],
    [{ type: "restored", discard: { ...UNDONE, taskFrom: "review" } }, "completed", { pending: "in-progress review" }],
    [
      { type: "restored", discard: { ...UNDONE, taskFrom: "review", task: "cancelled" } },
      "completed",
      { cancelled: "pending in-progress review" },
    ],
    [{ type: "restored", discard: { ...UNDONE, taskFrom: "blocked" } }, "completed", { pending: "in-progress review" }],
    [{ type: "restored", discard: { ...UNDONE, taskFrom: "blocked" } }, "cancelled", {}],
    [{ type: "restored", discard: { ...UNDONE, taskFrom: "failed" } }, "failed", { pending: "failed" }],
    [{ type: "restored", discard: { ...UNDONE, taskFrom: "review", task: "keep" } }, "completed", {}],
    [{ type: "restored", discard: UNDONE }, "completed", {}],
    [{ type: "approved", isResumed: true }, "completed", { review: "done", blocked: "done" }],
    [
      { type: "approved", isResumed: true },
      "failed",
      { failed: "in-progress done", pending: "in-progress done", "in-progress": "done", blocked: "done" },
    ],
    [
      { type: "reverted", isResumed: true },
      "completed",
      { done: "in-progress pending", review: "in-progress pending", "in-progress": "pending" },
    ],
  ])("%j, of a run that %s, moves its task along %j and no other", (event, status, paths) => {
    for (const kind of KINDS)
      for (const task of TASK_STATUSES) {
        const subject = { run: run({ status, delivery: delivery(kind, "review") }), task };
        expect(decide(subject, event).moves.join(" "), task).toBe(paths[task] ?? "");
      }
  });

  it("cleans up only after an approval", () => {
    const subject = { run: run({ delivery: delivery("branch", "review") }) };
    const all: PlainEvent[] = [{ type: "approved" }, { type: "rejected", next: "run-2" }, { type: "reverted" }];
    expect(all.map((event) => decide(subject, event).effects)).toEqual([["clean-up"], [], []]);
  });
});

describe("other work on its task", () => {
  it.each(KINDS.flatMap((kind) => STATES.map((state) => ({ kind, state }))))(
    "supersedes a result on a $kind only while it waits for review: $state",
    ({ kind, state }) => {
      const after = decide({ run: run({ delivery: delivery(kind, state) }) }, { type: "superseded", by: "run-2" });
      expect(after.delivery?.state).toBe(state === "review" ? "kept" : undefined);
    },
  );

  it.each([{ controlFiles: [CONTROL] }, { reasonCode: "changes-unknown" }])(
    "does not supersede what may steer the person's tools from the folder: %j",
    (more) => {
      const superseded = (kind: Delivery["kind"]) =>
        decide({ run: run({ delivery: delivery(kind, "review", more) }) }, { type: "superseded", by: "run-2" });
      expect([superseded("folder").delivery, superseded("branch").delivery?.state]).toEqual([undefined, "kept"]);
    },
  );
});

describe("a result that cannot be merged or saved", () => {
  it.each(STATES)("that is %s stays so when it is blocked, unless nobody has looked at it yet", (state) => {
    const event = { type: "blocked", reasonCode: "merge-blocked", reason: "a conflict" } as const;
    const { delivery: after } = decide({ run: run({ delivery: delivery("branch", state) }) }, event);
    expect(after).toMatchObject({ state: state === "working" ? "review" : state, reason: "a conflict" });
  });

  it.each([
    ["completed", "review", "not-saved"],
    ["failed", "kept", undefined],
    ["cancelled", "kept", undefined],
  ] as const)("of a run that %s is in %s", (status, state, reasonCode) => {
    const event = { type: "unsaved", status, reasonCode: "not-saved", reason: "git failed" } as const;
    const { delivery: after } = decide({ run: run({ status, delivery: delivery("branch") }) }, event);
    expect([after?.state, after?.reasonCode, after?.reason]).toEqual([state, reasonCode, "git failed"]);
  });

  it("is delivered once it is merged", () => {
    const { delivery: after } = decide(
      { run: run({ delivery: delivery("branch") }) },
      { type: "merged", commit: "abc" },
    );
    expect(after).toMatchObject({ state: "delivered", merge: "abc" });
  });
});

test("a run is cancelled only before it is over, and retried only afterwards, unless it is part of another", () => {
  const statuses = ["pending", "running", ...ENDS] as const;
  const cancel = statuses.map((status) => short(decide({ run: run({ status }) }, { type: "cancel" })));
  expect(cancel).toEqual(["stop", "stop", "over", "over", "over"]);
  const retry = (more: object) =>
    statuses.map((status) => short(decide({ run: run({ status, ...more }) }, { type: "retry" })));
  expect(retry({})).toEqual(["not-over", "not-over", "continue", "continue", "continue"]);
  expect(retry({ parentRunId: "run-0" }).slice(2)).toEqual(["part-of-another", "part-of-another", "part-of-another"]);
});
