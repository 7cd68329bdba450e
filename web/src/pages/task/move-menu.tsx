import * as Radix from "@radix-ui/react-dropdown-menu";
import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { Task } from "../../../../src/contract/documents/task.ts";
import { LEGAL_MOVES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { call } from "../../api/client.ts";
import { TaskBadge, taskWords } from "../../ui/run/status.tsx";
import { tell, tellFailure } from "../../ui/toasts.tsx";
import { legalText } from "./moves.ts";
import { showTask } from "./save-task.ts";
import { useEnding } from "./use-ending.tsx";

export const menuItem =
  "flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 text-sm outline-none data-[highlighted]:bg-sunk";

/** The statuses that a task can be given, and why there are no others. */
export function MoveItems({
  status,
  label,
  onMove,
}: {
  status: TaskStatus;
  label: string;
  onMove: (to: TaskStatus) => void;
}) {
  return (
    <>
      <Radix.Label className="px-2 pt-1 pb-0.5 text-xs text-faint">{label}</Radix.Label>
      {LEGAL_MOVES[status].map((to) => (
        <Radix.Item key={to} className={menuItem} onSelect={() => onMove(to)}>
          {taskWords[to]}
        </Radix.Item>
      ))}
      <p className="px-2 py-1 text-xs text-faint">{legalText(status)}</p>
    </>
  );
}

/** The status of a task, and the way to another one. */
export function MoveMenu({
  task,
  isOpen,
  onOpenChange,
}: {
  task: Task;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<HTMLElement | null>(null);
  const { told, dialog: ending } = useEnding(task.projectId);
  const move = async (status: TaskStatus, from = task.status, ifMatch?: string): Promise<void> => {
    try {
      const params = { id: task.projectId, taskId: task.id };
      const moved = await call("moveTask", { params, body: { status }, ifMatch });
      showTask(client, moved.task);
      const undo = (back: TaskStatus) => void move(back, status, moved.task.etag);
      if (!told({ id: task.id, from, to: status, undo })) tell(`${task.id} is now ${taskWords[status].toLowerCase()}.`);
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <>
      {ending}
      <Radix.Root open={isOpen} onOpenChange={onOpenChange} modal={false}>
        <Radix.Trigger
          ref={(element) => setDialog(element?.closest("dialog") ?? null)}
          aria-label={`${taskWords[task.status]}. Move to another status`}
          title="Press m"
          className="inline-flex h-7 items-center gap-0.5 rounded-md px-0.5 hover:bg-sunk"
        >
          <TaskBadge status={task.status} outcome={task.outcome} />
          <ChevronDown size={14} aria-hidden className="text-faint" />
        </Radix.Trigger>
        <Radix.Portal container={dialog}>
          <Radix.Content
            aria-label="Move"
            align="start"
            sideOffset={4}
            collisionPadding={8}
            className="z-50 w-56 rounded-lg border border-line bg-card p-1 shadow-lg"
          >
            <MoveItems status={task.status} label="Move to" onMove={(to) => void move(to)} />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </>
  );
}
