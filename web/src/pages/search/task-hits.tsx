import { Link } from "@tanstack/react-router";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";
import type { RunStatus } from "../../../../src/contract/runs/run.ts";
import { ProjectName } from "../../ui/project-name.tsx";
import { RoleName } from "../../ui/run/role-name.tsx";
import { RunBadge, TaskBadge } from "../../ui/run/status.tsx";
import type { TaskHits } from "./hit-group.ts";
import { HitRow } from "./hit-row.tsx";
import { MarkedText } from "./marked-text.tsx";

/** A task, and below it what was found in its runs and in what they left. */
export function TaskHitsRow({ group, query }: { group: TaskHits; query: string }) {
  const { task, others } = group;
  return (
    <li className="border-b border-line last:border-b-0">
      {task === undefined ? <TaskLine group={group} /> : <TaskHit task={task} query={query} />}
      {others.length > 0 && (
        <ul aria-label={`In runs of ${group.title}`} className="mb-2 ml-4 border-l border-line">
          {others.map((hit) => (
            <li key={`${hit.kind} ${hit.id}`}>
              <WorkHit hit={hit} query={query} ofTask={group.title} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function TaskHit({ task, query }: { task: SearchHit; query: string }) {
  return (
    <HitRow
      hit={task}
      query={query}
      title={<MarkedText text={task.title} query={query} />}
      status={<TaskBadge status={task.status as TaskStatus} />}
      facts={
        <>
          {task.projectId !== undefined && <ProjectName id={task.projectId} />}
          <span>{task.id}</span>
          {task.roleId !== undefined && <RoleName id={task.roleId} />}
        </>
      }
    />
  );
}

/** The words do not stand in the task: it only says what the others belong to. */
function TaskLine({ group: { projectId, id, title } }: { group: TaskHits }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 px-3 pt-2.5 text-xs text-faint">
      <Link
        to="/projects/$id/board"
        params={{ id: projectId }}
        search={{ task: id }}
        className="text-sm font-medium text-ink"
      >
        <bdi>{title}</bdi>
      </Link>
      <ProjectName id={projectId} />
      <span>{id}</span>
    </p>
  );
}

function WorkHit({ hit, query, ofTask }: { hit: SearchHit; query: string; ofTask: string }) {
  const isRun = hit.kind === "run";
  const kind = isRun ? "Run" : "Artifact";
  return (
    <HitRow
      hit={hit}
      query={query}
      title={
        <span className="text-sm">
          {kind}
          {hit.title !== ofTask && (
            <>
              : <MarkedText text={hit.title} query={query} />
            </>
          )}
        </span>
      }
      status={isRun && <RunBadge run={{ status: hit.status as RunStatus }} />}
      facts={hit.roleId !== undefined && <RoleName id={hit.roleId} />}
    />
  );
}
