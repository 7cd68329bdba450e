import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { FromProcess } from "../contract/runs/protocol.ts";
import { bundling } from "./bundles.ts";

const shown = (subject: string): FromProcess => ({
  type: "activity",
  orderId: "run-1.1",
  activity: { kind: "tool", name: "read", subject },
  turn: 1,
});
const acted: FromProcess = { type: "llm_cancel", requestId: "r1" };

it("sends what is only shown with the next message that somebody acts on, in the order in which it was said", () => {
  const posted: FromProcess[][] = [];
  const send = bundling((messages) => posted.push(messages));
  send(shown("a"));
  send(shown("b"));
  expect(posted).toEqual([]);
  send(acted);
  send(acted);
  expect(posted).toEqual([[shown("a"), shown("b"), acted], [acted]]);
});

it("sends what is only shown alone when nothing follows it, and nothing twice", async () => {
  const posted: FromProcess[][] = [];
  const send = bundling((messages) => posted.push(messages));
  send(shown("a"));
  await nextTurn();
  expect(posted).toEqual([[shown("a")]]);
  send(shown("b"));
  send(acted);
  await nextTurn();
  expect(posted).toEqual([[shown("a")], [shown("b"), acted]]);
});
