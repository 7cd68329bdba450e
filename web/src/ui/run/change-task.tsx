import { Link } from "@tanstack/react-router";
import { type ButtonLook, buttonLook } from "../button.tsx";

/** To the drawer of a task, where its description is being edited. */
export function ChangeTask({ projectId, taskId, ...look }: { projectId: string; taskId: string } & ButtonLook) {
  return (
    <Link
      to="/projects/$id/board"
      params={{ id: projectId }}
      search={{ task: taskId, edit: "description" }}
      className={buttonLook(look)}
    >
      Change the task
    </Link>
  );
}
