import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { failureOf } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Ago } from "../../ui/figures.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { PriorityBadge } from "../../ui/run/status.tsx";
import { Loading, Trouble } from "../../ui/states.tsx";
import { TeamNamed } from "../../ui/team/team-link.tsx";
import { capital } from "../../ui/text/capital.ts";
import { Markdown } from "../../ui/text/markdown.tsx";
import { PlainText } from "../../ui/text/plain-text.tsx";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";
import { ReviewGate } from "../gate/review-gate.tsx";
import { approvalIn, TeamApproval } from "../teams/approval/inbox-approval.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { ChangedFiles } from "./changed-files.tsx";
import { DetailActions } from "./detail-actions.tsx";
import { kindOf } from "./inbox-words.ts";
import { LateNotice } from "./late-notice.tsx";
import { Party, TaskLink } from "./party.tsx";
import { CallShown } from "./permission/call-shown.tsx";
import { PermissionForm } from "./permission/permission-form.tsx";
import { Resolved } from "./resolved.tsx";
import { Trail } from "./trail.tsx";
import type { InboxActs } from "./use-inbox-acts.ts";

interface DetailProps {
  id: string;
  /** As the list has it, until the entry itself is there. */
  known: Escalation | undefined;
  acts: InboxActs;
  /** The person's answer was refused because there was one already. */
  isLate: boolean;
  /** Esc in the text field. */
  onLeave: () => void;
}

/** One entry with all that belongs to it. It stays, with what was typed, when it is answered elsewhere meanwhile. */
export function Detail({ id, known, acts, isLate, onLeave }: DetailProps) {
  const found = useQuery(queries.escalation(id));
  const shown = found.data?.escalation ?? known;
  const isGone = found.error !== null && failureOf(found.error).code === "escalation_not_found";
  if (shown === undefined) {
    if (found.error !== null && !isGone) return <Trouble error={found.error} retry={() => void found.refetch()} />;
    return isGone ? <Gone id={id} /> : <Loading lines={6} label="Loading the entry" />;
  }
  const asked = shown.permission;
  const approval = approvalIn(shown);
  return (
    <article aria-label={id} className="flex min-w-0 flex-col gap-4">
      <Head escalation={shown} />
      {asked !== undefined && <CallShown asked={asked} />}
      {asked === undefined && approval === undefined && shown.context.trim() !== "" && (
        <div className="text-sm wrap-anywhere">
          <Context escalation={shown} />
        </div>
      )}
      {shown.subject?.kind === "review" && (
        <>
          <ChangedFiles runId={shown.subject.id} />
          <ReviewGate runId={shown.subject.id} />
        </>
      )}
      {shown.review != null && <ReviewGate runId={shown.review.runId} />}
      {(isGone || (shown.status === "resolved" && !acts.isBusy(id))) && (
        <LateNotice key={id} id={id} wasRefused={isLate} />
      )}
      {isGone ? (
        <Gone id={id} />
      ) : shown.status === "resolved" ? (
        <Resolved escalation={shown} acts={acts} />
      ) : (
        <>
          {asked !== undefined ? (
            <PermissionForm key={id} escalation={shown} acts={acts} keys="page" onLeave={onLeave} />
          ) : approval !== undefined ? (
            <TeamApproval key={id} asked={approval} onDone={() => acts.ended(id)} />
          ) : (
            <AnswerForm key={id} escalation={shown} acts={acts} onLeave={onLeave} />
          )}
          <DetailActions escalation={shown} acts={acts} />
        </>
      )}
      <Trail escalation={shown} />
    </article>
  );
}

/** Agents write Markdown; of a derived entry it is plain lines. */
function Context({ escalation: { context, projectId, subject } }: { escalation: Escalation }) {
  return subject === undefined ? (
    <Markdown text={context} project={projectId} />
  ) : (
    <PlainText text={capital(visibleText(context))} project={projectId} />
  );
}

/** A derived entry ends when what it is about does. */
function Gone({ id }: { id: string }) {
  return (
    <p role="status" className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      {visibleLine(id)} isn't open. It may have been handled elsewhere.
    </p>
  );
}

function Head({ escalation }: { escalation: Escalation }) {
  const { question, priority, projectId, createdAt, escalatedBy, subject, id, snoozedUntil } = escalation;
  const { word, tone } = kindOf(escalation);
  return (
    <header className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-faint">
        <Badge tone={tone}>{word}</Badge>
        {(priority === "high" || priority === "urgent") && <PriorityBadge priority={priority} />}
        {escalation.status === "draft" && <Badge>Draft</Badge>}
        {projectId !== undefined && (
          <Link to="/projects/$id" params={{ id: projectId }} className="hover:underline">
            <ProjectName id={projectId} />
          </Link>
        )}
        {subject === undefined && <span className="font-mono">{id}</span>}
        <Ago at={createdAt} />
      </p>
      <h2 dir="auto" className="text-base font-semibold wrap-anywhere">
        {visibleLine(question)}
      </h2>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-faint">
        {subject === undefined && (
          <span>
            Asked by <Party by={escalatedBy} isWithin />
          </span>
        )}
        {escalation.team != null && <TeamNamed id={escalation.team.id} />}
        <Blocks escalation={escalation} />
        {snoozedUntil !== undefined && <Snoozed until={snoozedUntil} />}
      </p>
    </header>
  );
}

function Blocks({ escalation }: { escalation: Escalation }) {
  const { blocksTask, blocksInitiative, initiative, projectId, subject } = escalation;
  const parts: ReactNode[] = [];
  if (blocksTask !== null)
    parts.push(
      projectId === undefined ? blocksTask : <TaskLink key="task" projectId={projectId} taskId={blocksTask} />,
    );
  if (blocksInitiative && initiative !== undefined) parts.push(<span key="initiative">initiative {initiative}</span>);
  if (parts.length === 0) return null;
  return (
    <span className={subject === undefined ? "text-warn" : ""}>
      {subject === undefined ? "Blocks" : "Task"} {parts[0]}
      {parts.length > 1 && <> and {parts[1]}</>}
    </span>
  );
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function Snoozed({ until }: { until: string }) {
  if (Date.parse(until) <= Date.now()) return null;
  return <span>Snoozed until {exact.format(new Date(until))}</span>;
}
