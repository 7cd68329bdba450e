import { describe, expect, it } from "vitest";
import type { BusLine } from "../../contract/documents/teams/team-message.ts";
import { MESSAGE_LIMITS, messageId } from "../../contract/words/teams/message-words.ts";
import { refusalOf } from "./bus-rules.ts";
import { type BusState, compactLines, emptyBus, foldLine, givenTo, type NewMessage, pendingFor } from "./bus-state.ts";
import { messageText } from "./message-text.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const MEMBERS = ["lead-oslo", "worker-lima", "worker-rome"];
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

/** A bus that has these messages, one a second unless a minute is given. */
function busWith(...sent: (Partial<NewMessage> & { minute?: number })[]): BusState {
  const state = emptyBus();
  for (const [index, { minute = index / 60, ...message }] of sent.entries())
    foldLine(state, lineOf(index + 1, { at: at(minute), ...message }));
  return state;
}

function lineOf(seq: number, more: Partial<NewMessage> & { at?: string }): BusLine {
  const usual = { from: "worker-lima", to: "lead-oslo", type: "blocker", text: "Hi", at: at(0) };
  return { line: "message", id: messageId(seq), seq, ...usual, ...more };
}

const refusal = (state: BusState, message: Partial<NewMessage> = {}, minute = 0, runId?: string) =>
  refusalOf(state, {
    message: { from: "worker-lima", to: "lead-oslo", type: "blocker", text: "Hi", ...message },
    ...{ members: MEMBERS, lead: "lead-oslo", now: START + minute * 60_000, runId },
  })?.code;

const many = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

describe("what is kept of a team's messages", () => {
  it("is the newest 2,000, and every message that somebody still has to get [S1-TM-12]", () => {
    const state = emptyBus();
    foldLine(state, lineOf(1, { to: "worker-rome", key: "first" }));
    for (let seq = 2; seq <= 2_500; seq++) {
      foldLine(state, lineOf(seq, { key: `k${seq}` }));
      foldLine(state, { line: "given", at: at(0), member: "lead-oslo", runId: `run-${seq}`, seqs: [seq] });
    }
    expect(state.messages).toHaveLength(2_000);
    expect(state.messages.slice(0, 2).map(({ id }) => id)).toEqual(["MSG-001", "MSG-502"]);
    expect([state.byKey.has("first"), state.byKey.has("k400"), state.byKey.has("k502")]).toEqual([true, false, true]);
    expect(pendingFor(state, "worker-rome").map(({ seq }) => seq)).toEqual([1]);
  });

  it("is the same after it was written with fewer lines", () => {
    const state = busWith({ to: "worker-rome" }, { to: "all", from: "person" }, { to: "worker-rome" });
    foldLine(state, { line: "given", at: at(1), member: "worker-rome", runId: "run-1", seqs: [1, 2] });
    foldLine(state, { line: "settled", at: at(2), runId: "run-1", unseen: [2] });
    foldLine(state, { line: "given", at: at(3), member: "worker-rome", runId: "run-2", seqs: [2, 3] });
    const again = emptyBus();
    for (const line of compactLines(state)) foldLine(again, line);
    expect(again).toEqual(state);
    expect(givenTo(again, "run-2").map(({ seq }) => seq)).toEqual([2, 3]);
  });
});

describe("a mailbox", () => {
  it("has each message once: what a run was given is not given again, unless it never saw it [S1-TM-03]", () => {
    const state = busWith({ to: "worker-rome" }, { to: "worker-rome" });
    const pending = () => pendingFor(state, "worker-rome").map(({ seq }) => seq);
    foldLine(state, { line: "given", at: at(0), member: "worker-rome", runId: "run-1", seqs: [1, 2] });
    expect(pending()).toEqual([]);
    foldLine(state, { line: "given", at: at(0), member: "worker-rome", runId: "run-2", seqs: [1] });
    expect(givenTo(state, "run-2")).toEqual([]);
    foldLine(state, { line: "settled", at: at(1), runId: "run-1", unseen: [2] });
    expect(pending()).toEqual([2]);
    expect(pendingFor(state, "lead-oslo")).toEqual([]);
  });

  it("of a member that joins late has the newest of what was said to all, and nothing of its own", () => {
    const state = busWith(...many(30, () => ({ from: "person", to: "all" })), { from: "worker-rome", to: "all" });
    expect(pendingFor(state, "worker-rome").map(({ seq }) => seq)).toEqual(many(20, (index) => index + 11));
  });
});

