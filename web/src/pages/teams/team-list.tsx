import { Link } from "@tanstack/react-router";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { hasEnded } from "../../../../src/contract/words/teams/team-words.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { Ago, Lasting, Money } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { Empty } from "../../ui/states.tsx";
import { TeamBadge } from "../../ui/team/team-badges.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { ProgressBar } from "./progress-bar.tsx";
import { activeFirst, standingWords } from "./team-model.ts";

interface GroupsProps {
  teams: readonly Team[];
  /** All of them are of this project. */
  projectId?: string | undefined;
}

/** Those at work, then those that have ended; or how to start one. */
export function TeamGroups({ teams, projectId }: GroupsProps) {
  const { active, ended } = activeFirst(teams);
  if (teams.length === 0) return <NoTeams projectId={projectId} />;
  const showProject = projectId === undefined;
  return (
    <div className="flex flex-col gap-5">
      {active.length > 0 && (
        <Section title="Active" count={active.length}>
          <TeamRows teams={active} label="Active teams" showProject={showProject} />
        </Section>
      )}
      {ended.length > 0 && (
        <Section title="Ended" count={ended.length}>
          <TeamRows teams={ended} label="Ended teams" showProject={showProject} />
        </Section>
      )}
    </div>
  );
}

function NoTeams({ projectId }: Pick<GroupsProps, "projectId">) {
  return (
    <Empty
      title="No teams yet."
      action={
        <Button kind="primary" onClick={() => showPanel("start-team", { projectId })}>
          Start a team
        </Button>
      }
    >
      A team takes a goal, writes a spec and a plan, does the tasks on a branch of its own, and delivers the whole once
      it passes the quality gates.
    </Empty>
  );
}

interface RowsProps {
  teams: readonly Team[];
  label: string;
  showProject: boolean;
}

function TeamRows({ teams, label, showProject }: RowsProps) {
  return (
    <ul aria-label={label} className="overflow-hidden rounded-lg border border-line bg-card">
      {teams.map((team) => (
        <TeamRow key={team.id} team={team} showProject={showProject} />
      ))}
    </ul>
  );
}

function TeamRow({ team, showProject }: { team: Team; showProject: boolean }) {
  return (
    <li className="relative flex flex-wrap items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-sunk">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/teams/$teamId"
            params={{ teamId: team.id }}
            data-row
            className="min-w-0 font-medium wrap-anywhere after:absolute after:inset-0"
          >
            <bdi>{visibleLine(team.name)}</bdi>
          </Link>
          <TeamBadge team={team} />
        </div>
        <p className="line-clamp-1 text-sm text-faint">
          <bdi>{visibleLine(standingWords(team))}</bdi>
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-xs text-faint">
          {showProject && <ProjectName id={team.projectId} />}
          <span>
            {hasEnded(team.status) ? (
              <>
                ended <Ago at={team.endedAt ?? team.updatedAt} />
              </>
            ) : (
              <Lasting from={team.createdAt} />
            )}
          </span>
          <Money usd={team.costUsd} known={team.costKnown} />
        </p>
      </div>
      <div className="w-full sm:w-44">
        <ProgressBar tasks={team.tasks} />
      </div>
    </li>
  );
}
