import type { TeamSpec } from "../../../contract/documents/teams/team-spec.ts";
import { leadOf } from "../members.ts";
import type { TeamState } from "../team-state.ts";

/** The lead's run is over. */
export function leaves(state: TeamState): void {
  const lead = leadOf(state);
  if (lead !== undefined) lead.runId = undefined;
  state.lead = undefined;
}

export function handedIn(state: TeamState): void {
  leaves(state);
  state.leadFailures = 0;
  state.leadFailure = undefined;
  state.remarks = undefined;
}

/** What is known of a criterion counts as long as it says the same. */
export function takeSpec(state: TeamState, spec: TeamSpec): void {
  state.spec = spec;
  state.specVersion++;
  const before = state.criteria;
  state.criteria = new Map();
  for (const { id: requirement, acceptance } of spec.requirements)
    for (const criterion of acceptance) {
      const known = before.get(criterion.id);
      const isSame =
        known !== undefined &&
        known.text === criterion.text &&
        known.kind === criterion.kind &&
        known.command?.join("\0") === criterion.command?.join("\0");
      const task = known?.task === undefined ? {} : { task: known.task };
      state.criteria.set(criterion.id, isSame ? known : { ...criterion, requirement, ...task, state: "open" });
    }
}
