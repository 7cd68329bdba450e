import { expect, it } from "vitest";
import { HallError } from "../contract/errors.ts";
import type { FromProcess } from "../contract/protocol.ts";
import type { Place } from "./place.ts";
import { Switchboard } from "./switchboard.ts";

type Call = Extract<FromProcess, { type: "llm_request" }>;

/** A process with one run, and the calls of it that came through. */
function exchange(sessionSettings: () => object) {
  const asked: Call[] = [];
  const refused: unknown[][] = [];
  const heard: unknown[] = [];
  const desk = { ask: async (call: Call) => void asked.push(call), refuse: (...how: unknown[]) => refused.push(how) };
  const place = { projectId: "shop", desk, works: new Map() } as unknown as Place;
  place.works.set("run-1", { lease: { runId: "run-1", projectId: "shop", epoch: 2 }, place } as never);
  const onHeard = (projectId: string, of: { runId: string }) => heard.push([projectId, of.runId]);
  const board = new Switchboard(
    { sessionSettings, onHeard, modelOf: () => "own/planned" } as never,
    {
      track: () => undefined,
    } as never,
  );
  const request = (runId: string): Call => ({
    type: "llm_request",
    requestId: "q",
    runId,
    epoch: 2,
    settings: { model: "claude/dear", thinking: "high", maxTokens: 9 },
    known: 0,
    messages: [],
  });
  return { ask: (runId: string) => board.hear(place, request(runId)), board, place, asked, refused, heard };
}

it("a process cannot choose the model: its agent has the hall's settings, and a run the model of its plan", () => {
  const { ask, asked } = exchange(() => ({ model: "own/m", thinking: "low" }));
  ask("session");
  ask("run-1");
  ask("run-of-somebody-else");
  expect(asked.map(({ runId, settings }) => [runId, settings])).toEqual([
    ["session", { model: "own/m", thinking: "low" }],
    ["run-1", { model: "own/planned", thinking: "high", maxTokens: 9 }],
  ]);
});

it("a process whose agent may not ask is told why, and not as if its conversation were bad", () => {
  const { ask, asked, refused } = exchange(() => {
    throw new HallError("forbidden", "There is nothing to answer.");
  });
  ask("session");
  expect([asked, refused]).toEqual([[], [["q", "There is nothing to answer.", "budget"]]]);
});

it("what a process has heard is told with the project that it is of", () => {
  const { board, place, heard } = exchange(() => ({}));
  board.hear(place, { type: "heard", runId: "run-9", id: "m", ok: true });
  expect(heard).toEqual([["shop", "run-9"]]);
});
