import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { PlainText } from "../../ui/text/plain-text.tsx";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";
import { decidedText, OUTCOME_WORDS, SCOPE_WORDS } from "./inbox-words.ts";
import { Party } from "./party.tsx";
import { remarkIn } from "./permission/permission-words.ts";
import { SourceLink } from "./suggestions.tsx";
import type { InboxActs } from "./use-inbox-acts.ts";

interface ResolvedProps {
  escalation: Escalation;
  acts: Pick<InboxActs, "undo" | "isBusy">;
}

/** The answer that is in effect: who gave it, when, and where it went. */
export function Resolved({ escalation, acts }: ResolvedProps) {
  const { outcome = "answered", answer, resolution, resolvedBy, resolvedAt, undoUntil, id } = escalation;
  const words = escalation.permission === undefined ? (resolution ?? undefined) : remarkIn(escalation);
  const { word, tone } = OUTCOME_WORDS[outcome];
  const canUndo = undoUntil !== undefined && Date.parse(undoUntil) > Date.now();
  return (
    <section
      aria-label="Answer"
      className="flex flex-col gap-2 rounded-lg border border-line bg-sunk px-3 py-2.5 text-sm"
    >
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-faint">
        <Badge tone={tone}>{word}</Badge>
        {resolvedBy !== null && (
          <span>
            by <Party by={resolvedBy} isWithin />
          </span>
        )}
        {resolvedAt !== null && <Ago at={resolvedAt} />}
        {canUndo && (
          <Button size="small" className="ml-auto" busy={acts.isBusy(id)} onClick={() => acts.undo(id)} title="Press u">
            <Undo2 size={14} aria-hidden />
            Undo
          </Button>
        )}
      </p>
      {answer !== null && <p className="font-medium wrap-anywhere">{visibleLine(decidedText(escalation))}</p>}
      {words !== undefined && words !== answer && (
        <div className="wrap-anywhere">
          <PlainText text={visibleText(words)} project={escalation.projectId} />
        </div>
      )}
      <Consequences escalation={escalation} />
    </section>
  );
}

/** Where the answer went, and what it rests on. */
function Consequences({ escalation }: { escalation: Escalation }) {
  const { scope, sources, replaces, statementId, ruleId, projectId, askers } = escalation;
  const delivered = askers.filter(({ deliveredAt }) => deliveredAt !== undefined).length;
  return (
    <ul className="flex flex-col gap-0.5 text-xs text-faint empty:hidden">
      {askers.length > 0 && (
        <li>
          Delivered to {delivered} of {askers.length} {askers.length === 1 ? "asker" : "askers"}
        </li>
      )}
      {scope !== undefined && escalation.permission === undefined && (
        <li>Applies to: {SCOPE_WORDS[scope].toLowerCase()}</li>
      )}
      {statementId !== undefined && (
        <li>
          Recorded in{" "}
          {projectId === undefined || scope === "hall" ? (
            <Link to="/knowledge" className="text-accent underline">
              Knowledge
            </Link>
          ) : (
            <Link to="/projects/$id/library/knowledge" params={{ id: projectId }} className="text-accent underline">
              Knowledge
            </Link>
          )}
        </li>
      )}
      {escalation.permission !== undefined && (
        <li>
          <Link to="/settings/permissions" className="text-accent underline">
            Settings → Permissions
          </Link>{" "}
          lists what was allowed
        </li>
      )}
      {ruleId !== undefined && <li>Became a rule: always answer this way</li>}
      {sources.length > 0 && (
        <li>
          Based on{" "}
          {sources.map((source) => (
            <span key={`${source.kind} ${source.id}`} title={source.text}>
              <SourceLink source={source} />{" "}
            </span>
          ))}
        </li>
      )}
      {replaces.length > 0 && <li>Replaces {replaces.join(", ")}</li>}
    </ul>
  );
}
