import { describe, expect, it } from "vitest";
import { runPlan } from "../../../test/fakes/api-documents.ts";
import { plain } from "./paint.ts";
import { planText } from "./plan-text.ts";

const space = { paint: plain, width: undefined };

describe("the plan of a run", () => {
  it("tells every decision with its reason, and the exact prompt", () => {
    const prompt = `# Your Task\n${"a long line ".repeat(30)}`;
    const lines = planText(runPlan({ prompt, cut: ["Memory"], temperature: 0.5 }), space).split("\n");
    expect(lines).toEqual([
      "Dry run, nothing started. The run would use:",
      "role         coder",
      "purpose      work",
      "task         shop/TASK-001: Fix the login page",
      "model        offline/rehearsal (the default model)",
      "thinking     medium (set by the role)",
      "tools        read, report (set by the assignment)",
      "temperature  0.5 (set by the role or the assignment)",
      "time         300 s (set by the project)",
      "turns        1,000 (limits.turns in config.yml)",
      "tokens       no limit (the project has no maxTokensPerTask)",
      "repeats      5 identical calls in a row (fixed)",
      "window       200,000 tokens (from the model, or models.contextWindow in config.yml)",
      "cut          Memory (too long for the prompt)",
      "",
      "--- system ---",
      "You are a coder.",
      "",
      "--- prompt ---",
      ...prompt.split("\n"),
    ]);
  });

  it("shows controls as signs", () => {
    const text = planText(runPlan({ taskId: "TASK-009", title: "\u001b[2J", prompt: "a\u0007b" }), space);
    expect(text).toContain("task      shop/TASK-009: ␛[2J\n");
    expect(text).toContain("a␇b");
  });

  it("breaks its decisions to fit the terminal, but never the prompt", () => {
    const prompt = "p".repeat(10).concat(" word".repeat(30));
    const tools = { value: Array.from({ length: 20 }, (_, at) => `tool-${at}`), because: "set by the role" };
    const text = planText(runPlan({ prompt, tools }), { paint: plain, width: 60 });
    const [decisions = "", shown] = text.split("\n--- prompt ---\n");
    expect(Math.max(...decisions.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(shown).toBe(prompt);
  });
});
