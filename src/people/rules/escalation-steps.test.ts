import { describe, expect, it } from "vitest";
import { type Asker, EscalationCreate } from "../../contract/documents/escalation.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";
import type { EscalationEvent, Refusal } from "./escalation-events.ts";
import { escalationStep } from "./escalation-steps.ts";
import { newEscalation, questionKey } from "./new-escalation.ts";
import { refusalError } from "./refusals.ts";

const NOON = new Date("2026-11-16T12:00:00.000Z");
const at = NOON.toISOString();
const RUN: Asker = { kind: "run", id: "run-1", taskId: "TASK-001", callId: "c1", waits: true, askedAt: at };
const OTHER: Asker = { kind: "run", id: "run-2", taskId: "TASK-002", callId: "c9", waits: false, askedAt: at };
const CLIENT: Asker = { kind: "client", id: "ci", waits: false, askedAt: at };
const BODY = {
  type: "decision",
  question: "Redis or Memcached?",
  suggestedAnswers: [{ label: "Redis", description: "Persistent" }, { label: "Memcached" }],
  projectId: "shop",
  blocksTask: "TASK-001",
};

const draft = (body: object = {}, asker = RUN) => newEscalation(EscalationCreate.parse({ ...BODY, ...body }), asker);
const FACT = { kind: "knowledge" as const, id: "decisions-0123456789", text: "We use Redis.", fingerprint: "f" };

/** The document after all of these. */
function outcome(start: EscalationFields, ...events: EscalationEvent[]): EscalationFields {
  return events.reduce((fields, event) => {
    const step = escalationStep(fields, event, NOON);
    if (!step.ok) throw new Error(step.refused);
    return step.fields ?? fields;
  }, start);
}

const refusedOf = (fields: EscalationFields, event: EscalationEvent, now = NOON): Refusal | undefined => {
  const step = escalationStep(fields, event, now);
  return step.ok ? undefined : step.refused;
};
const promote: EscalationEvent = { type: "promote", by: "main" };
const redis: EscalationEvent = { type: "resolve", answer: "redis" };
const dismiss: EscalationEvent = { type: "dismiss", reason: "Not now." };
const sourced = (fields: object = {}): EscalationEvent => ({
  type: "resolve-sourced",
  by: "main",
  resolution: "Redis, as decided.",
  sources: [FACT],
  given: [FACT.id],
  ...fields,
});

describe("an escalation's path", () => {
  it("goes from its asker over the reviewers to the person, and each step is recorded [S4-ESC-07]", () => {
    const fields = outcome(draft(), { type: "pass", by: "project:shop", reason: "No recorded answer." }, promote);
    expect([fields.status, fields.escalationPath]).toEqual(["pending", ["run:run-1", "project:shop", "person"]]);
    expect(fields.history.map(({ by, action }) => `${by} ${action}`)).toEqual([
      "run:run-1 asked",
      "project:shop passed",
      "main promoted",
    ]);
  });

  it("is joined once by each call, which raises its priority", () => {
    const join: EscalationEvent = { type: "join", asker: OTHER, priority: "urgent" };
    const fields = outcome(draft(), join, join);
    expect([fields.askers.length, fields.priority]).toEqual([2, "urgent"]);
  });
});

describe("an answer", () => {
  it("is the suggestion that was chosen, or words", () => {
    expect(outcome(draft(), promote, redis)).toMatchObject({
      status: "resolved",
      outcome: "answered",
      answer: "Redis",
      resolution: "Redis: Persistent",
      resolvedBy: "person",
      scope: "project",
    });
    expect(outcome(draft(), { type: "resolve", resolution: "Neither" })).toMatchObject({ answer: null });
    const { suggestedAnswers, ...asked } = draft();
    const coded = { ...asked, suggestedAnswers: suggestedAnswers.map((one, at) => ({ ...one, code: `c${at}` })) };
    expect(outcome(coded, { type: "resolve", code: "c1", answer: "Gone" })).toMatchObject({ answer: "Memcached" });
  });

  it("is recorded as delivered only to those who read it themselves", () => {
    const fields = outcome(draft(), { type: "join", asker: CLIENT, priority: "low" }, redis);
    expect(fields.askers.map(({ kind, deliveredAt }) => [kind, deliveredAt])).toEqual([
      ["run", undefined],
      ["client", at],
    ]);
  });

  it("of an agent rests on facts that it was given, and never on an approval", () => {
    expect(outcome(draft(), sourced())).toMatchObject({ resolvedBy: "main", sources: [FACT] });
    expect(refusedOf(draft(), sourced({ sources: [] }))).toBe("unsourced");
    expect(refusedOf(draft(), sourced({ given: ["decisions-9999999999"] }))).toBe("unsourced");
    expect(refusedOf(draft({ type: "approval" }), sourced())).toBe("person-only");
    expect(refusedOf(draft({ origin: "budget" }), sourced())).toBe("person-only");
    const handed: EscalationEvent = { type: "resolve-handed", by: "main", answer: "Redis", reason: "Simpler to run." };
    expect(refusedOf(draft({ origin: "permission" }), handed)).toBe("person-only");
    expect(outcome(draft(), handed).history.slice(-2)).toMatchObject([
      { by: "person", action: "handed", reason: "main" },
      { by: "main", action: "answered", reason: "Simpler to run." },
    ]);
  });

  const table: [string, EscalationFields, EscalationEvent, Refusal][] = [
    ["a second one", outcome(draft(), redis), redis, "resolved"],
    ["one to a withdrawn question", outcome(draft(), { type: "withdraw", reason: "Gone." }), redis, "withdrawn"],
    ["an unknown label", draft(), { type: "resolve", answer: "Postgres" }, "unknown-answer"],
    ["nothing at all", draft(), { type: "resolve", resolution: "  " }, "empty"],
    ["a dismissal after an answer", outcome(draft(), redis), dismiss, "resolved"],
    ["a promotion of what is pending", outcome(draft(), promote), promote, "not-draft"],
    ["a promotion of what is resolved", outcome(draft(), redis), promote, "resolved"],
    ["a snooze into the past", draft(), { type: "snooze", until: at }, "past"],
    ["an expiry without a default", draft(), { type: "expire" }, "no-default"],
    ["a delivery before an answer", draft(), { type: "deliver", asker: RUN }, "not-resolved"],
    ["a delivery to a stranger", outcome(draft(), redis), { type: "deliver", asker: OTHER }, "unknown-asker"],
    ["an undo of nothing", draft(), { type: "undo", undoMs: 60_000 }, "not-resolved"],
  ];
  it.each(table)("refuses %s", (_, fields, event, refused) => {
    expect(refusedOf(fields, event)).toBe(refused);
  });

  it("carries the first one when a second is refused", () => {
    const error = refusalError("resolved", "esc-001", outcome(draft(), redis));
    expect([error.code, error.status]).toEqual(["escalation_resolved", 409]);
    expect(error.message).toBe(`esc-001 was already answered by you at ${at}: Redis: Persistent.`);
  });
});

