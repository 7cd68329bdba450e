import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { RouteResponse } from "../../../../src/contract/routes/routes.ts";
import { call } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import { cardOf, withCards } from "../../live/card-changes.ts";
import { taskWords } from "../../ui/run/status.tsx";
import { tell, tellFailure } from "../../ui/toasts.tsx";
import { isLegal, legalText } from "../task/moves.ts";
import { useEnding } from "../task/use-ending.tsx";

type Movable = Pick<TaskCard, "id" | "status" | "title">;

/** Moves are shown before the daemon has made them, and taken back when it refuses. */
export function useMoves(projectId: string) {
  const client = useQueryClient();
  const [moving, setMoving] = useState<ReadonlyMap<string, TaskStatus>>(new Map());
  const [said, setSaid] = useState("");
  const settle = (id: string) => setMoving((before) => new Map([...before].filter(([other]) => other !== id)));
  const { told, dialog } = useEnding(projectId);
  const move = async ({ id, status, title }: Movable, to: TaskStatus, ifMatch?: string): Promise<void> => {
    if (to === status || moving.has(id)) return;
    if (!isLegal(status, to)) {
      const why = `Can't move ${id}. ${legalText(status)}`;
      setSaid(why);
      tell(why);
      return;
    }
    setMoving((before) => new Map(before).set(id, to));
    setSaid(`Moved ${id} to ${taskWords[to].toLowerCase()}: ${title}`);
    try {
      const { task } = await call("moveTask", { params: { id: projectId, taskId: id }, body: { status: to }, ifMatch });
      client.setQueryData<RouteResponse<"listCards">>(
        ["cards", projectId],
        (shown) => shown && { ...shown, cards: withCards(shown.cards, [cardOf(task)]) },
      );
      // Only as it was left: somebody may have gone on with it meanwhile.
      told({ id, from: status, to, undo: (back) => void move({ id, status: to, title }, back, task.etag) });
    } catch (error) {
      setSaid(`${id} moved back to ${taskWords[status].toLowerCase()}. ${failureOf(error).message}`);
      tellFailure(error);
    }
    settle(id);
  };
  return { moving, move, said, announce: setSaid, dialog };
}
