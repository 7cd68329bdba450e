import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Team, TeamTask } from "../../../../../src/contract/documents/teams/team.ts";
import { activityWords } from "../../../../../src/contract/words/activity-words.ts";
import { queries } from "../../../api/queries.ts";
import { plural } from "../../../ui/figures.tsx";
import { Section } from "../../../ui/page.tsx";
import { RoleName } from "../../../ui/run/role-name.tsx";
import { Empty } from "../../../ui/states.tsx";
import { MemberBadge, PhaseBadge, TeamTaskBadge } from "../../../ui/team/team-badges.tsx";
import { capital } from "../../../ui/text/capital.ts";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { MemberMenu } from "../member-menu.tsx";
import { TaskTitle } from "../task-title.tsx";
import { TeamHealth } from "../team-health.tsx";
import { byPhase, type MemberNode, memberTree } from "../team-model.ts";
import { Lessons } from "./lessons.tsx";

const NO_TASKS: readonly TeamTask[] = [];

/** The team as a tree: the lead, the members below it, and what each is at; beside it the phases. */
export default function MembersView({ team }: { team: Team }) {
  const tasks = useQuery(queries.teamTasks(team.id)).data?.tasks ?? NO_TASKS;
  const { lead, others } = memberTree(team.members, tasks);
  if (team.members.length === 0)
    return <Empty title="No members yet.">The lead joins first, and the others once there is a plan.</Empty>;
  return (
    <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <Section title="Members" count={team.members.length}>
          <ul aria-label="Members" className="flex flex-col gap-2">
            {lead !== undefined && (
              <li>
                <Member node={lead} team={team} />
                {others.length > 0 && <Below nodes={others} team={team} />}
              </li>
            )}
            {lead === undefined && <Below nodes={others} team={team} />}
          </ul>
        </Section>
        <TeamHealth team={team} />
      </div>
      <Phases team={team} tasks={tasks} />
      <div className="lg:col-span-2">
        <Lessons teamId={team.id} projectId={team.projectId} />
      </div>
    </div>
  );
}

function Below({ nodes, team }: { nodes: readonly MemberNode[]; team: Team }) {
  return (
    <ul className="mt-2 ml-3 flex flex-col gap-2 border-l-2 border-line pl-3 sm:ml-5 sm:pl-4">
      {nodes.map((node) => (
        <li
          key={node.member.name}
          className="relative before:absolute before:top-5 before:-left-3 before:w-3 before:border-t-2 before:border-line sm:before:-left-4 sm:before:w-4"
        >
          <Member node={node} team={team} />
        </li>
      ))}
    </ul>
  );
}

function Member({ node: { member, current, others }, team }: { node: MemberNode; team: Team }) {
  const { name, rank, roleId, model, status, runId, failures, runs } = member;
  return (
    <div className="rounded-lg border border-line bg-card px-3 py-2">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <bdi className="font-medium wrap-anywhere">{visibleLine(name)}</bdi>
            <MemberBadge status={status} />
          </p>
          <p className="flex flex-wrap gap-x-3 text-xs text-faint">
            <span>{capital(rank)}</span>
            <RoleName id={roleId} />
            {model !== undefined && <span className="wrap-anywhere">{visibleLine(model)}</span>}
            {runs > 0 && <span>{plural(runs, "run")}</span>}
            {failures > 0 && <span className="text-bad">{plural(failures, "failure")}</span>}
          </p>
        </div>
        <MemberMenu member={member} team={team} />
      </div>
      {runId !== undefined && <AtWork runId={runId} />}
      {current !== undefined && <OwnTask task={current} />}
      {others.length > 0 && <Earlier tasks={others} />}
    </div>
  );
}

/** What its run does at this moment. */
function AtWork({ runId }: { runId: string }) {
  const line = useQuery(queries.now()).data?.working.find(({ id }) => id === runId);
  return (
    <p className="mt-1 flex items-center gap-1.5 text-sm">
      {line !== undefined && <span aria-hidden className="size-1.5 shrink-0 animate-pulse rounded-full bg-info" />}
      <Link to="/runs/$runId" params={{ runId }} className="line-clamp-1 text-accent underline">
        {line?.activity === undefined ? "Open the run" : capital(activityWords(line.activity))}
      </Link>
    </p>
  );
}

function OwnTask({ task }: { task: TeamTask }) {
  return (
    <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm">
      <TeamTaskBadge state={task.state} />
      <TaskTitle task={task} />
    </p>
  );
}

/** So many are drawn at once; the Tasks tab has all. */
const MOST = 50;

function Earlier({ tasks }: { tasks: readonly TeamTask[] }) {
  const merged = tasks.filter(({ state }) => state === "merged").length;
  if (tasks.length <= 2) return tasks.map((task) => <OwnTask key={task.key} task={task} />);
  return (
    <details className="mt-1 text-sm">
      <summary className="text-faint">
        {plural(tasks.length, "other task")}, {merged} merged
      </summary>
      {tasks.slice(-MOST).map((task) => (
        <OwnTask key={task.key} task={task} />
      ))}
      {tasks.length > MOST && <p className="mt-1 text-xs text-faint">{tasks.length - MOST} more in Tasks</p>}
    </details>
  );
}

function Phases({ team, tasks }: { team: Team; tasks: readonly TeamTask[] }) {
  const groups = byPhase(team.phases, tasks);
  if (groups.length === 0) return null;
  return (
    <Section title="Phases" count={groups.length}>
      <ol aria-label="Phases" className="overflow-hidden rounded-lg border border-line bg-card">
        {groups.map(({ id, name, status = "pending", tasks: own, merged }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2 border-b border-line px-3 py-2 last:border-b-0">
            <bdi className="min-w-0 flex-1 wrap-anywhere">{visibleLine(name)}</bdi>
            <span className="text-xs text-faint tabular-nums">
              {merged}/{own.length}
              <span className="sr-only"> tasks merged</span>
            </span>
            <PhaseBadge status={status} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
