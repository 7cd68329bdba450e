import type { GateFinding, GateReport } from "../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../contract/documents/quality/integration-check.ts";
import type { CriterionState, Team, TeamTask } from "../contract/documents/teams/team.ts";
import type { ForPerson, TeamReport } from "../contract/documents/teams/team-report.ts";
import type { TeamSpec } from "../contract/documents/teams/team-spec.ts";
import type { Delivery } from "../contract/runs/delivery.ts";
import { hasEnded, type TeamStatus } from "../contract/words/teams/team-words.ts";
import { stageOf } from "./machine/steps/fact-steps.ts";
import type { TeamState } from "./machine/team-state.ts";

/** What the hall recorded of a team. */
export interface Recorded {
  state: TeamState;
  team: Team;
  tasks: TeamTask[];
  /** Finished gates of its runs, the oldest first. */
  gates: readonly GateReport[];
  check: IntegrationCheck | undefined;
  byRank: Record<string, number>;
  /** Of the run that delivers. */
  delivery: Delivery | undefined;
  /** Keys of tasks whose last run changed nothing. */
  unchanged: ReadonlySet<string>;
}

/** Findings that tell of something that a person has to see, whatever the gates made of it. */
const KINDS: Partial<Record<GateFinding["code"], ForPerson["kind"]>> = {
  unproven: "unproven",
  "not-red-before": "unproven",
  "red-unclear": "unproven",
  "no-tests-added": "unproven",
  "test-deleted": "changed-test",
  "test-skipped": "changed-test",
  "test-focused": "changed-test",
  "test-emptied": "changed-test",
  "test-weakened": "changed-test",
  "gate-settings-changed": "changed-settings",
  "no-rollback": "changed-interface",
  unwired: "unwired",
};

/** The order in which they are listed: what was accepted against the gates first. */
const ORDER: readonly ForPerson["kind"][] = [
  "approved-anyway",
  "unmet",
  "left-out",
  "waiver",
  "dispute",
  "changed-test",
  "changed-settings",
  "changed-interface",
  "unwired",
  "unproven",
];

