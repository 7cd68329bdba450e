import { AlarmClock, Hourglass } from "lucide-react";
import { memo } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { Badge } from "../../ui/badge.tsx";
import { Ago } from "../../ui/figures.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { kindOf, outcomeText } from "./inbox-words.ts";
import { askerText } from "./party.tsx";
import { shortened } from "./shortened.ts";

export const ROW_HEIGHT = 62;

interface RowProps {
  escalation: Escalation;
  isCurrent: boolean;
  /** 0: Tab leads here. */
  tabIndex: 0 | -1;
}

/** An entry in two lines: what is asked; who asks, since when, and what waits for it. */
export const InboxRow = memo(function InboxRow({ escalation, isCurrent, tabIndex }: RowProps) {
  const { id, question, projectId, createdAt, blocksTask, blocksInitiative, subject } = escalation;
  const { word, tone } = kindOf(escalation);
  const blocked = blocksTask ?? (blocksInitiative ? "initiative" : undefined);
  const isOpen = escalation.status !== "resolved";
  const asker = askerText(escalation);
  return (
    <a
      href={`?id=${encodeURIComponent(id)}`}
      data-row
      data-entry={id}
      tabIndex={tabIndex}
      aria-current={isCurrent ? "true" : undefined}
      title={shortened(question, 300)}
      className="flex h-full flex-col justify-center gap-1 border-b border-l-2 border-line border-l-transparent px-3 -outline-offset-2 hover:bg-sunk aria-[current]:border-l-accent aria-[current]:bg-accent-soft"
    >
      <span className="flex min-w-0 items-baseline gap-2">
        <bdi className="min-w-0 flex-1 truncate text-sm font-medium">{visibleLine(question)}</bdi>
        <Ago at={createdAt} className="shrink-0 text-xs text-faint" />
      </span>
      <span className="flex min-w-0 items-center gap-2 text-xs whitespace-nowrap text-faint">
        <Badge tone={tone}>{word}</Badge>
        {!isOpen && <OutcomeText escalation={escalation} />}
        {projectId !== undefined && (
          <span className="max-w-44 min-w-0 shrink-[9] truncate">
            <ProjectName id={projectId} />
          </span>
        )}
        {isOpen && subject === undefined && asker !== blocked && <span className="truncate">{asker}</span>}
        {isOpen && subject !== undefined && blocksTask !== null && <span>{blocksTask}</span>}
        {isOpen && subject === undefined && blocked !== undefined && (
          <span className="inline-flex shrink-0 items-center gap-0.5 text-warn">
            <Hourglass size={12} aria-hidden />
            Blocks {blocked}
          </span>
        )}
        {isAsleep(escalation) && (
          <span className="inline-flex items-center gap-0.5">
            <AlarmClock size={12} aria-hidden />
            Snoozed
          </span>
        )}
      </span>
    </a>
  );
});

export function isAsleep({ snoozedUntil }: Escalation): boolean {
  return snoozedUntil !== undefined && Date.parse(snoozedUntil) > Date.now();
}

function OutcomeText({ escalation }: { escalation: Escalation }) {
  return <bdi className="min-w-0 truncate text-ink">{outcomeText(escalation)}</bdi>;
}
