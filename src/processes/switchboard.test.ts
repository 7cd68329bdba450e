import { expect, it } from "vitest";
import { HallError } from "../contract/errors.ts";
import type { ModelSettings } from "../contract/runs/model-call.ts";
import type { FromProcess, Order, ToProcess } from "../contract/runs/protocol.ts";
import type { Asking } from "./hall-questions.ts";
import type { Party, Said } from "./party.ts";
import type { Place, Work } from "./place.ts";
import { Switchboard } from "./switchboard.ts";

type Call = Extract<FromProcess, { type: "llm_request" }>;

/** A process with a run and the project's agent, and what came of what it said. */
function exchange(own: { session?: Partial<Party>; run?: Partial<Party> } = {}) {
  const asked: [string, Asking][] = [];
  const said: [string, Said["type"]][] = [];
  const replies: ToProcess[] = [];
  const calls: [string, ModelSettings, boolean][] = [];
  const refused: unknown[][] = [];
  const tracked: Promise<void>[] = [];
  const place = {
    projectId: "shop",
    process: { send: (message: ToProcess) => replies.push(message) },
    desk: {
      ask: async ({ id }: Work, { settings }: Call, { isPatient }: { isPatient: boolean }) =>
        void calls.push([id, settings, isPatient]),
      refuse: (...how: unknown[]) => refused.push(how),
    },
    works: new Map<string, Work>(),
  } as unknown as Place;
  const answer = (what: string) => async (_: unknown, asking: Asking) => {
    asked.push([what, asking]);
    if (what === "bad") throw new Error("Not like this.");
    return "yes";
  };
  const question = (what: string) => ({ [what]: { action: "tell" as const, answer: answer(what) } });
  const board = new Switchboard({ questions: question("all"), track: (_, work) => void tracked.push(work) });
  const attach = (kind: Order["kind"], more: Partial<Party> = {}) =>
    board.attach({
      kind,
      isPatient: () => true,
      questions: question(kind),
      settings: (_, settings) => settings,
      onDelta: () => undefined,
      onWait: () => undefined,
      hear: ({ id }, { type }) => void said.push([id, type]),
      lost: () => [],
      ...more,
    });
  attach("run", { questions: { ...question("run"), ...question("bad") }, ...own.run });
  attach("session", own.session);
  place.works.set("run-1.2", { id: "run-1.2", kind: "run", place, runId: "run-1", isBusy: true });
  place.works.set("session", { id: "session", kind: "session", place, isBusy: true });
  const hear = async (message: object) => {
    board.hear(place, message as FromProcess);
    await Promise.all(tracked);
  };
  const ask = (what: string, more: object) =>
    hear({ type: "ask_hall", requestId: "q", what, input: 1, callId: "c", ...more });
  const settings = { model: "claude/dear", thinking: "high", maxTokens: 9 };
  const call = (orderId: string) =>
    hear({ type: "llm_request", requestId: "q", orderId, settings, known: 0, messages: [] });
  return { hear, ask, call, asked, said, replies, calls, refused, works: place.works };
}

it("a question goes to the hall with who really asks, and its answer back", async () => {
  const { ask, asked, replies } = exchange();
  await ask("run", { orderId: "run-1.2", projectId: "blog", runId: "run-9" });
  await ask("session", { orderId: "session", messageId: "m" });
  await ask("all", {});
  await ask("bad", { orderId: "run-1.2" });
  expect(asked).toEqual([
    ["run", { projectId: "shop", runId: "run-1", callId: "c" }],
    ["session", { projectId: "shop", messageId: "m", callId: "c" }],
    ["all", { projectId: "shop", callId: "c" }],
    ["bad", { projectId: "shop", runId: "run-1", callId: "c" }],
  ]);
  const yes = { type: "reply", requestId: "q", ok: true, value: "yes" };
  expect(replies).toEqual([yes, yes, yes, { type: "reply", requestId: "q", ok: false, message: "Not like this." }]);
});

it("what only runs may ask, or only the project's agent, nobody else is answered", async () => {
  const { ask, asked, replies } = exchange();
  await ask("session", { orderId: "run-1.2" });
  await ask("run", { orderId: "session" });
  await ask("run", {});
  expect(asked).toEqual([]);
  expect(replies.map((reply) => reply.type === "reply" && reply.ok)).toEqual([false, false, false]);
});

it("what a process says of an order that was taken from it, or never given, is not heard", async () => {
  const { ask, call, hear, asked, replies, calls, refused, said } = exchange();
  for (const orderId of ["run-1.1", "run-1", "run-9.2"]) {
    await ask("run", { orderId });
    await call(orderId);
    await hear({ type: "heard", orderId, id: "m", ok: true });
  }
  expect([asked, replies, calls, refused, said]).toEqual([[], [], [], [], []]);
  await hear({ type: "heard", orderId: "run-1.2", id: "m", ok: true });
  expect(said).toEqual([["run-1.2", "heard"]]);
});

it("a process cannot choose the model: whoever gave the order says what may be asked", async () => {
  const { call, calls } = exchange({
    session: { settings: () => ({ model: "own/m", thinking: "low" }) },
    run: { settings: (_, asked) => ({ ...asked, model: "own/planned" }), isPatient: () => false },
  });
  await call("session");
  await call("run-1.2");
  expect(calls).toEqual([
    ["session", { model: "own/m", thinking: "low" }, true],
    ["run-1.2", { model: "own/planned", thinking: "high", maxTokens: 9 }, false],
  ]);
});

it("a process whose agent may not ask is told why, and not as if its conversation were bad", async () => {
  const { call, calls, refused } = exchange({
    session: {
      settings: () => {
        throw new HallError("forbidden", "There is nothing to answer.");
      },
    },
    run: { ask: async () => false },
  });
  await call("session");
  await call("run-1.2");
  expect(calls).toEqual([]);
  expect(refused).toEqual([
    ["q", "There is nothing to answer.", "budget"],
    ["q", "The requester is no longer waiting for this."],
  ]);
});

it("keeps what a process says of what is not on the disk yet, and hears everything else", async () => {
  const { hear, ask, call, said, calls, asked, works } = exchange();
  const run = works.get("run-1.2") as Work;
  run.held = [];
  await hear({ type: "activity", orderId: "run-1.2" });
  await call("run-1.2");
  await ask("run", { orderId: "run-1.2" });
  await ask("session", { orderId: "session" });
  expect([said, calls, asked.map(([what]) => what)]).toEqual([[], [], ["session"]]);
  expect(run.held.map(({ type }) => type)).toEqual(["activity", "llm_request", "ask_hall"]);
});
