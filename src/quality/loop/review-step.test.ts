import { describe, expect, it } from "vitest";
import { type GateReview, REVIEW_STATES, type ReviewState } from "../../contract/documents/quality/review.ts";
import type { Judged, ReviewEvent } from "./review-events.ts";
import { beginReview, isOpen, reviewStep } from "./review-step.ts";

const AT = "2026-11-18T01:00:00.000Z";
const LATER = "2026-11-18T02:00:00.000Z";
const PERSON = { kind: "person" as const, via: "http" as const };

const APPROVAL = { actor: PERSON, hash: "seen", keepBranch: true };

const begun = beginReview(
  { id: "review-1", projectId: "shop", taskId: "TASK-001", maxCycles: 3, runId: "run-1", base: "b", head: "h" },
  AT,
);
const of = (state: ReviewState, more: Partial<GateReview> = {}): GateReview => ({
  ...begun,
  state,
  ...(state === "running" ? { gateId: "gate-1" } : {}),
  ...(state === "awaiting-rework" ? { nextRunId: "run-2" } : {}),
  ...(state === "escalated" ? { escalationId: "esc-001", asked: 1 } : {}),
  ...more,
});

const judged = (verdict: Judged["verdict"], more: Partial<Judged> = {}): Judged => ({
  ...{ type: "judged", gateId: "gate-1", verdict, score: 50, findings: [], missing: [], nextRunId: "run-2" },
  ...{ feedback: "Better.", comments: [], escalation: undefined },
  ...more,
});
const answered = (answer: "approve" | "request-changes" | "give-up" | "retry" | "none"): ReviewEvent => ({
  ...{ type: "answered", answer, nextRunId: "run-2", actor: PERSON, feedback: "Better.", comments: [] },
});

const EVENTS = {
  "handed-in": { type: "handed-in", runId: "run-2", base: "b", head: "h2" },
  "queue-full": { type: "queue-full", reason: "50 wait." },
  start: { type: "start", gateId: "gate-1" },
  pass: judged("pass"),
  fail: judged("fail"),
  unable: judged("unable"),
  skipped: judged("skipped"),
  done: { type: "done" },
  "moved branch": { type: "moved", head: "h2", base: "b2" },
  "moved target": { type: "moved", onto: "t2" },
  "approved, moved target": { type: "approved", approval: APPROVAL, onto: "t2" },
  "not-settled": { type: "not-settled", reason: "Gone." },
  "not-reworked": { type: "not-reworked", reason: "Nothing changed." },
  stopped: { type: "stopped", reason: "Gone." },
  decided: { type: "decided", reason: "Approved." },
  approve: answered("approve"),
  "request-changes": answered("request-changes"),
  "give-up": answered("give-up"),
  retry: answered("retry"),
  none: answered("none"),
} satisfies Record<string, ReviewEvent>;
type EventName = keyof typeof EVENTS;

/** What each state becomes after each event; everything else leaves it as it is. */
const TABLE: Partial<Record<ReviewState, Partial<Record<EventName, ReviewState>>>> = {
  pending: { start: "running", "queue-full": "escalated", stopped: "cancelled", decided: "superseded" },
  running: {
    ...{ pass: "passed", skipped: "passed", fail: "awaiting-rework", unable: "escalated" },
    ...{ stopped: "cancelled", decided: "superseded" },
  },
  "awaiting-rework": {
    ...{ "handed-in": "pending", "not-reworked": "escalated" },
    ...{ stopped: "cancelled", decided: "superseded" },
  },
  escalated: {
    ...{ approve: "escalated", "request-changes": "awaiting-rework", "give-up": "failed", retry: "pending" },
    ...{ none: "escalated", stopped: "cancelled", decided: "superseded" },
  },
  passed: { "approved, moved target": "pending" },
};

