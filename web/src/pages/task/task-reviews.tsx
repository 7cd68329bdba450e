import type { Task } from "../../../../src/contract/task.ts";
import { Section } from "../../ui/page.tsx";
import { ReviewLine, useReviews } from "../../ui/run/reviews.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { Findings } from "../run/review/findings.tsx";

/** What reviewers said of what was handed in, whole when it is opened. */
export function TaskReviews({ task }: { task: Task }) {
  const reviews = useReviews({ projectId: task.projectId, taskId: task.id });
  if (reviews.length === 0) return null;
  return (
    <Section title="Reviews" count={reviews.length}>
      <ul className="flex flex-col gap-2">
        {reviews.map((run) => (
          <li key={run.id} className="rounded-lg border border-line bg-card px-3 py-2">
            <ReviewLine run={run} />
            {run.result !== undefined && (
              <details className="mt-1 text-sm">
                <summary className="text-xs text-faint">All that it found</summary>
                <Markdown text={run.result.output} />
                <Findings findings={run.result.review?.findings ?? []} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
