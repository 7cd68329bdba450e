import type { Delivery } from "../../../contract/runs/delivery.ts";
import { isOver } from "../../../contract/runs/run-status.ts";
import { gateGaps } from "../autonomy/evolution.ts";
import { mostRounds, remediationOf } from "../remediation.ts";
import { stageOf } from "../steps/fact-steps.ts";
import { isSettled } from "../task-index.ts";
import type { TeamFact } from "../team-facts.ts";
import type { TeamState } from "../team-state.ts";
import type { World } from "../world.ts";
import { answered } from "./answers.ts";
import { observeLead } from "./observe-lead.ts";
import { observeTask } from "./observe-task.ts";

type SeenStep = NonNullable<ReturnType<World["check"]>>["steps"][number];

/** The part of a budget after which the person is warned. */
const WARN_AT = 0.8;

/** What the world says and the log does not yet. */
export function observe(state: TeamState, world: World): TeamFact[] {
  const answer = answered(state, world);
  if (answer.length > 0) return answer;
  const tasks = observeTasks(state, world);
  return [
    ...cost(state, world),
    ...observeLead(state, world),
    ...tasks,
    ...gateGaps(state, tasks, world),
    ...observeCheck(state, world),
    ...observeChecker(state, world),
    ...observeDelivery(state, world),
  ];
}

function cost({ budgetUsd, warnedOfCost }: TeamState, { spentUsd }: World): TeamFact[] {
  if (budgetUsd === null || warnedOfCost || spentUsd < budgetUsd * WARN_AT) return [];
  return [{ type: "cost-warned", spentUsd, budgetUsd }];
}

/** Those that someone works on, and those that changed on the board: a plan may have thousands. */
function observeTasks(state: TeamState, world: World): TeamFact[] {
  if (stageOf(state) !== "working") return [];
  const facts: TeamFact[] = [];
  for (const key of keysToLookAt(state, world)) {
    const task = state.tasks.get(key);
    if (task !== undefined && !isSettled(task.state)) observeTask(state, task, { world, facts });
  }
  return facts;
}

function keysToLookAt({ index, tasks }: TeamState, { touched }: World): Iterable<string> {
  if (touched === "all") return tasks.keys();
  const changed = [...touched].flatMap((taskId) => index.byTask.get(taskId) ?? []);
  return new Set([...index.atWork, ...changed]);
}

function observeCheck({ check }: TeamState, world: World): TeamFact[] {
  if (check === undefined || check.verdict !== undefined) return [];
  const seen = world.check(check.id);
  if (seen?.state !== "finished") return [];
  const failed = seen.steps.filter(({ verdict }) => verdict === "fail" || verdict === "unable");
  const steps = failed.map((step) => step.reason?.text ?? failedStep(step)).join(" ");
  const reason = steps === "" ? (seen.reason?.text ?? "") : steps;
  const verdict = seen.verdict ?? "unable";
  return [{ type: "check-ended", checkId: check.id, verdict, ...(reason === "" ? {} : { reason }) }];
}

/** Findings that are named where a person is told of a failed step; the check has all of them. */
const MOST_NAMED = 3;

function failedStep({ name, findings }: SeenStep): string {
  const blocking = findings.filter(({ blocks, state }) => blocks && state === "open");
  if (blocking.length === 0) return `The ${name} step failed.`;
  const named = blocking.slice(0, MOST_NAMED).map(({ file, message }) => {
    const [text = ""] = message.split("\n", 1);
    return file === undefined ? text : `${file}: ${text}`;
  });
  const more = blocking.length - named.length;
  return `The ${name} step failed: ${named.join(" ")}${more === 0 ? "" : ` And ${more} more.`}`;
}

/** One that ended without a hand-in is no fact: the next step starts another, or asks. */
function observeChecker({ checker }: TeamState, world: World): TeamFact[] {
  const run = checker === undefined ? undefined : world.run(checker.runId);
  if (checker === undefined || run === undefined || !isOver(run) || run.handIn?.kind !== "check") return [];
  return [{ type: "criteria-checked", runId: checker.runId, results: run.handIn.results }];
}

function observeDelivery(state: TeamState, world: World): TeamFact[] {
  const { deliveryRunId: runId, document } = state;
  if (runId === undefined || stageOf(state) !== "delivering") return [];
  // Without a branch the work is where it belongs already.
  if (document.branch === undefined) return [{ type: "delivered", runId }];
  const run = world.run(runId);
  if (run === undefined || !isOver(run) || run.delivery === undefined) return [];
  const next = run.next ?? run.delivery.next;
  switch (run.delivery.state) {
    case "delivered":
    case "unchanged":
    case "reverted":
      return [{ type: "delivered", runId }];
    case "discarded":
      return [{ type: "stopped", by: "person", reason: "The result of the team was discarded." }];
    case "rejected":
      return next === undefined ? sentBack(state, run.delivery.reason) : [{ type: "delivering", runId: next }];
    case "review":
      return clashes(state, world, run.delivery);
    default:
      return [];
  }
}

function sentBack(state: TeamState, remarks = "The person asked for changes."): TeamFact[] {
  const { deliveryConflict: clash } = state;
  return clash === undefined
    ? [{ ...remediationOf(state, { remarks }), by: "person" }]
    : [remediationOf(state, { clash })];
}

/** It is repaired as what the integration check finds, as often. After that the person decides, to whom it is shown anyway. */
function clashes(state: TeamState, world: World, { reasonCode, reason = "" }: Delivery): TeamFact[] {
  const { deliveryRunId: runId, deliveryConflict, roundsAlone } = state;
  const isNew = reasonCode === "merge-conflict" && deliveryConflict === undefined && runId !== undefined;
  return isNew && roundsAlone < mostRounds(state, world) ? [{ type: "delivery-conflicted", runId, reason }] : [];
}
