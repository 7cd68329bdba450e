import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Workflow } from "lucide-react";
import { queries } from "../../api/queries.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/figures.tsx";
import { ProjectFilter } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { TeamGroups } from "./team-list.tsx";
import { activeFirst } from "./team-model.ts";

export default function TeamsPage() {
  const { project } = useSearch({ strict: false });
  const navigate = useNavigate();
  const teams = useQuery(queries.teams({ limit: 200, ...(project === undefined ? {} : { project }) }));
  const active = teams.data && activeFirst(teams.data.teams).active.length;
  return (
    <Page
      title="Teams"
      lead={teams.data && `${plural(teams.data.teams.length, "team")}, ${active} active`}
      actions={
        <Button kind="primary" onClick={() => showPanel("start-team", { projectId: project })}>
          <Workflow size={14} aria-hidden />
          Start a team
        </Button>
      }
    >
      {(project !== undefined || (teams.data?.teams.length ?? 0) > 0) && (
        <search>
          <ProjectFilter
            value={project}
            onChange={(chosen) =>
              void navigate({ to: "/teams", search: chosen === undefined ? {} : { project: chosen }, replace: true })
            }
          />
        </search>
      )}
      <Loaded query={teams}>{({ teams: found }) => <TeamGroups teams={found} projectId={project} />}</Loaded>
    </Page>
  );
}