describe("messages are refused, with a code", () => {
  it("from a member that sends too many in a short time, and from a team that does", () => {
    const flood = busWith(...many(MESSAGE_LIMITS.perMember, () => ({ to: "lead-oslo", minute: 0 })));
    for (const { seq } of [...flood.messages])
      foldLine(flood, { line: "given", at: at(0), member: "lead-oslo", runId: "run-1", seqs: [seq] });
    expect(refusal(flood, {}, 1)).toBe("message_limit");
    expect(refusal(flood, { from: "worker-rome" }, 1)).toBeUndefined();
    expect(refusal(flood, { from: "person", to: "worker-lima" }, 1)).toBeUndefined();
    expect(refusal(flood, {}, MESSAGE_LIMITS.minutes)).toBeUndefined();
    // The clock was set back by a day.
    expect(refusal(flood, {}, -1_440)).toBeUndefined();
    const busy = busWith(
      ...many(MESSAGE_LIMITS.perTeam, (index) => ({ from: MEMBERS[index % 3] ?? "", to: "nobody", minute: 0 })),
    );
    expect(refusal(busy, { from: "worker-lima" }, 1)).toBe("message_limit");
  });

  it("about progress, beyond four of a run", () => {
    const told = many(MESSAGE_LIMITS.progress, (index) => ({ type: "progress", key: `run-1/${index}` }));
    expect(refusal(busWith(...told), { type: "progress" }, 0, "run-1")).toBe("message_limit");
    expect(refusal(busWith(...told), { type: "progress" }, 0, "run-2")).toBeUndefined();
    expect(refusal(busWith(...told), { type: "blocker" }, 0, "run-1")).toBeUndefined();
  });

  it("between two members that answer each other for ever, until one has news", () => {
    const pair = ["worker-lima", "worker-rome"] as const;
    const talk = many(MESSAGE_LIMITS.exchange, (index) => ({
      ...{ from: pair[index % 2] ?? "", to: pair[(index + 1) % 2] ?? "", type: "agent_request" },
    }));
    const next = { from: "worker-lima", to: "worker-rome", type: "agent_request" };
    expect(refusal(busWith(...talk.slice(1)), next)).toBeUndefined();
    expect(refusal(busWith(...talk), next)).toBe("message_ping_pong");
    expect(refusal(busWith(...talk), { ...next, to: "lead-oslo" })).toBeUndefined();
    expect(refusal(busWith(...talk, { type: "state_update", to: "lead-oslo" }), next)).toBeUndefined();
    expect(refusal(busWith(...talk, { from: "person", to: "worker-rome" }), next)).toBeUndefined();
    expect(refusal(busWith(...talk, { from: "worker-lima", to: "lead-oslo" }), next)).toBe("message_ping_pong");
    expect(refusal(busWith(...talk), next, MESSAGE_LIMITS.minutes + 1)).toBeUndefined();
  });

  it("to a member that has fifty to read, also from the person", () => {
    const full = busWith(...many(MESSAGE_LIMITS.mailbox, () => ({ from: "hall", to: "worker-rome" })));
    expect(refusal(full, { from: "person", to: "worker-rome" })).toBe("mailbox_full");
    expect(refusal(full, { from: "person", to: "all" })).toBe("mailbox_full");
    expect(refusal(full, { from: "person", to: "worker-lima" })).toBeUndefined();
    // The lead reads when the others have finished: what they report is not refused, and it gets the newest.
    const reports = busWith(...many(60, (index) => ({ from: "worker-rome", minute: index })));
    expect(refusal(reports, {}, 60)).toBeUndefined();
    expect(pendingFor(reports, "lead-oslo").map(({ seq }) => seq)).toEqual(many(50, (index) => index + 11));
  });
});

it("a member reads who says it, and that a colleague gives no orders", () => {
  const message = { id: "MSG-001", to: "worker-lima", type: "blocker", text: "Stop." };
  expect(messageText({ ...message, from: "worker-rome", task: "store" })).toMatch(
    /^\[Message MSG-001 from worker-rome \(blocker, task store\)\]\nStop\.\n\n\(Information/,
  );
  expect(messageText({ ...message, from: "person" })).toBe("[Message MSG-001 from the person (blocker)]\nStop.");
});
