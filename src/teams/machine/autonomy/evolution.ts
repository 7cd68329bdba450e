import type { CriterionState } from "../../../contract/documents/teams/team.ts";
import type { SpecGap } from "../../../contract/documents/teams/team-autonomy.ts";
import { cutText } from "../../../contract/words/cut-text.ts";
import { renderSpec } from "../spec-text.ts";
import type { TeamFact } from "../team-facts.ts";
import type { TeamState } from "../team-state.ts";
import type { SeenRun, World } from "../world.ts";
import { autonomyOf } from "./autonomy-phase.ts";
import type { AutonomyState, Proposal } from "./autonomy-state.ts";
import { lineDiff, specDelta } from "./spec-diff.ts";

const LONGEST_GAP = 4_000;

function smart(state: TeamState): AutonomyState | undefined {
  const autonomy = autonomyOf(state);
  return autonomy?.mode === "smart" ? autonomy : undefined;
}

type GapFact = Extract<TeamFact, { type: "spec-gap" }>;

function unseen({ gapsSeen }: AutonomyState, gaps: [key: string, gap: SpecGap][]): GapFact[] {
  return gaps
    .filter(([key]) => !gapsSeen.has(key))
    .map(([key, gap]) => ({ type: "spec-gap", key, gap: { ...gap, text: cutText(oneLine(gap.text), LONGEST_GAP) } }));
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** A gate that fails for its requirements again after a rework may fail because of what they say. */
export function gateGaps(state: TeamState, facts: readonly TeamFact[], world: World): TeamFact[] {
  const autonomy = smart(state);
  if (autonomy === undefined) return [];
  return facts.flatMap((fact) => {
    if (fact.type !== "task-judged" || fact.verdict !== "fail") return [];
    const { key: task, gateId } = fact;
    if ((state.tasks.get(task)?.runIds.length ?? 0) < 2) return [];
    const found = world
      .specFindings(gateId)
      .map(({ stage, text, requirements }): [string, SpecGap] => [
        `${stage}:${task}`,
        { source: stage, text, requirements, task, gateId },
      ]);
    return unseen(autonomy, found);
  });
}

/** What a round of fixes could not repair may be wrong in the spec. */
export function wholeGaps(
  state: TeamState,
  { criteria, failedSteps }: { criteria: readonly CriterionState[]; failedSteps: readonly string[] },
): TeamFact[] {
  const autonomy = smart(state);
  if (autonomy === undefined || state.rounds === 0) return [];
  const { check, tasks, reason = "" } = state;
  const unmet = criteria
    .filter(({ task = "" }) => tasks.get(task)?.round !== undefined)
    .map(({ id, text, requirement, evidence = "", task = "" }): [string, SpecGap] => [
      `criterion:${id}`,
      {
        source: "remediation",
        text: `${id} is still not met after a round of fixes: ${text} ${evidence}`,
        requirements: [requirement],
        task,
      },
    ]);
  const checkId = check === undefined ? {} : { checkId: check.id };
  const failed: [string, SpecGap][] =
    failedSteps.length === 0
      ? []
      : [[`check:${failedSteps.join(",")}`, { source: "integration", text: reason, requirements: [], ...checkId }]];
  return unseen(autonomy, [...unmet, ...failed]);
}

/** Whether the next step has to wait for what becomes of the spec. */
export function isEvolving(state: TeamState): boolean {
  const autonomy = smart(state);
  return autonomy !== undefined && (autonomy.gaps.length > 0 || state.lead?.step === "evolution");
}

function pendingOf({ proposals }: AutonomyState): Proposal | undefined {
  return proposals.find(({ state }) => state === "pending");
}

/** What takes something out is never applied without a person: no team makes its goal smaller by itself. */
function needsApproval({ limits }: AutonomyState, { removed }: Proposal): boolean {
  return limits.requireApprovalForSpecChanges || removed.length > 0;
}

/** The lead is asked about gaps, and the person about its proposal. `startLead`: the facts that start a run of it. */
export function evolutionSteps(state: TeamState, startLead: () => TeamFact[]): TeamFact[] {
  const autonomy = smart(state);
  if (autonomy === undefined || (state.status !== "working" && state.status !== "integrating")) return [];
  const pending = pendingOf(autonomy);
  if (pending !== undefined) {
    if (!needsApproval(autonomy, pending))
      return [{ type: "evolution-decided", number: pending.number, outcome: "applied", by: "hall" }];
    if (state.question !== undefined) return [];
    const { number: proposal, reason } = pending;
    return [{ type: "asked", number: state.questions + 1, kind: "spec-change", proposal, reason }];
  }
  return autonomy.gaps.length > 0 && state.lead === undefined ? startLead() : [];
}

/** What the lead says of the gaps. */
export function evolved(state: TeamState, runId: string, { handIn, error }: SeenRun): TeamFact {
  const { autonomy, spec: before } = state;
  const declined = (reason: string): TeamFact => ({ type: "evolution-declined", runId, reason });
  if (handIn?.kind !== "spec-change") return declined(error ?? "The lead ended without an answer.");
  const { spec, reason } = handIn;
  if (spec === undefined || before === undefined || autonomy === undefined) return declined(reason);
  const text = renderSpec(spec);
  const isKnown = autonomy.proposals.some((one) => one.state === "rejected" && renderSpec(one.spec) === text);
  if (text === renderSpec(before) || isKnown)
    return declined(isKnown ? "The lead repeated a rejected proposal." : "The lead changed nothing.");
  const number = autonomy.proposals.length + 1;
  const diff = lineDiff(renderSpec(before), text);
  return { type: "evolution-proposed", number, runId, reason, spec, diff, ...specDelta(before, spec) };
}
