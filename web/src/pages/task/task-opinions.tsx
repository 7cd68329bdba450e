import type { Task } from "../../../../src/contract/task.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { OpinionLine, useOpinions } from "../../ui/opinions.tsx";
import { Section } from "../../ui/page.tsx";

/** What reviewers said of what was handed in, whole when it is opened. */
export function TaskOpinions({ task }: { task: Task }) {
  const opinions = useOpinions({ projectId: task.projectId, taskId: task.id });
  if (opinions.length === 0) return null;
  return (
    <Section title="Opinions" count={opinions.length}>
      <ul className="flex flex-col gap-2">
        {opinions.map((run) => (
          <li key={run.id} className="rounded-lg border border-line bg-card px-3 py-2">
            <OpinionLine run={run} />
            {run.result !== undefined && (
              <details className="mt-1 text-sm">
                <summary className="text-xs text-faint">All that it found</summary>
                <Markdown text={run.result.output} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
