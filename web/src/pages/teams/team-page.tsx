import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { code } from "../../api/code.ts";
import { queries } from "../../api/queries.ts";
import { useKeys } from "../../shell/keys.ts";
import { Ago, Lasting } from "../../ui/figures.tsx";
import { Coming } from "../../ui/later.tsx";
import { Page } from "../../ui/page.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { TeamBadge } from "../../ui/team/team-badges.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { OpenTask } from "../task/open-task.tsx";
import { TeamActions } from "./team-actions.tsx";
import { TeamAutonomyPart } from "./team-autonomy.tsx";
import { TeamFigures } from "./team-figures.tsx";
import { TeamGoal } from "./team-goal.tsx";
import { TeamNow } from "./team-now.tsx";
import { firstView, namedView, VIEWS, type ViewName, ViewTabs } from "./view-tabs.tsx";

const views = {
  team: lazy(code(() => import("./views/members-view.tsx"))),
  plan: lazy(code(() => import("./views/tasks-view.tsx"))),
  spec: lazy(code(() => import("./views/spec-view.tsx"))),
  gates: lazy(code(() => import("./views/gates-view.tsx"))),
  cost: lazy(code(() => import("./views/cost-view.tsx"))),
  timeline: lazy(code(() => import("./views/timeline-view.tsx"))),
  report: lazy(code(() => import("./views/report-view.tsx"))),
  messages: lazy(code(() => import("./views/messages-view.tsx"))),
  "role-specs": lazy(code(() => import("./views/role-specs-view.tsx"))),
};

export default function TeamPage() {
  const { teamId } = useParams({ from: "/teams/$teamId" });
  const found = useQuery(queries.team(teamId));
  if (found.data === undefined)
    return (
      <Page title="Team">
        <Loaded query={found} loading={<Loading lines={8} />}>
          {() => null}
        </Loaded>
      </Page>
    );
  return <TeamShown key={teamId} team={found.data.team} />;
}

function TeamShown({ team }: { team: Team }) {
  const { view: wanted } = useSearch({ strict: false });
  const view = namedView(wanted) ?? firstView(team);
  useViewKeys();
  const View = views[view];
  return (
    <Page title={visibleLine(team.name)} lead={<Lead team={team} />} actions={<TeamActions team={team} />}>
      <TeamGoal goal={team.goal} name={team.name} />
      <TeamNow team={team} />
      <TeamFigures team={team} />
      <TeamAutonomyPart team={team} />
      <div className="contents">
        <ViewTabs team={team} view={view} />
        <Suspense fallback={<Coming />}>
          <View team={team} />
        </Suspense>
      </div>
      <OpenTask projectId={team.projectId} />
    </Page>
  );
}

function Lead({ team }: { team: Team }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <TeamBadge team={team} />
      <span>
        <Link to="/projects/$id/work/teams" params={{ id: team.projectId }} className="hover:underline">
          <ProjectName id={team.projectId} />
        </Link>
        {" / "}
        <Link to="." search={{ task: team.taskId }} className="hover:underline" resetScroll={false}>
          {team.taskId}
        </Link>
      </span>
      <span>
        started <Ago at={team.createdAt} />
      </span>
      {team.endedAt !== undefined && (
        <span>
          took <Lasting from={team.createdAt} to={team.endedAt} />
        </span>
      )}
    </span>
  );
}

function useViewKeys(): void {
  const navigate = useNavigate();
  const show = (name: ViewName) =>
    void navigate({ to: ".", search: { view: name }, replace: true, resetScroll: false });
  useKeys(Object.fromEntries(VIEWS.map(({ name }, at) => [String(at + 1), () => show(name)])));
}
