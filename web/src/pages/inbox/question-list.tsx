import { Link } from "@tanstack/react-router";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { Badge } from "../../ui/badge.tsx";
import { buttonLook } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { kindOf } from "./inbox-words.ts";
import { useOpenQuestions } from "./open-questions.ts";

const MOST = 5;

/** The open questions of a project, each with the way to answer it. */
export function ProjectQuestions({ id }: { id: string }) {
  const open = useOpenQuestions(id);
  if (open.length === 0) return null;
  return (
    <Section
      title="Open questions"
      count={open.length}
      actions={
        <Link to="/inbox" search={{ project: id }} className={buttonLook({ size: "small" })}>
          Open the inbox
        </Link>
      }
    >
      <Card>
        <ul aria-label="Open questions">
          {open.slice(0, MOST).map((escalation) => (
            <QuestionLine key={escalation.id} escalation={escalation} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function QuestionLine({ escalation }: { escalation: Escalation }) {
  const { word, tone } = kindOf(escalation);
  const view = escalation.status === "draft" ? "draft" : undefined;
  return (
    <li className="relative flex items-baseline gap-2 border-b border-line px-3 py-2 text-sm last:border-b-0 hover:bg-sunk">
      <Badge tone={tone}>{word}</Badge>
      <Link
        to="/inbox"
        search={{ id: escalation.id, view }}
        data-row
        className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
      >
        <bdi>{visibleLine(escalation.question)}</bdi>
      </Link>
      <Ago at={escalation.createdAt} className="shrink-0 text-xs text-faint" />
    </li>
  );
}
