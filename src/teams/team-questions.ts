import type { SuggestedAnswer } from "../contract/documents/escalation.ts";
import type { EscalationOrigin } from "../contract/documents/escalation-status.ts";
import { cutText } from "../contract/words/cut-text.ts";
import type { TeamQuestion } from "../contract/words/teams/team-words.ts";
import { chosenCode, type Offer, offeredAnswers, wordsBeside } from "../people/rules/offered-answers.ts";
import type { EscalationFields, StoredEscalation } from "../workspace/escalations/escalations.ts";
import type { OpenQuestion, TeamState } from "./machine/team-state.ts";
import type { Answer } from "./machine/world.ts";

type Code = Exclude<Answer["answer"], "none">;

const STOP: SuggestedAnswer = { label: "Stop the team", description: "Ends its runs. Its branch stays." };

/** The answers to each kind of question, the usual one first. */
const OFFERED: Record<TeamQuestion, Offer<Code>> = {
  spec: [
    ["approve", { label: "Approve the spec", description: "The lead plans the work." }],
    ["reject", { label: "Request changes", description: "The lead writes the spec again, with your remarks." }],
    ["stop", STOP],
  ],
  plan: [
    ["approve", { label: "Approve the plan", description: "Members start to work." }],
    ["reject", { label: "Request changes", description: "The lead plans again, with your remarks." }],
    ["stop", STOP],
  ],
  "task-failed": [
    ["retry", { label: "Try again", description: "Starts another run on the task, with your words." }],
    ["leave-out", { label: "Leave it out", description: "The team continues without the task." }],
    ["stop", STOP],
  ],
  "integration-failed": [
    ["retry", { label: "Check again", description: "Checks the whole again." }],
    ["approve", { label: "Deliver anyway", description: "Delivers the team's branch as it is." }],
    ["stop", STOP],
  ],
  "lead-failed": [
    ["retry", { label: "Try again", description: "Starts another run of the lead, with your words." }],
    ["stop", STOP],
  ],
  "setup-failed": [
    ["retry", { label: "Try again", description: "Sets up the folder of the run again." }],
    ["stop", STOP],
  ],
  "member-stuck": [
    ["retry", { label: "Start over", description: "Ends the run and starts another, with your words." }],
    ["approve", { label: "Let it continue", description: "Leaves the run as it is." }],
    ["leave-out", { label: "Leave it out", description: "The team continues without the task." }],
    ["stop", STOP],
  ],
  "spec-change": [
    ["approve", { label: "Approve the change", description: "The spec changes, and tasks follow it." }],
    ["reject", { label: "Keep the spec", description: "The team continues with its present spec." }],
    ["stop", STOP],
  ],
};

/** What a person's words without a label mean. */
const WORDS: Record<TeamQuestion, Code> = {
  spec: "reject",
  plan: "reject",
  "task-failed": "retry",
  "integration-failed": "retry",
  "lead-failed": "retry",
  "setup-failed": "retry",
  "member-stuck": "retry",
  "spec-change": "reject",
};

/** A spec and a plan are an agent's proposals. The others are about work that did not pass, or that can't go on. */
const ORIGINS: Record<TeamQuestion, EscalationOrigin> = {
  spec: "agent",
  plan: "agent",
  "task-failed": "review",
  "integration-failed": "review",
  "lead-failed": "health",
  "setup-failed": "health",
  "member-stuck": "health",
  "spec-change": "spec_change",
};

const LONGEST_QUESTION = 500;
const LONGEST_CONTEXT = 8_000;

/** Straight to the person: no agent decides for them about a team. */
export function questionOf(state: TeamState, question: OpenQuestion, at: string): EscalationFields {
  const { document } = state;
  const { number, kind, task } = question;
  return {
    type: "approval",
    origin: ORIGINS[kind],
    projectId: document.projectId,
    question: cutText(textOf(state, question).replaceAll(/\s+/g, " "), LONGEST_QUESTION),
    context: cutText(contextOf(state, question), LONGEST_CONTEXT),
    suggestedAnswers: offeredAnswers(OFFERED[kind].filter(([code]) => code !== "leave-out" || task !== undefined)),
    escalatedBy: "hall",
    escalationPath: ["hall", "person"],
    history: [{ at, by: "hall", action: "asked" }],
    askers: [],
    priority: "high",
    blocksTask: null,
    blocksInitiative: false,
    createdAt: at,
    updatedAt: at,
    status: "pending",
    resolution: null,
    answer: null,
    resolvedBy: null,
    resolvedAt: null,
    sources: [],
    replaces: [],
    reminders: 0,
    team: { id: document.id, number, kind, ...(task === undefined ? {} : { task }) },
  };
}