describe("an end without an answer", () => {
  it("keeps a dismissal apart from a refusal and a withdrawal", () => {
    expect(outcome(draft(), dismiss)).toMatchObject({ outcome: "dismissed", answer: null, resolvedBy: "person" });
    expect(outcome(draft(), { type: "withdraw", reason: "Its run was stopped." })).toMatchObject({
      outcome: "withdrawn",
      resolvedBy: "hall",
      askers: [{ deliveredAt: at }],
    });
  });

  it("withdraws with the last asker", () => {
    const leave = (asker: Asker): EscalationEvent => ({ type: "leave", asker, reason: "Its run was stopped." });
    const both = outcome(draft(), { type: "join", asker: OTHER, priority: "low" });
    expect(outcome(both, leave(RUN))).toMatchObject({ status: "draft", askers: [OTHER] });
    expect(outcome(both, leave(RUN), leave(OTHER))).toMatchObject({ outcome: "withdrawn" });
    expect(outcome(both, redis, leave(RUN)).askers).toHaveLength(2);
  });

  it("takes a stated default only when its time has come, and only where nobody has to approve or provide", () => {
    const expires = { at: new Date(NOON.getTime() + 1_000).toISOString(), answer: "Redis" };
    const later = new Date(NOON.getTime() + 2_000);
    expect(refusedOf({ ...draft({ type: "question" }), expires }, { type: "expire" })).toBe("not-yet");
    expect(refusedOf({ ...draft({ type: "approval" }), expires }, { type: "expire" }, later)).toBe("no-default");
    const step = escalationStep({ ...draft({ type: "question" }), expires }, { type: "expire" }, later);
    expect(step).toMatchObject({ fields: { outcome: "expired", answer: "Redis", resolvedBy: "hall" } });
  });
});

describe("an undo", () => {
  const undo: EscalationEvent = { type: "undo", undoMs: 60_000 };

  it("reopens while nothing acted on the answer", () => {
    const fields = outcome(draft({}, CLIENT), redis, undo);
    expect(fields).toMatchObject({ status: "pending", resolution: null, answer: null, resolvedAt: null });
    expect(fields.askers[0]).not.toHaveProperty("deliveredAt");
    expect([fields.outcome, fields.scope]).toEqual([undefined, undefined]);
  });

  it("is refused when an agent has the answer, or later", () => {
    expect(refusedOf(outcome(draft(), redis, { type: "deliver", asker: RUN }), undo)).toBe("acted-on");
    expect(refusedOf(outcome(draft(), redis, { type: "follow-up", asker: RUN, runId: "run-3" }), undo)).toBe(
      "acted-on",
    );
    expect(refusedOf(outcome(draft(), redis), undo, new Date(NOON.getTime() + 61_000))).toBe("too-late");
  });
});

it("records a delivery and a follow-up run once", () => {
  const follow: EscalationEvent = { type: "follow-up", asker: RUN, runId: "run-3" };
  const fields = outcome(draft(), redis, follow, { ...follow, runId: "run-4" }, { type: "deliver", asker: RUN });
  expect(fields.askers).toMatchObject([{ followUpRunId: "run-3", deliveredAt: at }]);
  expect(escalationStep(fields, { type: "deliver", asker: RUN }, NOON)).toEqual({ ok: true, fields: undefined });
});

it("takes a delivery back that no model was sent, unless a run follows it up", () => {
  const delivered = outcome(draft(), redis, { type: "deliver", asker: RUN });
  expect(outcome(delivered, { type: "unheard", asker: RUN }).askers[0]).not.toHaveProperty("deliveredAt");
  const followed = outcome(
    draft(),
    redis,
    { type: "follow-up", asker: RUN, runId: "run-3" },
    { type: "deliver", asker: RUN },
  );
  expect(outcome(followed, { type: "unheard", asker: RUN })).toBe(followed);
});

it("knows the same question in other punctuation", () => {
  expect(questionKey("Redis, or  memcached?")).toBe(questionKey("redis or Memcached"));
  expect(questionKey("Redis or Memcached")).not.toBe(questionKey("Redis"));
});