describe("a review", () => {
  const cells = REVIEW_STATES.flatMap((state) =>
    Object.keys(EVENTS).map((event) => [state, event as EventName] as const),
  );
  it.each(cells)("in state %s, after %s, becomes what the table says [S1-RL-01]", (state, event) => {
    const step = reviewStep(of(state), EVENTS[event], LATER);
    expect(step?.review.state).toBe(TABLE[state]?.[event]);
    if (step !== undefined) expect(step.review.updatedAt).toBe(LATER);
  });

  it("does not hear a gate that is not its own, so that nothing is judged twice", () => {
    expect(reviewStep(of("running"), judged("pass", { gateId: "gate-0" }), LATER)).toBeUndefined();
  });

  it("does one thing after the other, and each once", () => {
    const step = reviewStep(of("running"), judged("pass"), LATER);
    expect(step?.review.todo.map((effect) => effect.do)).toEqual(["settle", "close"]);
    const next = reviewStep(step?.review as GateReview, { type: "done" }, LATER);
    expect(next?.review.todo).toEqual([{ do: "close" }]);
    expect(isOpen(next?.review as GateReview)).toBe(true);
    const last = reviewStep(next?.review as GateReview, { type: "done" }, LATER);
    expect(isOpen(last?.review as GateReview)).toBe(false);
    expect(reviewStep(last?.review as GateReview, { type: "done" }, LATER)).toBeUndefined();
  });

  const told = (review: GateReview, event: ReviewEvent) => {
    const step = reviewStep(review, event, LATER);
    return [
      step?.told.map(({ type, after }) => (after.to === undefined ? type : `${type} ${after.to}`)),
      step?.review.by,
    ];
  };
  const escalation = { model: "own/strong" };
  it.each<[string, Partial<GateReview>, Partial<Judged>, string[], string]>([
    ["the first cycle", { cycle: 1 }, { escalation }, ["review.failed"], "worker"],
    ["a cycle before the last", { cycle: 2 }, { escalation }, ["review.failed"], "worker"],
    ["the last cycle", { cycle: 3 }, { escalation }, ["review.failed", "review.escalated escalation"], "escalation"],
    ["the last one without a stronger model", { cycle: 3 }, {}, ["review.failed", "review.escalated person"], "worker"],
    [
      "the stronger model's try",
      { cycle: 4, by: "escalation" },
      { escalation },
      ["review.failed", "review.escalated person"],
      "escalation",
    ],
    [
      "what a person asked for",
      { cycle: 5, by: "person" },
      { escalation },
      ["review.failed", "review.escalated person"],
      "person",
    ],
  ])(
    "that fails in %s goes where it should [S1-RL-06] [S1-RL-07] [S1-RL-10] [S1-RL-11]",
    (_name, more, event, types, by) => {
      expect(told(of("running", more), judged("fail", event))).toEqual([types, by]);
    },
  );

  it("tells which requirements are missing, whoever goes on with it [S1-RL-14]", () => {
    for (const cycle of [1, 3]) {
      const step = reviewStep(of("running", { cycle }), judged("fail", { missing: ["REQ-001"] }), LATER);
      const needed = step?.told.find(({ type }) => type === "review.remediation_needed");
      expect(needed?.after).toMatchObject({ requirements: ["REQ-001"], cycle, reviewId: "review-1" });
    }
  });

  describe("of something that moved while it was judged", () => {
    const stepped = (event: ReviewEvent, before = of("running")) =>
      reviewStep(before, event, LATER)?.review as GateReview;
    const passed = stepped(judged("pass"));

    it("has not passed before it is where it goes", () => {
      expect(reviewStep(of("running"), judged("pass"), LATER)?.told).toEqual([]);
      expect(told(passed, { type: "done" })[0]).toEqual(["review.passed"]);
      expect(told(stepped(judged("skipped")), { type: "done" })[0]).toEqual(["review.skipped"]);
    });

    it("is judged again, together with a target that moved, by another gate", () => {
      const again = stepped(EVENTS["moved target"], passed);
      expect(again).toMatchObject({ state: "pending", cycle: 1, head: "h", base: "b", onto: "t2", moved: 1, todo: [] });
      expect(again).not.toHaveProperty("gateId");
      const second = stepped(judged("pass", { gateId: "gate-2" }), stepped({ type: "start", gateId: "gate-2" }, again));
      expect(second.cycles).toMatchObject([{ gateId: "gate-1" }, { gateId: "gate-2", onto: "t2", cycle: 1 }]);
    });

    it("is judged again with the new commit of its branch, whatever the verdict was", () => {
      const escalation = { model: "own/strong" };
      for (const before of [passed, stepped(judged("fail", { escalation }), of("running", { cycle: 3, onto: "t" }))]) {
        const again = stepped(EVENTS["moved branch"], before);
        expect(again).toMatchObject({ state: "pending", head: "h2", base: "b2", by: "worker", todo: [] });
        expect(again).not.toHaveProperty("onto");
        expect(again).not.toHaveProperty("nextRunId");
      }
    });

    it("is judged again as often as other results of its team are merged before it", () => {
      const ofTeam = { ...passed, teamId: "team-1", moved: 30 };
      expect(stepped(EVENTS["moved target"], ofTeam)).toMatchObject({ state: "pending", onto: "t2", todo: [] });
      expect(stepped(EVENTS["moved branch"], ofTeam)).toMatchObject({ state: "escalated" });
    });

    it("comes to the person when it moves on and on, and is not settled as passed", () => {
      const step = reviewStep({ ...passed, moved: 3 }, EVENTS["moved target"], LATER);
      expect(step?.review).toMatchObject({
        ...{ state: "escalated", asked: 1 },
        todo: [
          { do: "settle", judgement: { verdict: "unable" } },
          { do: "ask", kind: "unable" },
        ],
      });
      expect(step?.told).toMatchObject([{ type: "review.escalated", after: { to: "person" } }]);
      const waiting = { ...(step?.review as GateReview), todo: [], escalationId: "esc-001" };
      expect(stepped(EVENTS.retry, waiting)).not.toHaveProperty("moved");
    });

    it("keeps an approval until it is judged again, and merges by it only what passed and was seen", () => {
      const over = { ...passed, todo: [] };
      const held = stepped(EVENTS["approved, moved target"], over);
      expect(held).toMatchObject({ state: "pending", onto: "t2", approval: APPROVAL, moved: 1 });
      expect(reviewStep(passed, EVENTS["approved, moved target"], LATER)).toBeUndefined();
      const running = stepped({ type: "start", gateId: "gate-2" }, held);
      const again = stepped(judged("pass", { gateId: "gate-2" }), running);
      expect(again.todo).toMatchObject([{ do: "settle" }, { do: "merge", approval: APPROVAL }, { do: "close" }]);
      expect(again).not.toHaveProperty("approval");
      for (const verdict of ["fail", "unable"] as const) {
        const not = stepped(judged(verdict, { gateId: "gate-2" }), running);
        expect([not.approval, not.todo.some((effect) => effect.do === "merge")]).toEqual([undefined, false]);
      }
      const merging = stepped({ type: "done" }, again);
      expect(merging.todo[0]).toMatchObject({ do: "merge" });
      const onceMore = { state: "pending", onto: "t2", approval: APPROVAL, moved: 2 };
      expect(stepped(EVENTS["moved target"], merging)).toMatchObject(onceMore);
      expect(stepped(EVENTS["moved branch"], merging)).toMatchObject({ state: "passed", head: "h", todo: [] });
      const asked = stepped(EVENTS["moved target"], { ...merging, moved: 3 });
      expect(asked.todo).toMatchObject([{ do: "ask", kind: "unable" }]);
    });

    it("comes to the person when its branch is gone", () => {
      const next = stepped(EVENTS["not-settled"], passed);
      expect(next.todo).toMatchObject([
        { do: "settle", judgement: { verdict: "unable", reason: "Gone." } },
        { do: "ask" },
      ]);
    });

    it("is asked about once more when the person approved another commit", () => {
      const approved = stepped(EVENTS.approve, of("escalated"));
      const again = stepped(EVENTS["moved branch"], approved);
      expect(again).toMatchObject({ state: "escalated", asked: 2, head: "h2", todo: [{ do: "ask", kind: "moved" }] });
      expect(again).not.toHaveProperty("reason");
      expect(stepped(EVENTS["not-settled"], approved).todo).toMatchObject([{ do: "ask", kind: "unable" }]);
    });
  });

  it("takes its question back when a person decides about the result instead", () => {
    const step = reviewStep(of("escalated"), EVENTS.decided, LATER);
    expect(step?.review).toMatchObject({ state: "superseded", escalationId: "esc-001", todo: [{ do: "withdraw" }] });
  });

  it("forgets the gate when it is to be judged again, so that another one judges", () => {
    const step = reviewStep(of("escalated", { gateId: "gate-1" }), EVENTS.retry, LATER);
    expect(step?.review).not.toHaveProperty("gateId");
    expect(step?.review).not.toHaveProperty("escalationId");
  });
});
