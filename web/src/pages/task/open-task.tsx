import { useNavigate, useSearch } from "@tanstack/react-router";
import { laterDialog } from "../../ui/later.tsx";

const TaskDrawer = laterDialog(async () => ({ default: (await import("./task-drawer.tsx")).TaskDrawer }));

/** The task that the address names, over whichever page of its project. */
export function OpenTask({ projectId }: { projectId: string }) {
  const { task, edit } = useSearch({ strict: false });
  const navigate = useNavigate();
  if (task === undefined) return null;
  const close = () =>
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, task: undefined, edit: undefined }),
    });
  return <TaskDrawer projectId={projectId} taskId={task} isEditing={edit === "description"} onClose={close} />;
}
