import type { TeamActivity } from "../../contract/documents/teams/team.ts";
import type { AutonomyPhase } from "../../contract/words/teams/autonomy-words.ts";
import type { ActivityType } from "../../contract/words/teams/team-words.ts";
import { autonomyOf } from "./autonomy/autonomy-phase.ts";
import { proposalId } from "./autonomy/autonomy-view.ts";
import { leadOf } from "./members.ts";
import type { TeamFact, TeamLine } from "./team-facts.ts";
import type { TeamState } from "./team-state.ts";

type Entry = Omit<TeamActivity, "seq" | "at">;

/** What a line adds to the feed; `state` is the one after it. */
export function activityOf(state: TeamState, { seq, at, fact }: TeamLine): TeamActivity[] {
  return entriesOf(state, fact).map((entry) => ({ seq, at, ...entry }));
}

function entriesOf(state: TeamState, fact: TeamFact): Entry[] {
  switch (fact.type) {
    case "member-joined":
      return [entry("teammate-spawned", { member: fact.name, data: { rank: fact.rank, roleId: fact.roleId } })];
    case "member-left":
      return [entry("teammate-shutdown", { member: fact.name, data: { reason: fact.reason } })];
    case "model-swapped":
      return [
        entry("model-swapped", { member: fact.member, data: { model: fact.model, by: fact.by, reason: fact.reason } }),
      ];
    case "delivered":
    case "stopped":
      return shutdowns(state);
    case "failed":
      return [entry("error", { data: { reason: fact.reason } }), ...shutdowns(state)];
    case "health-issue":
      return unwell(fact);
    case "health-cleared":
      return recovered(state, fact);
    case "cost-warned":
      return [entry("cost-warning", { data: { spentUsd: fact.spentUsd, budgetUsd: fact.budgetUsd } })];
    case "phase-started":
      return [entry("phase-advanced", { data: { phase: fact.phase, status: "in-progress" } })];
    case "phase-completed":
      return [entry("phase-advanced", { data: { phase: fact.phase, status: "completed" } })];
    case "phase-blocked":
      return [entry("phase-blocked", { data: { phase: fact.phase, reason: fact.reason } })];
    case "asked":
      return [
        entry("escalation", {
          ...aboutTask(state, fact.task),
          data: { kind: fact.kind, number: fact.number, reason: fact.reason },
        }),
      ];
    case "noted":
      return [noted(fact)];
    case "paused":
      return autonomyOf(state) === undefined ? [] : [pausedEntry(fact)];
    case "autonomy-set":
    case "autonomy-phase":
    case "evolution-proposed":
    case "evolution-decided":
    case "remediation":
      return autonomyEntries(state, fact);
    default:
      return [...leadEntries(state, fact), ...taskEntries(state, fact), ...checkEntries(fact)];
  }
}

/** What is not known is left out. */
function entry(type: ActivityType, about: { [Key in keyof Omit<Entry, "type">]: Entry[Key] | undefined } = {}): Entry {
  const { member, task, runId, data } = about;
  return {
    type,
    ...(member === undefined ? {} : { member }),
    ...(task === undefined ? {} : { task }),
    ...(runId === undefined ? {} : { runId }),
    ...(data === undefined ? {} : { data }),
  };
}

/** That a member stalled and what was done about it are two entries. */
function unwell({ issue, member, task, runId, number, ...data }: Extract<TeamFact, { type: "health-issue" }>): Entry[] {
  const { reason, action, why, model } = data;
  const about = { member, task, runId };
  const told = { number, reason, action, why, ...(model === undefined ? {} : { model }) };
  const stalled = issue === "stall" ? [entry("stall-detected", { ...about, data: { reason } })] : [];
  return [...stalled, entry(`health:${issue}`, { ...about, data: told })];
}

