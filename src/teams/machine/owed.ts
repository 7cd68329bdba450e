import { isOver } from "../../contract/runs/run-status.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { TeamEffect } from "./effects.ts";
import { isSetUp } from "./next-steps.ts";
import type { TeamState } from "./team-state.ts";
import type { World } from "./world.ts";

/** What the state says should be, and the world does not have yet. While a team is paused or has ended, nothing new starts. */
export function owed(state: TeamState, world: World): TeamEffect[] {
  const isAtRest = hasEnded(state.status) || state.status === "paused" || !world.isActive;
  const starts = isAtRest ? [] : [...leadOwed(state, world), ...workOwed(state, world), ...wholeOwed(state, world)];
  return [
    ...starts,
    ...modelsOwed(state, world),
    ...helpOwed(state),
    ...questionsOwed(state, world),
    ...cancelsOwed(state, world),
  ];
}

/** Whoever is stuck; a question to the person is asked when there is no other. */
function helpOwed({ health, status }: TeamState): TeamEffect[] {
  if (hasEnded(status)) return [];
  return [...health.open.values()]
    .filter(({ action, outcome }) => outcome === undefined && action !== "escalate" && action !== "none")
    .map(({ number }) => ({ do: "help", number }));
}

/** Runs at work whose member was given another model. */
function modelsOwed({ members, status }: TeamState, world: World): TeamEffect[] {
  if (hasEnded(status)) return [];
  return [...members.values()].flatMap(({ change }): TeamEffect[] => {
    const { model, runId } = change ?? {};
    const run = runId === undefined ? undefined : world.run(runId);
    if (model === undefined || runId === undefined || run === undefined || isOver(run) || run.model === model)
      return [];
    return [{ do: "change-model", runId, model }];
  });
}

function leadOwed(state: TeamState, world: World): TeamEffect[] {
  const { lead, document, status, setup } = state;
  if (status === "specifying" && lead === undefined && setup === undefined && !isSetUp(state, world))
    return [{ do: "branch" }, { do: "try-setup" }];
  if (lead === undefined || world.run(lead.runId) !== undefined) return [];
  const { step, runId } = lead;
  const branch: TeamEffect[] = step === "spec" && document.branch !== undefined ? [{ do: "branch" }] : [];
  return [...branch, { do: "lead", step, runId }];
}

function workOwed({ status, index, tasks, session, document }: TeamState, world: World): TeamEffect[] {
  if (status !== "working") return [];
  if (index.unfiled.size > 0) return [{ do: "create-tasks", left: index.unfiled.size }];
  const effects: TeamEffect[] = [];
  for (const key of index.atWork) {
    const { state, runId, reworkOf, conflict } = tasks.get(key) ?? {};
    if (state !== "working" || runId === undefined || world.run(runId) !== undefined) continue;
    if (reworkOf === undefined) effects.push({ do: "work", key, runId });
    else if (conflict !== undefined) effects.push({ do: "resolve", key, runId, of: reworkOf });
  }
  // No lead made the branch of a session that was handed over.
  const needsBranch = session !== undefined && document.branch !== undefined && effects.length > 0;
  return needsBranch ? [{ do: "branch" }, ...effects] : effects;
}

function wholeOwed(state: TeamState, world: World): TeamEffect[] {
  const { status, document, check, checker, criteria, deliveryRunId, deliveryConflict } = state;
  if (status === "delivering" && deliveryRunId !== undefined) {
    if (isUndelivered(state, world)) return [{ do: "deliver", runId: deliveryRunId }];
    const isHeld = world.run(deliveryRunId)?.delivery?.state === "review" && deliveryConflict !== undefined;
    return isHeld ? [{ do: "take-back", runId: deliveryRunId, reason: deliveryConflict }] : [];
  }
  if (status !== "integrating") return [];
  if (document.branch !== undefined) {
    if (check === undefined || (check.verdict === undefined && world.check(check.id) === undefined))
      return [{ do: "check" }];
    if (check.verdict !== "pass" && check.verdict !== "skipped") return [];
  }
  const open = [...criteria.values()].filter((criterion) => criterion.state === "open");
  if (open.some(({ kind }) => kind !== "look")) return [{ do: "run-criteria" }];
  return checker === undefined || world.run(checker.runId) !== undefined ? [] : [{ do: "look", runId: checker.runId }];
}

function isUndelivered({ document, deliveryRunId = "" }: TeamState, world: World): boolean {
  const run = world.run(deliveryRunId);
  if (document.branch === undefined || run === undefined || !isOver(run)) return false;
  return run.delivery === undefined || run.delivery.state === "kept";
}

function questionsOwed({ question, settledQuestions }: TeamState, world: World): TeamEffect[] {
  const ask: TeamEffect[] =
    question === undefined || question.escalationId !== undefined ? [] : [{ do: "ask", number: question.number }];
  const stale = settledQuestions.filter(({ number }) => world.answer(number) === undefined);
  return [...ask, ...stale.map(({ number }): TeamEffect => ({ do: "withdraw", number }))];
}

/** Runs that nobody needs: all of an ended team, and those whose task or member is gone. */
function cancelsOwed(state: TeamState, world: World): TeamEffect[] {
  const { lead, checker, index, tasks, leftRuns } = state;
  const needless = new Set(leftRuns);
  if (hasEnded(state.status)) {
    for (const key of index.atWork) for (const id of tasks.get(key)?.runIds.slice(-1) ?? []) needless.add(id);
    for (const one of [lead, checker]) if (one !== undefined) needless.add(one.runId);
    if (state.status === "stopped" && state.deliveryRunId !== undefined) needless.add(state.deliveryRunId);
  }
  const runIds = [...needless].filter((id) => {
    const run = world.run(id);
    return run !== undefined && !isOver(run);
  });
  return runIds.length === 0 ? [] : [{ do: "cancel", runIds }];
}
