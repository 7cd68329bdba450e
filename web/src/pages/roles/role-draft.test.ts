import { describe, expect, it } from "vitest";
import { createOf, draftOf, draftProblems, EMPTY, updateOf } from "./role-draft.ts";

const role = {
  id: "coder",
  name: "Coder",
  emoji: "🔨",
  description: "Writes code",
  specialty: ["typescript", "node"],
  modelConfig: { model: "default", thinking: "high" as const, timeout: 600, temperature: 0.2 },
  skills: ["read", "write"],
  ask: ["write"],
  systemPromptTemplate: "You are {{name}}.",
  variables: ["task", "tone"],
  version: 3,
};

describe("a role in a form", () => {
  it("comes back as it was, with what was emptied taken away", () => {
    const draft = draftOf(role);
    expect(draft.variables).toBe("tone");
    expect(updateOf(draft)).toEqual({
      name: "Coder",
      emoji: "🔨",
      description: "Writes code",
      specialty: ["typescript", "node"],
      skills: ["read", "write"],
      ask: ["write"],
      systemPromptTemplate: "You are {{name}}.",
      variables: ["task", "tone"],
      modelConfig: { model: "default", thinking: "high", timeout: 600, temperature: 0.2, maxTokens: null },
    });
    expect(updateOf({ ...draft, temperature: "" }).modelConfig?.temperature).toBeNull();
  });

  it("leaves out of a new one what was not given", () => {
    const made = createOf({ ...EMPTY, name: " Writer " });
    expect(made.name).toBe("Writer");
    expect(made).not.toHaveProperty("id");
    expect(made.modelConfig).toEqual({ model: "default", thinking: "medium", timeout: 300 });
  });

  it("says which field is wrong before the daemon has to", () => {
    expect(draftProblems({ ...EMPTY, name: "x" })).toEqual({});
    const wrong = { ...EMPTY, name: " ", timeout: "0", temperature: "3", maxTokens: "1.5", model: "a b" };
    expect(Object.keys(draftProblems(wrong)).sort()).toEqual(["maxTokens", "model", "name", "temperature", "timeout"]);
  });
});