function textOf({ document, tasks }: TeamState, { kind, task = "" }: OpenQuestion): string {
  const team = `Team “${document.name}”`;
  const title = tasks.get(task)?.plan.title ?? task;
  switch (kind) {
    case "spec":
      return `${team} has a spec. Approve it?`;
    case "plan":
      return `${team} has a plan. Approve it?`;
    case "task-failed":
      return `${team}: “${title}” failed. What should happen with it?`;
    case "integration-failed":
      return `${team}: its work does not pass the integration check. What should happen with it?`;
    case "lead-failed":
      return `${team}: the lead failed. What should happen with the team?`;
    case "setup-failed":
      return `${team}: a folder to work in could not be set up. What should happen with the team?`;
    case "member-stuck":
      return task === ""
        ? `${team}: a member is stuck. What should happen?`
        : `${team}: the member on “${title}” is stuck. What should happen?`;
    case "spec-change":
      return `${team} wants to change its spec. Approve the change?`;
  }
}

function contextOf(state: TeamState, { kind, reason, proposal }: OpenQuestion): string {
  const { document, spec, plan, strategy, tasks } = state;
  const goal = `Goal: ${cutText(document.goal, 1_000)}`;
  const where = `Team ${document.id}, ${document.taskId} in project ${document.projectId}.`;
  const requirements = spec?.requirements.map(({ id, text }) => `- ${id}: ${text}`) ?? [];
  const planned = plan?.tasks.map(({ title, requirements: covered, dependsOn, key }) => {
    const role = tasks.get(key)?.roleId;
    const after = dependsOn.length === 0 ? "" : `, after ${dependsOn.join(", ")}`;
    return `- ${key}: ${title} (${[...covered, ...(role === undefined ? [] : [role])].join(", ")}${after})`;
  });
  const shown =
    kind === "spec"
      ? requirements
      : kind === "plan"
        ? [...(planned ?? []), ...(strategy === undefined ? [] : [`Strategy ${strategy.value}: ${strategy.because}`])]
        : kind === "spec-change"
          ? changeLines(state, proposal)
          : [];
  return [goal, ...(reason === "" ? [] : [reason]), ...(shown.length === 0 ? [] : [shown.join("\n")]), where].join(
    "\n\n",
  );
}

function changeLines({ autonomy }: TeamState, number: number | undefined): string[] {
  const found = autonomy?.proposals.find((one) => one.number === number);
  if (found === undefined) return [];
  const listed = (name: string, ids: readonly string[]) => (ids.length === 0 ? [] : [`${name}: ${ids.join(", ")}`]);
  return [
    ...found.evidence.map(({ text }) => `- ${cutText(text, 500)}`),
    "",
    ...listed("Added", found.added),
    ...listed("Changed", found.changed),
    ...listed("Removed", found.removed),
    ...["", "```diff", cutText(found.diff, 5_000), "```"],
  ];
}

/** What the person decided. */
export function answerIn(asked: StoredEscalation, kind: TeamQuestion = asked.team?.kind ?? "plan"): Answer {
  const by = asked.resolvedBy ?? "person";
  if (asked.outcome !== "answered") return { answer: "none", remarks: asked.resolution ?? "", by };
  const remarks = wordsBeside(asked);
  if (asked.answer === null) return { answer: WORDS[kind], remarks, by };
  return { answer: chosenCode(OFFERED[kind], asked) ?? "none", remarks, by };
}

/** The label for a code, for questions that have no codes themselves. */
export function labelOf(kind: TeamQuestion, code: Code): string | undefined {
  return OFFERED[kind].find(([offered]) => offered === code)?.[1].label;
}
