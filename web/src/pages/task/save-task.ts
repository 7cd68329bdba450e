import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Task } from "../../../../src/contract/documents/task.ts";
import type { RouteBodyInput, RouteResponse } from "../../../../src/contract/routes/routes.ts";
import { call } from "../../api/client.ts";
import { Failure } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { cardOf, withCards } from "../../live/card-changes.ts";

type Change = NonNullable<RouteBodyInput<"updateTask">>;

const TRIES = 4;

/** The field that was to be changed has been changed by somebody else. */
export class Contested extends Error {}

export type SaveTask = (change: (task: Task) => Change) => Promise<void>;

/**
 * Changes a task as it is now. When somebody was faster, the change is made anew from what they left: `change` gets it, and
 * throws Contested when the two do not go together.
 */
export function useSaveTask(projectId: string, taskId: string): SaveTask {
  const client = useQueryClient();
  return (change) => save(client, { projectId, taskId }, change);
}

async function save(
  client: QueryClient,
  { projectId, taskId }: { projectId: string; taskId: string },
  change: (task: Task) => Change,
): Promise<void> {
  const query = queries.task(projectId, taskId);
  let { task } = await client.ensureQueryData(query);
  for (let left = TRIES; ; left -= 1) {
    try {
      const params = { id: projectId, taskId };
      const saved = await call("updateTask", { params, body: change(task), ifMatch: task.etag });
      showTask(client, saved.task);
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof Failure && error.code === "version_mismatch")) throw error;
      ({ task } = await client.fetchQuery({ ...query, staleTime: 0 }));
    }
  }
}

/** A task as the daemon has just answered it, wherever it is shown. */
export function showTask(client: QueryClient, task: Task): void {
  client.setQueryData<RouteResponse<"getTask">>(queries.task(task.projectId, task.id).queryKey, { task });
  client.setQueryData<RouteResponse<"listCards">>(
    ["cards", task.projectId],
    (shown) => shown && { ...shown, cards: withCards(shown.cards, [cardOf(task)]) },
  );
}
