import type { GateFinding, GateReport } from "../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../contract/documents/quality/integration-check.ts";
import type { CriterionState, Team, TeamTask } from "../contract/documents/teams/team.ts";
import type { ForPerson, TeamReport } from "../contract/documents/teams/team-report.ts";
import type { TeamSpec } from "../contract/documents/teams/team-spec.ts";
import type { Delivery } from "../contract/runs/delivery.ts";
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
  "unproven",
];

export function teamReport(recorded: Recorded): TeamReport {
  const { state, team, tasks, gates, check, byRank, delivery } = recorded;
  const { document, spec, criteria, report, deliveryRunId } = state;
  const counted = (verdict: GateReport["verdict"]) => gates.filter((gate) => gate.verdict === verdict).length;
  return {
    teamId: document.id,
    goal: document.goal,
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
function forPerson({ state, tasks, gates, check }: Recorded): ForPerson[] {
  const { approvedAnyway, criteria } = state;
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
  const unmet = [...criteria.values()]
    .filter(({ state: of }) => of === "unmet" || of === "waived")
    .map((criterion): ForPerson => {
      const { id, text, evidence, state: of } = criterion;
      const reason = evidence === undefined ? {} : { reason: evidence };
      return { kind: "unmet", text: `${id}: ${text} (${of === "waived" ? "left out" : "not met"})`, ...reason };
    });
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
  const all = [...anyway, ...unmet, ...leftOut, ...found, ...ofCheck];
  return all.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
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
