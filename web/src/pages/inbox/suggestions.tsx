import { Link } from "@tanstack/react-router";
import type { AnswerSource, Escalation } from "../../../../src/contract/documents/escalation.ts";
import { Button } from "../../ui/button.tsx";
import { visibleText } from "../../ui/text/visible-text.ts";

/** What was answered earlier to a question like this one: suggested, because it may not hold any more. */
export function Suggestions({ escalation, onUse }: { escalation: Escalation; onUse: (text: string) => void }) {
  if (escalation.status === "resolved" || escalation.sources.length === 0) return null;
  return (
    <section aria-label="Answered before" className="rounded-md border border-line bg-info-soft px-3 py-2 text-sm">
      <h3 className="text-xs font-semibold text-info">Answered before</h3>
      <ul className="flex flex-col gap-1">
        {escalation.sources.map((source) => (
          <li key={`${source.kind} ${source.id}`} className="flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              <bdi>{visibleText(source.text)}</bdi> <SourceLink source={source} />
            </span>
            <Button size="small" onClick={() => onUse(source.text)}>
              Use this answer
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What an answer rests on. */
export function SourceLink({ source: { kind, id, projectId } }: { source: AnswerSource }) {
  const look = "text-accent underline";
  if (kind === "escalation")
    return (
      <Link to="/inbox" search={{ view: "resolved", id }} className={look}>
        [{id}]
      </Link>
    );
  if (projectId !== undefined)
    return (
      <Link to="/projects/$id/library/knowledge" params={{ id: projectId }} className={look}>
        [{id}]
      </Link>
    );
  return (
    <Link to="/knowledge" className={look}>
      [{id}]
    </Link>
  );
}
