import type { CriterionState } from "../../contract/documents/teams/team.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { TeamQuestion } from "../../contract/words/teams/team-words.ts";
import { CHECKER_ROLE, LEAD_ROLE } from "../../runs/plan/built-in-roles.ts";
import { assign } from "./assign.ts";
import { autonomyOf } from "./autonomy/autonomy-phase.ts";
import { evolutionSteps, isEvolving, wholeGaps } from "./autonomy/evolution.ts";
import { checkerOf, finished, joined, leadOf } from "./members.ts";
import { isSetupFailure } from "./observing/observe-task.ts";
import { mostRounds, remediationOf } from "./remediation.ts";
import { LEAD_TRIES } from "./steps/lead-steps.ts";
import type { TeamFact } from "./team-facts.ts";
import type { LeadStep, TeamState } from "./team-state.ts";
import type { World } from "./world.ts";

/** Runs of checkers for one check before the person is asked. */
const CHECKER_TRIES = 2;

/** What is to be done now that nothing else happened. Empty: it waits. */
export function nextSteps(state: TeamState, world: World): TeamFact[] {
  const evolution = evolutionSteps(state, () => startLead(state, world, "evolution"));
  const steps = evolution.length > 0 ? evolution : stepsOf(state, world);
  return steps.length > 0 ? steps : stuck(state);
}

/** A member whom nothing helped. Asked when no other question is open. */
function stuck(state: TeamState): TeamFact[] {
  const { question, questions, health } = state;
  if (question !== undefined) return [];
  for (const { number, action, outcome, member, reason, why, task } of health.open.values())
    if (action === "escalate" && outcome === undefined) {
      const told = `${member}: ${reason} ${why}`;
      const about = task === undefined ? {} : { task };
      return [
        { type: "asked", number: questions + 1, kind: "member-stuck", issue: number, reason: told, ...about },
        { type: "health-acted", number, outcome: "done" },
      ];
    }
  return [];
}

function stepsOf(state: TeamState, world: World): TeamFact[] {
  switch (state.status) {
    case "forming":
      return [{ type: "formed" }];
    case "specifying":
      return isSetUp(state, world) ? leadStep(state, world, "spec") : setupStep(state);
    case "planning":
      return leadStep(state, world, "plan");
    case "awaiting-approval":
      return approval(state);
    case "working":
      return workStep(state, world);
    case "integrating":
      return integrationStep(state, world);
    case "synthesizing":
      return reportStep(state, world);
    default:
      return [];
  }
}

function ask(state: TeamState, kind: TeamQuestion, { reason, task }: { reason: string; task?: string }): TeamFact[] {
  if (state.question !== undefined) return [];
  return [{ type: "asked", number: state.questions + 1, kind, reason, ...(task === undefined ? {} : { task }) }];
}

/** What no member could work in costs nothing: it is tried before the lead starts. */
export function isSetUp({ setup, document }: TeamState, { needsSetup }: World): boolean {
  return !needsSetup || document.branch === undefined || setup?.passed === true;
}

function setupStep(state: TeamState): TeamFact[] {
  return state.setup === undefined ? [] : ask(state, "setup-failed", { reason: state.setup.reason ?? "" });
}

function leadStep(state: TeamState, world: World, step: LeadStep): TeamFact[] {
  if (state.lead !== undefined) return [];
  if (state.leadFailures >= LEAD_TRIES)
    return ask(state, "lead-failed", { reason: state.leadFailure ?? `The lead submitted no ${step}.` });
  return startLead(state, world, step);
}

function startLead(state: TeamState, world: World, step: LeadStep): TeamFact[] {
  const member = leadOf(state) === undefined ? [joined(state, { rank: "lead", roleId: LEAD_ROLE })] : [];
  return [...member, { type: "lead-started", step, runId: world.nextRunId() }];
}

/** The hall delivers with its own report where the lead can't write one. */
function reportStep(state: TeamState, world: World): TeamFact[] {
  const { lead, report, reportRunId, leadFailures } = state;
  if (lead !== undefined) return [];
  const isWritten = report !== undefined || leadFailures >= LEAD_TRIES;
  if (isWritten && reportRunId !== undefined) return [{ type: "delivering", runId: reportRunId }];
  return startLead(state, world, "report");
}

function approval(state: TeamState): TeamFact[] {
  const { approved, document, spec, plan, strategy } = state;
  const isSpec = document.approval === "spec-and-plan" && !approved.spec;
  const autonomy = autonomyOf(state);
  if (autonomy !== undefined) return [{ type: "approved", what: isSpec ? "spec" : "plan", by: autonomy.by }];
  if (isSpec)
    return ask(state, "spec", { reason: `The spec has ${count(spec?.requirements.length ?? 0, "requirement")}.` });
  const size = `${count(plan?.tasks.length ?? 0, "task")} in ${count(plan?.phases.length ?? 0, "phase")}`;
  return ask(state, "plan", { reason: `The plan has ${size}. Strategy ${strategy?.value}: ${strategy?.because}.` });
}