function recovered({ health }: TeamState, fact: Extract<TeamFact, { type: "health-cleared" }>): Entry[] {
  const { number, isOver = false } = fact;
  for (const { issues } of health.members.values()) {
    const found = issues.find((one) => one.number === number);
    if (found === undefined) continue;
    const { member, task, runId, issue } = found;
    return [entry("health:cleared", { member, task, runId, data: { number, issue, isOver } })];
  }
  return [];
}

function noted({ activity, ...about }: Extract<TeamFact, { type: "noted" }>): Entry {
  return entry(activity, about);
}

function aboutTask({ tasks }: TeamState, key: string | undefined): { task?: string; member?: string | undefined } {
  return key === undefined ? {} : { task: key, member: tasks.get(key)?.member };
}

/** At the end of a team everybody leaves. */
function shutdowns({ members, status }: TeamState): Entry[] {
  const here = [...members.values()].filter(({ isStopped }) => !isStopped);
  return here.map(({ name }) => entry("teammate-shutdown", { member: name, data: { status } }));
}

const STEPS = { spec: "spec", plan: "plan", report: "report", evolution: "change of the spec" } as const;

function leadEntries(state: TeamState, fact: TeamFact): Entry[] {
  const member = leadOf(state)?.name;
  switch (fact.type) {
    case "spec-submitted":
      return [entry("plan-submitted", { member, runId: fact.runId, data: { what: "spec" } })];
    case "spec-edited":
      return [entry("plan-submitted", { data: { what: "spec", by: fact.by, changed: fact.changed } })];
    case "plan-submitted": {
      const { plan, strategy, runId } = fact;
      return [entry("plan-submitted", { member, runId, data: { what: "plan", tasks: plan.tasks.length, strategy } })];
    }
    case "session-imported": {
      const { plan, strategy, by } = fact;
      return [entry("plan-submitted", { data: { what: "session", by, tasks: plan.tasks.length, strategy } })];
    }
    case "approved":
      return [entry("plan-approved", { data: { what: fact.what, by: fact.by } })];
    case "rejected":
      return [entry("plan-rejected", { data: { what: fact.what, by: fact.by, remarks: fact.remarks } })];
    case "lead-failed":
      return [entry("error", { member, runId: fact.runId, data: { step: STEPS[fact.step], reason: fact.reason } })];
    default:
      return [];
  }
}

function taskEntries(state: TeamState, fact: TeamFact): Entry[] {
  switch (fact.type) {
    case "task-started": {
      const { key: task, member, runId, model, roleSpec, after } = fact;
      const data = { ...(model && { model }), ...(roleSpec && { roleSpec: roleSpec.name }), ...(after && { after }) };
      return [entry("task-claimed", { task, member, runId, data: Object.keys(data).length === 0 ? undefined : data })];
    }
    case "task-in-review":
      return [entry("task-in-review", { ...aboutTask(state, fact.key), runId: fact.runId })];
    case "task-reworked":
      return [entry("review-feedback-sent", { ...aboutTask(state, fact.key), runId: fact.runId })];
    case "task-conflicted": {
      const { key, runId, reason } = fact;
      return [entry("file-conflict", { ...aboutTask(state, key), runId, data: { reason } })];
    }
    case "task-judged": {
      const { key, runId, gateId, verdict, score } = fact;
      const type = verdict === "pass" || verdict === "skipped" ? "quality-gate-passed" : "quality-gate-failed";
      return [entry(type, { ...aboutTask(state, key), runId, data: { gateId, verdict, score } })];
    }
    case "task-checked": {
      const { key, checks } = fact;
      const { runId, verdict, attempt, attempts, artifact } = checks;
      const failed = checks.checks.filter((one) => one.verdict === verdict && verdict !== "pass");
      const data = {
        verdict,
        attempt,
        attempts,
        checks: failed.map(({ name }) => name),
        ...(artifact && { artifact }),
      };
      const type = verdict === "fail" ? "checks-failed" : "checks-passed";
      return [entry(type, { ...aboutTask(state, key), runId, data })];
    }
    case "task-merged":
      return [entry("task-completed", { ...aboutTask(state, fact.key), runId: fact.runId })];
    case "task-failed": {
      const { key, runId, reason, isFinal } = fact;
      return [entry("task-failed", { ...aboutTask(state, key), runId, data: { reason, isFinal } })];
    }
    case "discussed": {
      const { key, runId, verdict, severity, rating } = fact;
      return [entry("review-feedback-sent", { ...aboutTask(state, key), runId, data: { verdict, severity, rating } })];
    }
    case "task-orphaned": {
      const { key, runId, reason } = fact;
      return [entry("task-failed", { ...aboutTask(state, key), runId, data: { isOrphaned: true, reason } })];
    }
    case "task-left-out": {
      const { key, by, reason } = fact;
      return [entry("task-failed", { ...aboutTask(state, key), data: { isLeftOut: true, by, reason } })];
    }
    default:
      return [];
  }
}

