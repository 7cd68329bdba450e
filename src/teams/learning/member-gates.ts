import type { GateReport } from "../../contract/documents/quality/gate.ts";
import type { MemberGate } from "../../contract/documents/teams/team-lessons.ts";
import { gateLineOf } from "../../workspace/gates/gate-file.ts";
import type { TeamState } from "../machine/team-state.ts";

interface Sources {
  gatesOf: (runId: string) => GateReport[];
  /** Undefined of a run that is unknown. */
  memberOf: (runId: string) => string | undefined;
}

/** Gate reports of a team, each with the member whose result it judged, the oldest first. */
export function memberGates({ tasks }: TeamState, { gatesOf, memberOf }: Sources): MemberGate[] {
  const gates = [...tasks.values()].flatMap(({ plan, member = "", runIds }) =>
    runIds.flatMap((runId) => {
      // A task that went to another member keeps the reports of those before.
      const who = { member: memberOf(runId) ?? member, task: plan.key };
      return gatesOf(runId).map((report) => ({ ...gateLineOf(report), ...who }));
    }),
  );
  return gates.toSorted((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
}
