import type { CheckpointStore } from "../../store/snapshots/checkpoint-store.ts";
import { kindOfState, partsOf, type TreeState } from "../../store/snapshots/tree-objects.ts";
import type { Move } from "../../store/snapshots/tree-restore.ts";
import type { Stretch } from "../results/agent-changes.ts";

export interface RollbackPlan {
  moves: Move[];
  left: { path: string; reason: string }[];
}

const BY_PERSON = "it was edited since, not by an agent";
const IN_BETWEEN = "it was edited in between, not by an agent; restored to that version";

/** What has to be done to take back what was done to each path, as far as nobody else has touched it. */
export function planRollback(
  byPath: ReadonlyMap<string, readonly Stretch[]>,
  stateOf: (path: string) => TreeState | undefined,
  store: Pick<CheckpointStore, "has">,
): RollbackPlan {
  const plan: RollbackPlan = { moves: [], left: [] };
  for (const [path, stretches] of byPath) {
    const now = stateOf(path);
    const { state: to, isWhole } = unwound(now, stretches);
    const isLost = to !== undefined && kindOfState(to) === "file" && !store.has(partsOf(to).hash);
    if (to === now) {
      if (!isWhole) plan.left.push({ path, reason: BY_PERSON });
    } else if (to !== undefined && kindOfState(to) === "unkept")
      plan.left.push({ path, reason: "its content was not saved" });
    else if (isLost) plan.left.push({ path, reason: "its content is lost" });
    else {
      plan.moves.push({ path, from: now, to });
      if (!isWhole) plan.left.push({ path, reason: IN_BETWEEN });
    }
  }
  return plan;
}

/** Goes back from change to change, to the last state that is a person's. */
function unwound(now: TreeState | undefined, stretches: readonly Stretch[]) {
  let state = now;
  for (const { before, after, isDone } of stretches.toReversed()) {
    // An interrupted rollback may have removed a folder to make room for a file, or the other way round.
    const isHalf = !isDone && state === undefined && before !== undefined && after !== undefined;
    if (state === after || isHalf) state = before;
    else if (state !== before) return { state, isWhole: false };
  }
  return { state, isWhole: true };
}
