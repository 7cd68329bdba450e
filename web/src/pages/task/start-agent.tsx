import { showPanel, usePanelTarget } from "../../shell/panels.ts";
import { SpawnDialog } from "./spawn-dialog.tsx";
import { NoProjectYet, useTargetProject } from "./target-project.tsx";

/** From anywhere: on a task, or on a new one. */
export default function StartAgent() {
  const { projectId, taskId } = usePanelTarget();
  const target = useTargetProject(projectId);
  if (target.isNone) return <NoProjectYet title="Start an agent" />;
  if (target.id === undefined) return null;
  return <SpawnDialog projectId={target.id} taskId={taskId} target={target} onClose={() => showPanel(undefined)} />;
}
