import { showPanel, usePanelTarget } from "../../../shell/panels.ts";
import { KeepsTyping } from "../../../ui/later.tsx";
import { NoProjectYet, useTargetProject } from "../target-project.tsx";
import { SpawnDialog } from "./spawn-dialog.tsx";

const close = () => showPanel(undefined);

/** From anywhere: on a task, or on a new one. */
export default function StartAgent() {
  const { projectId, taskId } = usePanelTarget();
  const target = useTargetProject(projectId);
  if (target.isNone) return <NoProjectYet title="Start an agent" />;
  if (target.id === undefined) return <KeepsTyping onClose={close} />;
  return <SpawnDialog projectId={target.id} taskId={taskId} target={target} onClose={close} />;
}
