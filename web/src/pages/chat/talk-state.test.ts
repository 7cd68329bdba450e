import { expect, test } from "vitest";
import type { ChannelMessage } from "../../../../src/contract/documents/channel.ts";
import type { TalkLive } from "../../../../src/contract/routes/talk-routes.ts";
import { changeTalk, NOTHING_SAID, type TalkState } from "./talk-state.ts";

const said = (seq: number, from: ChannelMessage["from"] = "person"): ChannelMessage => ({
  seq,
  id: `m${seq}`,
  at: "2026-01-01T00:00:00Z",
  from,
  to: from === "person" ? "main" : "person",
  text: `text ${seq}`,
});

const page = (...messages: ChannelMessage[]) => ({
  messages,
  lastSeq: messages.at(-1)?.seq ?? 0,
  isBusy: false,
});

function after(...lives: TalkLive[]): TalkState {
  return lives.reduce((state, live) => changeTalk(state, { is: "heard", live }), NOTHING_SAID);
}

const seqs = (state: TalkState) => state.messages.map(({ seq }) => seq);

test("messages that come twice or out of order stand once and in their order", () => {
  let state = changeTalk(NOTHING_SAID, { is: "newest", page: page(said(4), said(5)) });
  state = changeTalk(state, { is: "heard", live: { kind: "message", message: said(6) } });
  state = changeTalk(state, { is: "newest", page: page(said(5), said(6), said(7)) });
  state = changeTalk(state, { is: "older", page: page(said(2), said(3)) });
  expect(seqs(state)).toEqual([2, 3, 4, 5, 6, 7]);
  expect(state.hasOlder).toBe(true);
  expect(changeTalk(state, { is: "older", page: page(said(1)) }).hasOlder).toBe(false);
});

test("after a gap only what is known to be together is shown", () => {
  const before = changeTalk(NOTHING_SAID, { is: "newest", page: page(said(1), said(2)) });
  const state = changeTalk(before, { is: "newest", page: page(said(9), said(10)) });
  expect(seqs(state)).toEqual([9, 10]);
  expect(state.hasOlder).toBe(true);
});

test("an answer grows, begins anew after something was done, and gives way to the message", () => {
  const begun = after(
    { kind: "begun", messageId: "q" },
    { kind: "delta", messageId: "q", text: "Let me " },
    { kind: "delta", messageId: "q", text: "look." },
  );
  expect(begun.answering?.text).toBe("Let me look.");
  const acted = changeTalk(begun, {
    is: "heard",
    live: { kind: "activity", messageId: "q", activity: { kind: "tool", name: "project_status", subject: "shop" } },
  });
  expect(acted.answering).toMatchObject({ text: "Let me look.", isGoingOn: false });
  const more = changeTalk(acted, { is: "heard", live: { kind: "delta", messageId: "q", text: "All is well." } });
  expect(more.answering?.text).toBe("All is well.");
  const message = changeTalk(more, { is: "heard", live: { kind: "message", message: said(2, "main") } });
  expect(message.answering?.text).toBe("");
  const ended = changeTalk(message, { is: "heard", live: { kind: "ended", messageId: "q", outcome: "answered" } });
  expect(ended).toMatchObject({ answering: undefined, ending: undefined });
});

test("a broken answer is void, a failed one says why until the person speaks again", () => {
  const restarted = after(
    { kind: "begun", messageId: "q" },
    { kind: "delta", messageId: "q", text: "Half" },
    { kind: "restart", messageId: "q" },
  );
  expect(restarted.answering?.text).toBe("");
  const failed = changeTalk(restarted, {
    is: "heard",
    live: { kind: "ended", messageId: "q", outcome: "failed", error: "No provider." },
  });
  expect(failed.ending).toMatchObject({ outcome: "failed", error: "No provider." });
  expect(changeTalk(failed, { is: "heard", live: { kind: "message", message: said(3) } }).ending).toBeUndefined();
});

test("the daemon's word ends an answer whose end was not heard", () => {
  const begun = after({ kind: "begun", messageId: "q" }, { kind: "delta", messageId: "q", text: "Half" });
  expect(changeTalk(begun, { is: "newest", page: page(said(1)) }).answering).toBeUndefined();
  const busy = changeTalk(NOTHING_SAID, {
    is: "newest",
    page: { ...page(said(1)), isBusy: true, activity: { kind: "thinking" } },
  });
  expect(busy.answering).toMatchObject({ text: "", activity: { kind: "thinking" } });
});
