import { AddTrigger, TriggerRows, Triggers } from "../../settings/triggers/trigger-list.tsx";
import { useProjectId } from "../project-id.ts";

/** What starts work in one project without being asked. */
export default function ProjectTriggers() {
  const projectId = useProjectId();
  return (
    <Triggers projectId={projectId}>
      {(triggers) => (
        <div className="flex flex-col gap-3">
          <div className="flex justify-end">
            <AddTrigger projectId={projectId} />
          </div>
          <TriggerRows label="Triggers" triggers={triggers} />
        </div>
      )}
    </Triggers>
  );
}
