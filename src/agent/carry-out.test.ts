import { expect, it } from "vitest";
import { begun, call, play, said, tool } from "../../test/fakes/agent.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { CallGuard } from "./call-guard.ts";

const DONE = { text: "Done." };
const asked = (id: string): JournalEntry => ({ type: "permit", id, state: "asked" });
const allowed = (id: string): JournalEntry => ({ type: "permit", id, state: "allowed" });

function guardOf(more: Partial<CallGuard>): CallGuard {
  return {
    guards: () => ({ before: ["act"] }),
    starting: async () => ({}),
    permit: async () => ({ allowed: true }),
    called: async () => ({}),
    ending: async () => ({}),
    ...more,
  };
}

/** A tool that changes something, and what it was called with. */
function acting() {
  const ran: string[] = [];
  const act = tool("act", { changes: true, run: (_, { callId }) => String(ran.push(callId)) });
  return { ran, tools: [act, tool("look", { run: (_, { callId }) => String(ran.push(callId)) })] };
}

it("asks about a call before it is carried out, and has the permission on disk first", async () => {
  const order: string[] = [];
  const act = tool("act", { changes: true, run: () => String(order.push("acted")) });
  const permit = async () => {
    order.push("asked the hall");
    return { allowed: true as const };
  };
  await play([{ calls: [call("a", "act")] }, DONE], { tools: [act], guard: guardOf({ permit }), order });
  const first = order.filter((line) => !line.startsWith("result"));
  expect(first.slice(0, 5)).toEqual([
    "answer is on disk",
    "asked the hall",
    "permit is on disk",
    "permit is on disk",
    "acted",
  ]);
});

it("does not carry out a call that is refused, tells the model why, and keeps what hooks said", async () => {
  const { ran, tools } = acting();
  const trace = { event: "PreToolUse" as const, name: "no-force", outcome: "refused" as const, ms: 3 };
  const permit = async () => ({ allowed: false as const, reason: "Never push with --force.", hooks: [trace] });
  const { written, asked: requests } = await play([{ calls: [call("a", "act"), call("b", "look")] }, DONE], {
    tools,
    guard: guardOf({ permit }),
  });
  expect(ran).toEqual(["b"]);
  expect(written).toContainEqual({ type: "hook", ...trace, callId: "a" });
  expect(requests[1]?.messages.at(-1)).toMatchObject({
    results: [
      { id: "a", output: "Never push with --force.", failed: true },
      { id: "b", failed: false },
    ],
  });
});

it("asks about guarded calls one after the other, and about others not at all", async () => {
  const { tools } = acting();
  let open = 0;
  const most: number[] = [];
  const permit = async () => {
    most.push(++open);
    await new Promise(setImmediate);
    open -= 1;
    return { allowed: true as const };
  };
  const guard = guardOf({ permit, guards: () => ({ before: ["look"] }) });
  await play([{ calls: [call("a", "look"), call("b", "look"), call("c", "act")] }, DONE], { tools, guard });
  expect(most).toEqual([1, 1]);
});

it("asks again about a call that was only asked about before a crash, and carries out what waits behind it", async () => {
  const { ran, tools } = acting();
  const journal = [begun, said({ calls: [call("a", "act"), call("b", "act"), call("c", "look")] }), asked("a")];
  await play([DONE], { journal, tools, guard: guardOf({}) });
  expect(ran).toEqual(["a", "b", "c"]);
});

it("does not repeat a call that was allowed before a crash: its outcome is unknown", async () => {
  const { ran, tools } = acting();
  const journal = [begun, said({ calls: [call("a", "act"), call("b", "act")] }), asked("a"), allowed("a")];
  const { written } = await play([DONE], { journal, tools, guard: guardOf({}) });
  expect(ran).toEqual([]);
  expect(written[0]).toMatchObject({ type: "result", id: "a", output: expect.stringContaining("outcome unknown") });
});

it("does not carry out after a crash what the hall refuses now", async () => {
  const { ran, tools } = acting();
  const journal = [begun, said({ calls: [call("a", "act")] }), asked("a")];
  const permit = async () => ({ allowed: false as const, reason: "No." });
  await play([DONE], { journal, tools, guard: guardOf({ permit }) });
  expect(ran).toEqual([]);
});

it("adds what the hall says after a call to its result", async () => {
  const { tools } = acting();
  const guard = guardOf({ guards: () => ({ after: ["*"] }), called: async () => ({ feedback: "Format it." }) });
  const { written } = await play([{ calls: [call("a", "act")] }, DONE], { tools, guard });
  expect(written[1]).toMatchObject({ type: "result", output: "1\n\nFormat it." });
});

it("continues when the hall does not let it end, and counts how often across a restart", async () => {
  const rounds: number[] = [];
  const guard = guardOf({
    guards: () => ({ ending: "decides" }),
    ending: async ({ round }) => {
      rounds.push(round);
      return round === 1 ? { feedback: "Criterion 2 is not addressed." } : {};
    },
  });
  const { end, written } = await play([DONE, { text: "All done." }], { guard });
  expect(rounds).toEqual([1, 2]);
  expect(end).toMatchObject({ status: "completed", result: { output: "All done." } });
  rounds.length = 0;
  await play([], { guard, journal: [begun, ...written] });
  expect(rounds).toEqual([2]);
});

it("fails when hooks refuse every call, and not when the person does", async () => {
  const { tools } = acting();
  const trace = { event: "PreToolUse" as const, name: "never", outcome: "refused" as const, ms: 1 };
  const refused = { allowed: false as const, reason: "No." };
  const ended = async (permit: CallGuard["permit"]) =>
    (await play([{ calls: [call("a", "act")] }, DONE], { tools, guard: guardOf({ permit }) })).end;
  expect(await ended(async () => ({ ...refused, hooks: [trace] }))).toMatchObject({ cause: "calls_refused" });
  expect(await ended(async () => refused)).toMatchObject({ status: "completed" });
});