const count = (many: number, word: string) => `${many} ${word}${many === 1 ? "" : "s"}`;

function workStep(state: TeamState, world: World): TeamFact[] {
  const { index, phases } = state;
  const phase = phases.find(({ status }) => status !== "completed");
  if (phase === undefined || index.unfiled.size > 0) return [];
  const done = finished(state);
  if (done.length > 0) return done;
  if (phase.status === "pending") return [{ type: "phase-started", phase: phase.id }];
  if ((index.open.get(phase.id)?.size ?? 0) === 0) return [{ type: "phase-completed", phase: phase.id }];
  const [first] = index.blocked;
  const noWorkplace = withoutWorkplace(state);
  // What keeps one run from starting keeps them all.
  const starts = noWorkplace === undefined ? assign(state, world, phase.id) : [];
  const key = noWorkplace ?? first;
  if (key === undefined) return starts;
  const isStuck = starts.length === 0 && index.atWork.size === 0 && phase.status === "in-progress";
  const task = state.tasks.get(key);
  const reason = task?.reason ?? "The task failed.";
  const blocked: TeamFact[] = isStuck ? [{ type: "phase-blocked", phase: phase.id, reason }] : [];
  const kind = noWorkplace === undefined ? "task-failed" : "setup-failed";
  return [...starts, ...blocked, ...ask(state, kind, { reason, task: key })];
}

function withoutWorkplace({ index, tasks }: TeamState): string | undefined {
  for (const key of index.blocked) {
    const task = tasks.get(key);
    if (task !== undefined && isSetupFailure(task)) return key;
  }
  return undefined;
}

function integrationStep(state: TeamState, world: World): TeamFact[] {
  const { index, check, document } = state;
  if (index.counts.merged === 0) return [{ type: "failed", reason: "No task of the plan was completed." }];
  const uncovered = [...state.criteria.values()].filter(
    ({ task, state: standing }) => task === undefined && standing === "open",
  );
  if (uncovered.length > 0) return [remediationOf(state, { criteria: uncovered })];
  if (document.branch !== undefined) {
    if (check?.verdict === undefined) return [];
    if (check.verdict === "unable") return ask(state, "integration-failed", { reason: state.reason ?? CHECK_UNABLE });
    if (check.verdict === "fail") return repair(state, world, []);
  }
  return criteriaStep(state, world);
}

const CHECK_UNABLE = "The integration check could not run.";

function criteriaStep(state: TeamState, world: World): TeamFact[] {
  const open: CriterionState[] = [];
  const unmet: CriterionState[] = [];
  for (const criterion of state.criteria.values()) {
    if (criterion.state === "open") open.push(criterion);
    else if (criterion.state === "unmet") unmet.push(criterion);
  }
  if (open.some(({ kind }) => kind !== "look")) return [];
  if (open.length > 0) return look(state, world);
  return unmet.length > 0 ? repair(state, world, unmet) : startLead(state, world, "report");
}

function look(state: TeamState, world: World): TeamFact[] {
  const run = state.checker === undefined ? undefined : world.run(state.checker.runId);
  if (state.checker !== undefined && (run === undefined || !isOver(run))) return [];
  if (state.checkersStarted >= CHECKER_TRIES)
    return ask(state, "integration-failed", {
      reason: run?.error ?? "The checker ended without submitting a result.",
    });
  const member = checkerOf(state) === undefined ? [joined(state, { rank: "reviewer", roleId: CHECKER_ROLE })] : [];
  return [...member, { type: "checker-started", runId: world.nextRunId() }];
}

function repair(state: TeamState, world: World, criteria: CriterionState[]): TeamFact[] {
  const check = criteria.length > 0 || state.check === undefined ? undefined : world.check(state.check.id);
  const failedSteps = check?.steps.filter(({ verdict }) => verdict === "fail").map(({ name }) => name) ?? [];
  const gaps = wholeGaps(state, { criteria, failedSteps });
  if (gaps.length > 0 || isEvolving(state)) return gaps;
  if (state.roundsAlone < mostRounds(state, world)) return [remediationOf(state, { check, criteria })];
  const rounds = `Still not right after ${count(state.roundsAlone, "round")} of fixes.`;
  const what = criteria.length > 0 ? `Unmet: ${criteria.map(({ id }) => id).join(", ")}.` : (state.reason ?? "");
  return ask(state, "integration-failed", { reason: `${rounds} ${what}`.trim() });
}