function checkEntries(fact: TeamFact): Entry[] {
  switch (fact.type) {
    case "check-started":
      return [entry("integration-check-started", { data: { checkId: fact.checkId } })];
    case "check-ended": {
      const { checkId, verdict, reason } = fact;
      const type =
        verdict === "pass" || verdict === "skipped" ? "integration-check-passed" : "integration-check-failed";
      return [entry(type, { data: { checkId, verdict, ...(reason === undefined ? {} : { reason }) } })];
    }
    default:
      return [];
  }
}

function pausedEntry({ code = "user-requested", by, reason: text }: Extract<TeamFact, { type: "paused" }>): Entry {
  return entry("yolo-paused", { data: { reason: code, by, ...(text === undefined ? {} : { text }) } });
}

type AutonomyFact = Extract<
  TeamFact,
  { type: "autonomy-set" | "autonomy-phase" | "evolution-proposed" | "evolution-decided" | "remediation" }
>;

/** Of a team that works without a person. */
function autonomyEntries(state: TeamState, fact: AutonomyFact): Entry[] {
  switch (fact.type) {
    case "autonomy-set": {
      const { mode, limits, by } = fact;
      const isChange = state.autonomy?.phase !== "idle" && state.autonomy?.phase !== "aborted";
      return mode === "off" ? [] : [entry("yolo-started", { data: { mode, by, isChange, ...limits } })];
    }
    case "autonomy-phase":
      return phaseEntries(state, fact.phase);
    case "evolution-proposed": {
      const { number, runId, reason, added, changed, removed } = fact;
      const data = { proposal: proposalId(number), reason, added, changed, removed };
      return [entry("yolo-spec-evolution-proposed", { member: leadOf(state)?.name, runId, data })];
    }
    case "evolution-decided": {
      const { number, outcome, by, remarks } = fact;
      const data = { what: "spec change", proposal: proposalId(number), by, ...(remarks && { remarks }) };
      return [entry(outcome === "applied" ? "plan-approved" : "plan-rejected", { data })];
    }
    case "remediation": {
      if (autonomyOf(state) === undefined) return [];
      const { round, tasks } = fact;
      return [
        entry("yolo-remediation-created", { data: { round, tasks: tasks.length, keys: tasks.map(({ key }) => key) } }),
      ];
    }
  }
}

/** That a team paused is an entry of its own, with the reason. */
function phaseEntries(state: TeamState, to: AutonomyPhase): Entry[] {
  if (to === "paused") return [];
  if (to === "completed") return [entry("yolo-completed", { data: { rounds: state.rounds } })];
  if (to !== "aborted") return [entry("yolo-phase-changed", { data: { to } })];
  const isOff = autonomyOf(state) === undefined;
  const reason = isOff ? `switched off by ${state.autonomy?.by}` : (state.reason ?? `the team was ${state.status}`);
  return [entry("yolo-aborted", { data: { reason } })];
}
