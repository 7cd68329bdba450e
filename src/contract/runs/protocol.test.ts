import { expect, it } from "vitest";
import { knownShape } from "../known-shape.ts";
import { FromProcess, ToProcess } from "./protocol.ts";

/** As it arrives: what is undefined is not there. */
const sent = (message: object): unknown => JSON.parse(JSON.stringify(message));

it.each([
  { type: "reply", requestId: "q", ok: true, value: undefined },
  { type: "llm_wait", requestId: "q", wait: undefined },
  { type: "llm_error", requestId: "q", kind: "resync", message: "" },
  {
    type: "order",
    order: { kind: "run", id: "o", runId: "r", epoch: 1, journal: "j", messages: [], workdir: undefined },
  },
])("a process understands $type without what is undefined", (message) => {
  expect(knownShape(ToProcess, sent(message))).toEqual(sent(message));
});

it.each([
  { type: "ask_hall", requestId: "q", what: "x", input: undefined, orderId: undefined },
  { type: "ended", orderId: "o", end: { status: "failed", error: "x", cause: undefined }, worthReflection: undefined },
  { type: "disk_wait", orderId: "o", wait: undefined },
  { type: "pong" },
])("the daemon understands $type without what is undefined", (message) => {
  expect(knownShape(FromProcess, sent(message))).toEqual(sent(message));
});

it.each([
  {
    type: "llm_request",
    requestId: "q",
    orderId: "o",
    settings: { model: "m", thinking: "off" },
    known: -1,
    messages: [],
  },
  { type: "llm_request", requestId: "q", orderId: "o", settings: {}, known: 0, messages: [] },
  {
    type: "llm_request",
    requestId: "q",
    orderId: "o",
    settings: { model: "m", thinking: "off" },
    known: 0,
    messages: [{}],
  },
  { type: "ended", orderId: "o", end: { status: "merged" } },
  { type: "ask_hall", requestId: 1, what: "x" },
  { type: "activity", orderId: "o", activity: "thinks", turn: 1 },
  { type: "toString" },
  null,
  [],
])("the daemon does not take %j for a message", (message) => {
  expect(knownShape(FromProcess, message)).toBeUndefined();
});
