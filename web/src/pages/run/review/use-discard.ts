import type { Run } from "../../../../../src/contract/runs/run.ts";
import { useAct } from "../../../api/use-act.ts";
import { plural } from "../../../ui/figures.tsx";
import { offer } from "../../../ui/toasts.tsx";

/** Discards a result at once: there is an undo in the notice, and on the page, for as long as it can be undone. */
export function useDiscard(run: Run, onFailure?: (error: unknown) => void) {
  const undo = useUndoDiscard();
  const cancel = useAct("moveTask", { done: `Cancelled ${run.taskId}.` });
  return useAct("discardRun", {
    onDone: ({ run: discarded, rollback }) => {
      const left = rollback?.left.length ?? 0;
      const kept = left === 0 ? "" : ` ${plural(left, "file")} changed since then and stayed as is.`;
      const { until } = discarded.delivery?.discard ?? {};
      const params = { runId: run.id };
      const task = { id: run.projectId, taskId: run.taskId };
      const deeds = [
        ...(until === undefined ? [] : [{ text: "Undo", act: () => undo.mutate({ params }) }]),
        {
          text: "Cancel the task",
          act: () => cancel.mutate({ params: task, body: { status: "cancelled" } }),
        },
      ];
      offer(`Discarded.${kept} ${run.taskId} is pending again.`, deeds, msUntil(until));
    },
    ...(onFailure === undefined ? {} : { onFailure }),
  });
}

export function useUndoDiscard() {
  return useAct("undoDiscard", { done: "Restored." });
}

/** How long something is still possible. */
export function msUntil(until: string | undefined): number | undefined {
  return until === undefined ? undefined : Math.max(0, Date.parse(until) - Date.now());
}
