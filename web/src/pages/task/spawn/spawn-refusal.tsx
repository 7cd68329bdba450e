import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isOver } from "../../../../../src/contract/runs/run-status.ts";
import { failureOf } from "../../../api/failure.ts";
import { queries } from "../../../api/queries.ts";
import { useAct } from "../../../api/use-act.ts";
import { Button, buttonLook } from "../../../ui/button.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { FirstCommit } from "../first-commit.tsx";
import { isLegal } from "../moves.ts";

interface RefusalProps {
  error: unknown;
  projectId: string;
  taskId: string | undefined;
  roleId: string;
}

/** Why no agent is started, in the daemon's words, with what would help. */
export function Refusal(props: RefusalProps) {
  const { message, hint, code } = failureOf(props.error);
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft px-3 py-2.5 text-sm">
      <p className="font-medium text-bad">{message}</p>
      {hint !== undefined && (
        <p className="mt-0.5">
          <Hint of={hint} />
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {code === "project_closed" && <OpenProject projectId={props.projectId} />}
        {code === "illegal_move" && <FreeRole {...props} />}
        {code === "illegal_move" && props.taskId !== undefined && <FreeTask {...props} taskId={props.taskId} />}
        {code === "repository_empty" && <FirstCommit projectId={props.projectId} />}
        {code === "workdir_missing" && (
          <Link to="/projects/$id/settings" params={{ id: props.projectId }} className={buttonLook({ size: "small" })}>
            Project settings
          </Link>
        )}
      </div>
    </div>
  );
}

function OpenProject({ projectId }: { projectId: string }): ReactNode {
  const status = useQuery(queries.project(projectId)).data?.project.status;
  const open = useAct("moveProject", { done: "Project is active." });
  if (status !== "suspended" && status !== "completed") return null;
  return (
    <Button
      size="small"
      busy={open.isPending}
      onClick={() => open.mutate({ params: { id: projectId }, body: { status: "active" } })}
    >
      {status === "suspended" ? "Resume project" : "Reopen project"}
    </Button>
  );
}

function FreeRole({ projectId, roleId }: RefusalProps): ReactNode {
  const assignment = useQuery(queries.assignments(projectId)).data?.assignments.find(
    (entry) => entry.roleId === roleId,
  );
  const resume = useAct("updateAssignment", { done: "Role is active." });
  if (assignment?.status !== "paused") return null;
  const params = { id: projectId, assignmentId: assignment.id };
  return (
    <Button size="small" busy={resume.isPending} onClick={() => resume.mutate({ params, body: { status: "active" } })}>
      Resume role
    </Button>
  );
}

/** Somebody is at work on the task, or its status does not allow for work. */
function FreeTask({ projectId, taskId }: { projectId: string; taskId: string }): ReactNode {
  const runs = useQuery(queries.runs({ project: projectId, task: taskId, limit: 20 })).data?.runs ?? [];
  const status = useQuery(queries.task(projectId, taskId)).data?.task.status;
  const stop = useAct("stopRun", { done: "Stopped." });
  const move = useAct("moveTask", { done: "Task is pending." });
  const running = runs.find((run) => !isOver(run));
  if (running !== undefined)
    return (
      <>
        <Link to="/runs/$runId" params={{ runId: running.id }} className={buttonLook({ size: "small" })}>
          Open run
        </Link>
        <Button size="small" busy={stop.isPending} onClick={() => stop.mutate({ params: { runId: running.id } })}>
          Stop run
        </Button>
      </>
    );
  if (status !== "blocked" && status !== "cancelled") return null;
  if (!isLegal(status, "pending")) return null;
  return (
    <Button
      size="small"
      busy={move.isPending}
      onClick={() => move.mutate({ params: { id: projectId, taskId }, body: { status: "pending" } })}
    >
      Move to pending
    </Button>
  );
}
