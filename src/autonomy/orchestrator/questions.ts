import type { ProposalKind } from "../../contract/words/autonomy/orchestrator-words.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { unanswered } from "../../people/rules/new-escalation.ts";
import { chosenCode, type Offer, offeredAnswers } from "../../people/rules/offered-answers.ts";
import type { EscalationFields, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Idea } from "./ideas.ts";

/** What an answer has the orchestrator do. */
export type Verdict = "create" | "raise" | "cancel" | "nothing";

const CREATE: Offer<Verdict> = [
  ["create", { label: "Create it", description: "Creates the initiative, and has an agent start on it." }],
  ["nothing", { label: "No", description: "The same is not proposed again." }],
];

const OFFERED: Record<ProposalKind, Offer<Verdict>> = {
  goals: CREATE,
  knowledge: CREATE,
  tests: CREATE,
  stale: [
    ["raise", { label: "Raise their priority", description: "One step up." }],
    ["nothing", { label: "Leave them", description: "They are not brought up again." }],
    ["cancel", { label: "Cancel them", description: "They can be reopened." }],
  ],
  conflict: [["nothing", { label: "Understood", description: "It is not brought up again." }]],
};

const LONGEST = 500;

/** Straight to the person: no agent decides what new work is worth its money. */
export function questionOf(idea: Idea, at: string): EscalationFields {
  const { kind, projectId, title, evidence, goals } = idea;
  const isNew = OFFERED[kind] === CREATE;
  const listed = isNew ? `\n\nGoals:\n${goals.map((goal) => `- ${goal}`).join("\n")}` : "";
  return {
    ...unanswered(),
    ...{ type: isNew ? "approval" : "decision", origin: "agent" },
    ...(projectId === undefined ? {} : { projectId }),
    question: cutText(
      isNew ? `Create the initiative “${title}” in ${projectId}?` : `${title}. What should happen?`,
      LONGEST,
    ),
    context: `The orchestrator proposes this. Evidence: ${evidence}${listed}`,
    suggestedAnswers: offeredAnswers(OFFERED[kind]),
    ...{ escalatedBy: "hall", escalationPath: ["hall", "person"], history: [{ at, by: "hall", action: "asked" }] },
    ...{ askers: [], priority: "medium", blocksTask: null, blocksInitiative: false },
    ...{ createdAt: at, updatedAt: at, status: "pending" },
  };
}

/** Only a label has something done; other words are the person's note, and nothing happens. */
export function verdictIn(
  kind: ProposalKind,
  asked: Pick<StoredEscalation, "outcome" | "answer" | "suggestedAnswers">,
): Verdict {
  if (asked.outcome !== "answered") return "nothing";
  return chosenCode(OFFERED[kind], asked) ?? "nothing";
}
