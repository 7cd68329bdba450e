import { Link } from "@tanstack/react-router";
import type { TeamTask } from "../../../../src/contract/documents/teams/team.ts";
import { visibleLine } from "../../ui/text/visible-text.ts";

/** Opens the task of the board over the page, once there is one. */
export function TaskTitle({ task: { title, taskId } }: { task: Pick<TeamTask, "title" | "taskId"> }) {
  if (taskId === undefined) return <bdi className="min-w-0 wrap-anywhere">{visibleLine(title)}</bdi>;
  return (
    <Link
      to="."
      search={(before: Record<string, unknown>) => ({ ...before, task: taskId })}
      resetScroll={false}
      title={taskId}
      className="min-w-0 wrap-anywhere hover:underline"
    >
      <bdi>{visibleLine(title)}</bdi>
    </Link>
  );
}
