import { CheckSquare, Ellipsis, Hourglass } from "lucide-react";
import { memo } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { RunLine } from "../../../../src/contract/now.ts";
import { activityWords } from "../../../../src/contract/words/activity-words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Ago } from "../../ui/figures.tsx";
import { GateBadge } from "../../ui/gate/gate-badge.tsx";
import { type TaskGate, taskGateState } from "../../ui/gate/gate-state.ts";
import { lackingWords, PriorityBadge, RehearsedBadge } from "../../ui/run/status.tsx";
import type { TaskTeam } from "../../ui/team/task-teams.ts";
import { TeamLink } from "../../ui/team/team-link.tsx";
import { capital } from "../../ui/text/capital.ts";
import { QuestionLink } from "../inbox/question-link.tsx";
import { openThough } from "../task/criteria.ts";

interface CardProps {
  card: TaskCard;
  /** Who it is given to, as it is shown. */
  role: string | undefined;
  /** The agent that is at work on it. */
  run?: RunLine | undefined;
  /** Its newest gate. */
  gate?: TaskGate | undefined;
  team?: TaskTeam | undefined;
  isCurrent: boolean;
  isMoving: boolean;
}

/** Only looks: what is done with cards is heard by the board, so that thousands of them cost nothing. */
export const BoardCard = memo(function BoardCard({ card, role, run, gate, team, isCurrent, isMoving }: CardProps) {
  return (
    <div
      className={`group relative rounded-md border border-line bg-card px-2.5 py-2 shadow-xs hover:border-edge has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent ${isMoving ? "opacity-60" : ""}`}
    >
      <div className="flex items-center gap-1.5 text-xs whitespace-nowrap text-faint">
        <span className="font-mono">{card.id}</span>
        {card.priority !== "medium" && card.priority !== "low" && <PriorityBadge priority={card.priority} />}
        <Ago at={card.updatedAt} className="ml-auto shrink-0 max-md:mr-6" />
        <button
          type="button"
          tabIndex={-1}
          data-menu={card.id}
          aria-label={`Actions for ${card.id}`}
          className="absolute top-1 right-1 z-10 inline-flex size-7 items-center justify-center rounded bg-card hover:bg-sunk hover:text-ink md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100"
        >
          <Ellipsis size={14} aria-hidden />
        </button>
      </div>
      <a
        href={`?task=${card.id}`}
        data-task={card.id}
        draggable
        tabIndex={isCurrent ? 0 : -1}
        aria-busy={isMoving || undefined}
        className="mt-0.5 line-clamp-3 text-sm leading-snug font-medium outline-none after:absolute after:inset-0"
      >
        <bdi>{card.title}</bdi>
      </a>
      {run !== undefined && <AtWork run={run} />}
      <CardFoot card={card} role={role} gate={gate} team={team} />
    </div>
  );
});

function AtWork({ run }: { run: RunLine }) {
  return (
    <p className="mt-1 flex items-center gap-1.5 text-xs text-info">
      <span aria-hidden className="size-1.5 shrink-0 animate-pulse rounded-full bg-info" />
      <span className="line-clamp-1">
        {run.activity === undefined
          ? run.status === "pending"
            ? "Queued"
            : "Running"
          : capital(activityWords(run.activity))}
      </span>
    </p>
  );
}

function CardFoot({ card, role, gate, team }: Pick<CardProps, "card" | "role" | "gate" | "team">) {
  const judged = gate === undefined ? undefined : taskGateState(gate, card.status);
  const lacking = card.status === "done" ? lackingWords(card.outcome) : undefined;
  const open = openThough(card.status, card.criteria);
  return (
    <div className="mt-1.5 flex empty:hidden flex-wrap items-center gap-x-2 gap-y-1 text-xs text-faint">
      {lacking !== undefined && <Badge tone="warn">{lacking}</Badge>}
      {card.status === "pending" && card.outcome === "rehearsed" && <RehearsedBadge />}
      {judged !== undefined && <GateBadge state={judged} />}
      {card.escalations?.map((id) => (
        <QuestionLink key={id} id={id} />
      ))}
      {team !== undefined && <TeamLink team={team} />}
      {card.waitingOn.length > 0 && <Waiting on={card.waitingOn} />}
      {role !== undefined && (
        <span className="max-w-full truncate" title={role}>
          {role}
        </span>
      )}
      {card.type !== "other" && <span>{card.type}</span>}
      {card.labels.slice(0, 3).map((label) => (
        <span key={label} className="max-w-28 truncate rounded-full border border-line px-1.5">
          <bdi>{label}</bdi>
        </span>
      ))}
      {card.labels.length > 3 && <span title={card.labels.slice(3).join(", ")}>+{card.labels.length - 3}</span>}
      {card.criteria !== undefined && (
        <span
          className={`ml-auto inline-flex items-center gap-0.5 tabular-nums ${open === undefined ? "" : "font-medium text-warn"}`}
          title="Acceptance criteria met"
        >
          <CheckSquare size={12} aria-hidden />
          <span className="sr-only">Criteria met: </span>
          {open ?? `${card.criteria.done}/${card.criteria.total}`}
        </span>
      )}
    </div>
  );
}

function Waiting({ on }: { on: readonly string[] }) {
  return (
    <span className="inline-flex items-center gap-0.5 text-warn" title={`Blocked by ${on.join(", ")}`}>
      <Hourglass size={12} aria-hidden />
      <span className="sr-only">Blocked by </span>
      {on.length === 1 ? on[0] : `${on.length} tasks`}
    </span>
  );
}
