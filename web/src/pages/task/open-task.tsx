import { useNavigate, useSearch } from "@tanstack/react-router";
import { laterDialog } from "../../ui/later.tsx";

const TaskDrawer = laterDialog(async () => ({ default: (await import("./task-drawer.tsx")).TaskDrawer }));

/** The task that the address names, over whichever page of its project. */
export function OpenTask({ projectId }: { projectId: string }) {
  const { task } = useSearch({ strict: false });
  const navigate = useNavigate();
  if (task === undefined) return null;
  const close = () =>
    void navigate({ to: ".", search: (before: Record<string, unknown>) => ({ ...before, task: undefined }) });
  return <TaskDrawer projectId={projectId} taskId={task} onClose={close} />;
}
