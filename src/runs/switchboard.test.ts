import { expect, it } from "vitest";
import type { FromProcess, ToProcess } from "../contract/protocol.ts";
import type { Asking } from "../processes/hall-questions.ts";
import type { Place } from "./place.ts";
import { Switchboard } from "./switchboard.ts";

/** A process with one run of epoch 2, and what was asked and answered. */
function exchange() {
  const asked: [string, Asking][] = [];
  const replies: ToProcess[] = [];
  const tracked: Promise<void>[] = [];
  const process = { send: (message: ToProcess) => replies.push(message) };
  const place = { projectId: "shop", process, works: new Map() } as unknown as Place;
  place.works.set("run-1", { lease: { runId: "run-1", projectId: "shop", epoch: 2 }, place } as never);
  const onQuestion = async ({ what }: { what: string }, asking: Asking) => {
    asked.push([what, asking]);
    if (what === "bad") throw new Error("Not like this.");
    return "yes";
  };
  const track = (_: string, work: Promise<void>) => void tracked.push(work);
  const board = new Switchboard({ onQuestion } as never, { track } as never);
  const hear = async (more: object) => {
    board.hear(place, { type: "ask_hall", requestId: "q", what: "ask", input: 1, ...more } as FromProcess);
    await Promise.all(tracked);
  };
  return { hear, asked, replies };
}

it("a question goes to the hall with who really asks, and its answer back", async () => {
  const { hear, asked, replies } = exchange();
  await hear({ runId: "run-1", epoch: 2, callId: "c", projectId: "blog" });
  await hear({});
  await hear({ what: "bad" });
  expect(asked).toEqual([
    ["ask", { projectId: "shop", runId: "run-1", callId: "c" }],
    ["ask", { projectId: "shop" }],
    ["bad", { projectId: "shop" }],
  ]);
  expect(replies).toEqual([
    { type: "reply", requestId: "q", ok: true, value: "yes" },
    { type: "reply", requestId: "q", ok: true, value: "yes" },
    { type: "reply", requestId: "q", ok: false, message: "Not like this." },
  ]);
});

it("a question of a run that was taken from the process is not heard", async () => {
  const { hear, asked, replies } = exchange();
  for (const of of [{ runId: "run-1", epoch: 1 }, { runId: "run-1" }, { runId: "run-9", epoch: 2 }]) await hear(of);
  expect([asked, replies]).toEqual([[], []]);
});
