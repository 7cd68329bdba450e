import { type ReactNode, useEffect, useRef, useState } from "react";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { taskWords } from "../../ui/run/status.tsx";
import { offer } from "../../ui/toasts.tsx";
import { EndingDialog } from "./ending-dialog.tsx";
import { isLegal } from "./moves.ts";

const FINISHED: readonly TaskStatus[] = ["done", "failed", "cancelled"];

interface Moved {
  id: string;
  from: TaskStatus;
  to: TaskStatus;
  undo: (back: TaskStatus) => void;
}

/**
 * A task that a person moved to an end is over at once; how it ended can be said after that, and the move taken back where
 * there is a way. What is offered goes with the page, which has the dialog.
 */
export function useEnding(projectId: string): { told: (moved: Moved) => boolean; dialog: ReactNode } {
  const [ended, setEnded] = useState<Omit<Moved, "undo">>();
  const offered = useRef<() => void>(undefined);
  useEffect(() => () => offered.current?.(), []);
  /** Whether the person was told of it. */
  const told = ({ undo, ...moved }: Moved): boolean => {
    const { id, from, to } = moved;
    if (!FINISHED.includes(to)) return false;
    offered.current?.();
    // From there the daemon moves it on to review, with the result that was discarded when it was cancelled.
    const back = to === "cancelled" && from === "review" ? "pending" : from;
    offered.current = offer(`${id} is now ${taskWords[to].toLowerCase()}.`, [
      { text: "Add a note", act: () => setEnded(moved) },
      ...(isLegal(to, back) ? [{ text: "Undo", act: () => undo(back) }] : []),
    ]);
    return true;
  };
  const dialog = ended !== undefined && (
    <EndingDialog projectId={projectId} taskId={ended.id} status={ended.to} onClose={() => setEnded(undefined)} />
  );
  return { told, dialog };
}
