import { useQuery } from "@tanstack/react-query";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { visibleText } from "../../../ui/text/visible-text.ts";

/** Which acceptance criteria the agent reported as met, in its words, which are shown as plain text. */
export function ReportedCriteria({ run: { id, result } }: { run: Run }) {
  const reported = result?.criteria ?? [];
  const texts = useQuery({ ...queries.plan(id), enabled: reported.length > 0 }).data?.plan.criteriaTexts ?? [];
  if (reported.length === 0) return null;
  return (
    <ul aria-label="Reported criteria" className="mt-3 flex flex-col gap-2 border-t border-line pt-3">
      {reported.map(({ criterion, met, note }) => (
        <li key={criterion} className="text-sm">
          <p className="flex items-baseline gap-x-2">
            <Badge tone={met ? "good" : "warn"}>{met ? "Met" : "Not met"}</Badge>
            <bdi className="min-w-0 break-words">{visibleText(texts[criterion - 1] ?? `Criterion ${criterion}`)}</bdi>
          </p>
          {note !== undefined && (
            <p className="mt-0.5 break-words whitespace-pre-wrap text-faint">{visibleText(note)}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
