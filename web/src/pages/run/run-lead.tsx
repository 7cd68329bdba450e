import { Link } from "@tanstack/react-router";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { Ago } from "../../ui/figures.tsx";
import { GateBadge } from "../../ui/gate/gate-badge.tsx";
import { runGateState } from "../../ui/gate/gate-state.ts";
import { ProjectName } from "../../ui/project-name.tsx";
import { RoleName } from "../../ui/run/role-name.tsx";
import { RunBadge } from "../../ui/run/status.tsx";
import { TeamNamed } from "../../ui/team/team-link.tsx";

/** Who works on what, and how it stands. */
export function RunLead({ run }: { run: Run }) {
  const gate = runGateState(run);
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <RunBadge run={runLine(run)} />
      {gate !== undefined && <GateBadge state={gate} />}
      <Link to="/roles/$roleId" params={{ roleId: run.roleId }} className="hover:underline">
        <RoleName id={run.roleId} />
      </Link>
      <span>
        <ProjectLink id={run.projectId} />
        {" / "}
        <Link
          to="/projects/$id/board"
          params={{ id: run.projectId }}
          search={{ task: run.taskId }}
          className="hover:underline"
        >
          {run.taskId}
        </Link>
      </span>
      {run.team !== undefined && <TeamNamed id={run.team.id} />}
      {run.purpose === "review" && <ReviewOf run={run.reviewOf} />}
      {run.attempt > 1 && <span>attempt {run.attempt}</span>}
      <span>
        {isOver(run) ? "ended " : "started "}
        <Ago at={run.endedAt ?? run.startedAt ?? run.createdAt} />
      </span>
    </span>
  );
}

/** It does not do its task, but reviews what was done. */
function ReviewOf({ run }: { run: string | undefined }) {
  if (run === undefined) return <span>review</span>;
  return (
    <Link to="/runs/$runId" params={{ runId: run }} className="underline">
      review of another run
    </Link>
  );
}

function ProjectLink({ id }: { id: string }) {
  return (
    <Link to="/projects/$id" params={{ id }} className="hover:underline">
      <ProjectName id={id} />
    </Link>
  );
}
