import { expect, it } from "vitest";
import { begun, call, play, reportTool, said, type Turn } from "../../test/fakes/agent.ts";
import type { Guards, Remark } from "../contract/runs/guarding.ts";
import type { CallGuard } from "./call-guard.ts";

const reported: Turn = { calls: [call("r1", "report", { summary: "Fixed." })] };

/** Answers the remarks in turn, and nothing after them. */
function guard(ending: Guards["ending"], remarks: (Remark | Error)[]): CallGuard & { rounds: number[] } {
  const left = [...remarks];
  const rounds: number[] = [];
  return {
    rounds,
    guards: () => ({ ending }),
    starting: () => Promise.reject(new Error("not asked")),
    permit: () => Promise.reject(new Error("not asked")),
    called: () => Promise.reject(new Error("not asked")),
    ending: async ({ round }) => {
      rounds.push(round);
      const remark = left.shift() ?? {};
      if (remark instanceof Error) throw remark;
      return remark;
    },
  };
}
const refusal = { feedback: "Run the tests.", refused: true } as const;
const tools = [reportTool()];

it("continues when it is held back, and ends when it is not", async () => {
  const own = guard("reminds", [{ feedback: "Criterion 1?" }]);
  const { end, asked } = await play([reported, { text: "Done." }, { text: "Really." }], { tools, guard: own });
  expect(end.status).toBe("completed");
  expect(own.rounds).toEqual([1, 2]);
  expect(asked[2]?.messages.at(-1)).toEqual({ role: "user", text: "Criterion 1?" });
});

it("is told once although it stopped after it was told", async () => {
  const reminder = { type: "message", from: "hall", text: "Criterion 1?", id: "held-back-1" } as const;
  const own = guard("reminds", []);
  const journal = [begun, said({ text: "Done." }), reminder];
  const { end } = await play([{ text: "Really." }], { tools, guard: own, journal });
  expect(end.status).toBe("completed");
  expect(own.rounds).toEqual([2]);
});

it("fails when a hook refuses its end three times, although it reported", async () => {
  const own = guard("decides", [refusal, refusal, refusal]);
  const { end } = await play([reported, { text: "a" }, { text: "b" }, { text: "c" }], { tools, guard: own });
  expect(end).toMatchObject({
    status: "failed",
    cause: "result_refused",
    error: expect.stringContaining("Run the tests."),
  });
});

it("does not complete at a limit what a hook refused", async () => {
  const own = guard("decides", [refusal]);
  const { end } = await play([reported, { text: "a" }], { tools, guard: own, limits: { turns: 2 } });
  expect(end).toMatchObject({ status: "failed", cause: "turns" });
});

it("asks the hook at a limit, too", async () => {
  const own = guard("decides", [refusal]);
  const { end } = await play([reported], { tools, guard: own, limits: { turns: 1 } });
  expect(end).toMatchObject({ status: "failed", cause: "turns" });
  expect(own.rounds).toEqual([1]);
});

it("completes at a limit what was reported, where nothing but a reminder is left", async () => {
  const own = guard("reminds", [{ feedback: "Criterion 1?" }]);
  const { end } = await play([reported], { tools, guard: own, limits: { turns: 1 } });
  expect(end.status).toBe("completed");
});

it("does not complete when nobody can be asked", async () => {
  const own = guard("reminds", [new Error("leaving"), new Error("leaving")]);
  const { end } = await play([reported, { text: "a" }], { tools, guard: own });
  expect(end.status).toBe("failed");
});

it("continues as often as whoever refuses allows, and fails with what is wrong after that [S2-CODE-06]", async () => {
  const checked = (retriesLeft: number) =>
    ({ feedback: "a.ts:1 Unexpected token", refused: true, retriesLeft }) as const;
  const own = guard("decides", [4, 3, 2, 1, 0].map(checked));
  const turns = ["a", "b", "c", "d", "e"].map((text) => ({ text }));
  const { end } = await play([reported, ...turns], { tools, guard: own });
  expect(own.rounds).toEqual([1, 2, 3, 4, 5]);
  expect(end).toMatchObject({
    status: "failed",
    cause: "result_refused",
    error: "The result did not pass its checks: a.ts:1 Unexpected token",
  });
});
