import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";

const loadDrawer = () => import("./task-drawer.tsx");
const TaskDrawer = lazy(async () => ({ default: (await loadDrawer()).TaskDrawer }));
const QUIET_MS = 1_500;

/** It opens at once, also while the daemon is away. */
function useDrawerAtHand(): void {
  useEffect(() => {
    const timer = setTimeout(() => void loadDrawer().catch(() => undefined), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** The task that the address names, over whichever page of its project. */
export function OpenTask({ projectId }: { projectId: string }) {
  const { task, edit } = useSearch({ strict: false });
  const navigate = useNavigate();
  useDrawerAtHand();
  if (task === undefined) return null;
  const close = () =>
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, task: undefined, edit: undefined }),
    });
  return (
    <Suspense>
      <TaskDrawer projectId={projectId} taskId={task} isEditing={edit === "description"} onClose={close} />
    </Suspense>
  );
}
