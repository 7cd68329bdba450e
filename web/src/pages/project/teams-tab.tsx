import { useQuery } from "@tanstack/react-query";
import { Workflow } from "lucide-react";
import { queries } from "../../api/queries.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { TeamGroups } from "../teams/team-list.tsx";
import { useProjectId } from "./project-id.ts";

/** The teams of a project. */
export default function TeamsTab() {
  const projectId = useProjectId();
  const teams = useQuery(queries.teams({ project: projectId, limit: 200 }));
  return (
    <Loaded query={teams}>
      {({ teams: found }) => (
        <div className="flex flex-col gap-3">
          {found.length > 0 && (
            <Button className="self-end" onClick={() => showPanel("start-team", { projectId })}>
              <Workflow size={14} aria-hidden />
              Start a team
            </Button>
          )}
          <TeamGroups teams={found} projectId={projectId} />
        </div>
      )}
    </Loaded>
  );
}
