import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Task } from "../../../../src/contract/documents/task.ts";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { queries } from "../../api/queries.ts";
import { Money } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { RunRows } from "../../ui/run/run-row.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";

const MOST = 50;

/** Who has worked on the task, and what it came to. */
export function TaskRuns({ task }: { task: Task }) {
  const runs = useQuery(queries.runs({ project: task.projectId, task: task.id, limit: MOST }));
  return (
    <Section
      title="Runs"
      count={runs.data?.runs.length}
      actions={runs.data !== undefined && runs.data.runs.length > 0 && <Total runs={runs.data.runs} />}
    >
      <Loaded query={runs} loading={<Loading lines={1} />}>
        {({ runs: found }) =>
          found.length === 0 ? (
            <p className="text-sm text-faint">No runs yet.</p>
          ) : (
            <RunRows runs={found.map(runLine)} showProject={false} label="Runs of this task" />
          )
        }
      </Loaded>
    </Section>
  );
}

function Total({ runs }: { runs: readonly Run[] }) {
  const usd = runs.reduce((sum, { usage }) => sum + usage.costUsd, 0);
  return (
    <span className="text-xs text-faint">
      Total <Money usd={usd} known={runs.every(({ usage }) => usage.costKnown)} />
    </span>
  );
}

export function TaskResult({ task: { projectId, result, completionNotes } }: { task: Task }) {
  if (result === undefined && completionNotes === undefined) return null;
  return (
    <Section title="Result">
      <div className="rounded-lg border border-line bg-sunk px-3 py-2 text-sm">
        {result !== undefined && <Markdown text={result.summary} />}
        {completionNotes !== undefined && <Markdown text={completionNotes} />}
        <Files name="Files changed" paths={result?.filesChanged ?? []} />
        <Files name="Artifacts" paths={result?.artifactsCreated ?? []} projectId={projectId} />
      </div>
    </Section>
  );
}

/** Those that are artifacts of a project lead to themselves. */
function Files({ name, paths, projectId }: { name: string; paths: readonly string[]; projectId?: string }) {
  if (paths.length === 0) return null;
  return (
    <div className="mt-2">
      <p className="text-xs font-medium text-faint">{name}</p>
      <ul className="text-xs">
        {paths.map((path) => (
          <li key={path}>
            {projectId !== undefined && path.startsWith("ARTIFACTS/") ? (
              <Link
                to="/projects/$id/library/artifacts"
                params={{ id: projectId }}
                search={{ view: path }}
                className="text-accent underline"
              >
                <code>{path}</code>
              </Link>
            ) : (
              <code>{path}</code>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