export function teamReport(recorded: Recorded): TeamReport {
  const { state, team, tasks, gates, check, byRank, delivery } = recorded;
  const { document, spec, criteria, report, deliveryRunId, strategy, planApprovedBy } = state;
  const reason = state.reason ?? state.question?.reason;
  const counted = (verdict: GateReport["verdict"]) => gates.filter((gate) => gate.verdict === verdict).length;
  return {
    teamId: document.id,
    goal: document.goal,
    status: state.status,
    ...(reason === undefined ? {} : { reason }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(planApprovedBy === undefined ? {} : { planApprovedBy }),
    forPerson: forPerson(recorded),
    requirements: requirementsOf(spec, [...criteria.values()]),
    tasks,
    gates: {
      judged: gates.length,
      passed: counted("pass"),
      failed: counted("fail"),
      unable: counted("unable"),
      cycles: gates.reduce((most, { cycle }) => Math.max(most, cycle), 0),
    },
    ...(check === undefined
      ? {}
      : { integration: { checkId: check.id, verdict: check.verdict ?? check.state, rounds: state.rounds } }),
    cost: { usd: team.costUsd, known: team.costKnown, budgetUsd: state.budgetUsd, byRank },
    ...(report === undefined ? {} : { lead: report }),
    ...(delivery?.kind === "branch" && deliveryRunId !== undefined
      ? {
          delivery: {
            ...{ runId: deliveryRunId, state: delivery.state, branch: delivery.name, target: delivery.target },
          },
        }
      : {}),
    startedAt: document.createdAt,
    ...(state.endedAt === undefined ? {} : { endedAt: state.endedAt }),
  };
}

function requirementsOf(spec: TeamSpec | undefined, criteria: readonly CriterionState[]): TeamReport["requirements"] {
  return (spec?.requirements ?? []).map(({ id, text }) => {
    const own = criteria.filter(({ requirement }) => requirement === id);
    return { id, text, met: own.length > 0 && own.every(({ state }) => state === "met"), criteria: own };
  });
}

/** What only a person can judge. */
function forPerson(recorded: Recorded): ForPerson[] {
  const { state, tasks, gates, check } = recorded;
  const { approvedAnyway } = state;
  const anyway: ForPerson[] =
    approvedAnyway === undefined
      ? []
      : [
          {
            kind: "approved-anyway",
            text: `Delivered although the integration check did not pass.`,
            by: approvedAnyway.by,
            ...(approvedAnyway.reason === "" ? {} : { reason: approvedAnyway.reason }),
          },
        ];
  const leftOut = tasks
    .filter((task) => task.state === "left-out")
    .map(
      ({ title, reason }): ForPerson => ({
        ...{ kind: "left-out", text: title },
        ...(reason === undefined ? {} : { reason }),
      }),
    );
  const found = newestPerTask(gates).flatMap((gate) =>
    gate.stages.flatMap(({ findings }) => findings.flatMap((finding) => ofFinding(finding, gate.id))),
  );
  const ofCheck = (check?.steps ?? []).flatMap(({ findings }) =>
    findings.flatMap((finding) => ofFinding(finding, check?.id ?? "")),
  );
  const all = [...anyway, ...unmet(state), ...leftOut, ...unjudged(recorded), ...found, ...ofCheck];
  return all.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
}

const STANDING = { unmet: "not met", waived: "left out", open: "not checked" } as const;

/** Before the team delivers, what is open may still be met. */
function unmet(state: TeamState): ForPerson[] {
  const isOpenSettled = hasEnded(state.status) || SETTLED.includes(stageOf(state));
  return [...state.criteria.values()].flatMap(({ id, text, evidence, state: standing }): ForPerson[] => {
    if (standing === "met" || (standing === "open" && !isOpenSettled)) return [];
    const reason = evidence === undefined ? {} : { reason: evidence };
    return [{ kind: "unmet", text: `${id}: ${text} (${STANDING[standing]})`, ...reason }];
  });
}

const SETTLED: readonly TeamStatus[] = ["synthesizing", "delivering"];

/** Tasks that count without a gate that passed. */
function unjudged({ tasks, unchanged }: Recorded): ForPerson[] {
  return tasks.flatMap(({ key, title, state, gate, runIds }): ForPerson[] => {
    if (state !== "merged") return [];
    if (gate?.verdict === "fail" || gate?.verdict === "unable") {
      const judged = gate.verdict === "fail" ? "failed" : "could not judge it";
      return [{ kind: "approved-anyway", text: `${title}: merged although its gate ${judged}.`, gateId: gate.id }];
    }
    if (runIds.length === 0) return [{ kind: "unproven", text: `${title}: moved to done without a run.` }];
    if (!unchanged.has(key)) return [];
    return [{ kind: "unproven", text: `${title}: its run changed nothing, so no gate judged it.` }];
  });
}

/** A later cycle replaces what an earlier one found. */
function newestPerTask(gates: readonly GateReport[]): GateReport[] {
  return [...new Map(gates.map((gate) => [gate.taskId ?? gate.id, gate])).values()];
}

function ofFinding(finding: GateFinding, gateId: string): ForPerson[] {
  const { code, state, message, file, waiver, replies = [] } = finding;
  const place = { ...(file === undefined ? {} : { file }), gateId };
  if (waiver !== undefined) return [{ kind: "waiver", text: message, ...place, by: waiver.by, reason: waiver.reason }];
  if (state === "refuted" || state === "resolved") return replies.length > 0 ? [dispute(finding, place)] : [];
  if (state === "disputed") return [dispute(finding, place)];
  const kind = KINDS[code];
  return kind === undefined ? [] : [{ kind, text: message, ...place }];
}

function dispute({ message, replies = [] }: GateFinding, place: Pick<ForPerson, "file" | "gateId">): ForPerson {
  const last = replies.at(-1);
  return {
    kind: "dispute",
    text: message,
    ...place,
    ...(last === undefined ? {} : { by: last.by, reason: last.text }),
  };
}
