import { expect, it } from "vitest";
import { lastCalls } from "./repeated-call.ts";
import type { Item } from "./transcript-model.ts";

const call = (turn: number, input: string, output?: string): Item => ({
  ...{ key: `e${turn}`, kind: "call", turn, call: { id: `c${turn}`, name: "read", input } },
  result: output === undefined ? undefined : { type: "result", id: `c${turn}`, name: "read", output, failed: true },
});

it("names the call that came last and what came of it, though the last one was not carried out any more", () => {
  const input = '{"path":"none.md"}';
  const items = [call(1, '{"path":"a.md"}', "x"), call(2, input, "No such file.\nLook elsewhere."), call(3, input)];
  expect(lastCalls(items)).toEqual([{ name: "read", words: "none.md", error: "No such file." }]);
  expect(lastCalls([])).toEqual([]);
});
