import { expect, test } from "vitest";
import { overrideOf } from "./override.ts";

const NOTHING = { model: "", thinking: "", timeout: "", tools: "", ask: [] };

test("an override that is left open is taken away", () => {
  expect(overrideOf({ modelConfig: { model: "a/b" } }, NOTHING)).toEqual({
    modelConfig: null,
    skills: null,
    ask: null,
  });
});

test("an override names only what differs from the role, and keeps what the form does not show", () => {
  const written = { model: " a/b ", thinking: "high", timeout: "1", tools: "read, exec,, ", ask: ["exec"] };
  expect(overrideOf({ modelConfig: { temperature: 0.5, timeout: 10 } }, written)).toEqual({
    modelConfig: { temperature: 0.5, model: "a/b", thinking: "high", timeout: 60 },
    skills: ["read", "exec"],
    ask: ["exec"],
  });
});
