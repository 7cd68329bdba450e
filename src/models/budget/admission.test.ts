import { expect, it } from "vitest";
import { ModelFailure, PassingFailure } from "../../contract/runs/model-call.ts";
import { Received } from "./admission.ts";

it("only what a provider had is paid: nothing without a connection or after a refusal, else by what came", () => {
  const paid = (failure: ModelFailure, text?: string) => {
    const received = new Received();
    if (text !== undefined) received.count({ kind: "text", text });
    return received.paid(failure);
  };
  expect(paid(new PassingFailure("unreachable", "No route."))).toBeUndefined();
  expect(paid(new PassingFailure("overloaded", "Too many."))).toBeUndefined();
  expect(paid(new ModelFailure("refused", "No."))).toBeUndefined();
  expect(paid(new PassingFailure("failing", "Cut off."))).toBe(0);
  expect(paid(new PassingFailure("failing", "Cut off."), "four")).toBe(4);
  expect(paid(new ModelFailure("cancelled", "Stopped."), "é")).toBe(2);
});
