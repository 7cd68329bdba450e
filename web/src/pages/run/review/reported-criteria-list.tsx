import { useQuery } from "@tanstack/react-query";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { visibleText } from "../../../ui/text/visible-text.ts";
import { withTexts } from "./reported-criteria.ts";

/** Which acceptance criteria the agent reported as met, in its words, which are shown as plain text. */
export function ReportedCriteria({ run: { id, projectId, taskId, result } }: { run: Run }) {
  const reported = result?.criteria ?? [];
  const enabled = reported.length > 0;
  const plan = useQuery({ ...queries.plan(id), enabled }).data?.plan;
  const task = useQuery({ ...queries.task(projectId, taskId), enabled }).data?.task;
  const criteria = task?.acceptanceCriteria ?? [];
  const planned = plan?.criteria ?? [];
  const named = useQuery({
    queryKey: ["reported criteria", reported, criteria, planned],
    queryFn: () => withTexts({ reported, criteria, planned }),
    enabled,
  });
  if (!enabled) return null;
  const shown: Awaited<ReturnType<typeof withTexts>> = named.data ?? [...reported];
  return (
    <ul aria-label="Reported criteria" className="mt-3 flex flex-col gap-2 border-t border-line pt-3">
      {shown.map(({ criterion, met, note, text = `Criterion ${criterion}` }) => (
        <li key={criterion} className="text-sm">
          <p className="flex items-baseline gap-x-2">
            <Badge tone={met ? "good" : "warn"}>{met ? "Met" : "Not met"}</Badge>
            <bdi className="min-w-0 break-words">{visibleText(text)}</bdi>
          </p>
          {note !== undefined && (
            <p className="mt-0.5 break-words whitespace-pre-wrap text-faint">{visibleText(note)}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
