import { describe, expect, it } from "vitest";
import { TEAM_QUESTIONS } from "../contract/words/teams/team-words.ts";
import type { StoredEscalation } from "../workspace/escalations/escalations.ts";
import { formed } from "./machine/apply.ts";
import { answerIn, labelOf, questionOf } from "./team-questions.ts";

const AT = "2026-03-01T10:00:00.000Z";
const state = formed(
  {
    ...{ id: "team-1", projectId: "shop", name: "Sums", goal: "Add numbers", taskId: "TASK-001", approval: "plan" },
    ...{ budgetUsd: null, sdd: { value: "auto", because: "the default" }, createdAt: AT, createdBy: "person" },
  },
  AT,
);

function answered(kind: (typeof TEAM_QUESTIONS)[number], given: Partial<StoredEscalation>): StoredEscalation {
  const asked = questionOf(state, { number: 3, kind, reason: "Because." }, AT);
  return { ...asked, id: "esc-001", path: "", etag: "", status: "resolved", outcome: "answered", ...given };
}

describe("a question of a team", () => {
  it("goes to the person as an approval, with answers that can be carried out [S1-MOD-11]", () => {
    for (const kind of TEAM_QUESTIONS) {
      const asked = questionOf(state, { number: 3, kind, reason: "Because." }, AT);
      expect(asked).toMatchObject({ type: "approval", status: "pending", team: { id: "team-1", number: 3, kind } });
      for (const { label, description } of asked.suggestedAnswers) {
        const chosen = answered(kind, { answer: label, resolution: `${label}: ${description}`, resolvedBy: "person" });
        const { answer, remarks } = answerIn(chosen);
        expect(answer).not.toBe("none");
        expect(remarks).toBe("");
        if (answer !== "none") expect(labelOf(kind, answer)).toBe(label);
      }
    }
  });

  it("takes words without a label for remarks on a plan, and for a retry elsewhere", () => {
    const words = { answer: null, resolution: "Smaller, please.", resolvedBy: "person" };
    expect(answerIn(answered("plan", words))).toEqual({ answer: "reject", remarks: "Smaller, please.", by: "person" });
    for (const kind of ["task-failed", "integration-failed", "lead-failed", "setup-failed"] as const)
      expect(answerIn(answered(kind, words)).answer).toBe("retry");
    const both = { answer: "Request changes", resolution: "Smaller, please.", resolvedBy: "person" };
    expect(answerIn(answered("plan", both))).toMatchObject({ answer: "reject", remarks: "Smaller, please." });
  });

  it("is answered by what it offered then, under whatever label [S1-MOD-11]", () => {
    const asked = answered("plan", {});
    const reworded = asked.suggestedAnswers.map((one) => ({ ...one, label: `${one.label}, please` }));
    const chosen = { suggestedAnswers: reworded, answer: "Approve the plan, please", resolution: null };
    expect(answerIn(answered("plan", chosen)).answer).toBe("approve");
  });

  it("has no answer when it was dismissed or withdrawn", () => {
    const dismissed = answered("plan", { outcome: "dismissed", resolution: "Not now.", answer: null });
    expect(answerIn(dismissed).answer).toBe("none");
  });
});
