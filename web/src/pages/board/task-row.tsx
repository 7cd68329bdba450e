import { ArrowDown, ArrowUp, Ellipsis, Hourglass } from "lucide-react";
import { memo } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { RunLine } from "../../../../src/contract/now.ts";
import { Ago } from "../../ui/figures.tsx";
import { GateBadge } from "../../ui/gate/gate-badge.tsx";
import { type TaskGate, taskGateState } from "../../ui/gate/gate-state.ts";
import { PriorityBadge, TaskBadge } from "../../ui/run/status.tsx";
import type { TaskTeam } from "../../ui/team/task-teams.ts";
import { TeamLink } from "../../ui/team/team-link.tsx";
import { capital } from "../../ui/text/capital.ts";
import { QuestionLink } from "../inbox/question-link.tsx";
import { nextSort, type Sort, type SortField } from "./sorting.ts";

/** With where there is no room for them. */
const COLUMNS: readonly { field: SortField; name: string; look: string }[] = [
  { field: "id", name: "ID", look: "w-26 max-md:hidden" },
  { field: "title", name: "Title", look: "" },
  { field: "status", name: "Status", look: "w-30 max-md:w-27" },
  { field: "priority", name: "Priority", look: "w-24 max-md:hidden" },
  { field: "role", name: "Role", look: "w-48 max-xl:hidden" },
  { field: "type", name: "Type", look: "w-26 max-xl:hidden" },
  { field: "updated", name: "Updated", look: "w-28 max-md:hidden" },
];
const LOOKS = Object.fromEntries(COLUMNS.map(({ field, look }) => [field, look])) as Record<SortField, string>;
const CELL = "truncate px-2 first:pl-3";
/** The last is for the menu. */
export const LIST_COLUMNS = COLUMNS.length + 1;

export function ListHead({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <thead className="sticky top-0 z-10 bg-sunk text-left text-xs text-faint">
      <tr>
        {COLUMNS.map(({ field, name, look }) => (
          <th
            key={field}
            scope="col"
            aria-sort={sort.field !== field ? "none" : sort.isDescending ? "descending" : "ascending"}
            className={`border-b border-line px-2 py-1 font-medium first:pl-3 ${look}`}
          >
            <button
              type="button"
              onClick={() => onSort(nextSort(sort, field))}
              className={`inline-flex h-6 items-center gap-0.5 whitespace-nowrap hover:text-ink ${sort.field === field ? "text-ink" : ""}`}
            >
              {name}
              {sort.field === field && <Arrow isDescending={sort.isDescending} />}
            </button>
          </th>
        ))}
        <th scope="col" className="w-11 border-b border-line">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

function Arrow({ isDescending }: { isDescending: boolean }) {
  const Icon = isDescending ? ArrowDown : ArrowUp;
  return <Icon size={12} aria-hidden />;
}

interface RowProps {
  card: TaskCard;
  index: number;
  size: number;
  isNarrow: boolean;
  role: string | undefined;
  run: RunLine | undefined;
  gate: TaskGate | undefined;
  team: TaskTeam | undefined;
  movingTo: TaskStatus | undefined;
  isCurrent: boolean;
}

/** Only looks: what is done with rows is heard by the list. */
export const ListRow = memo(function ListRow(props: RowProps) {
  const { card, index, size, isNarrow, role, run, gate, team, movingTo, isCurrent } = props;
  const quiet = (field: SortField) => `${CELL} text-xs text-faint ${LOOKS[field]}`;
  return (
    <tr
      aria-rowindex={index + 2}
      className={`border-b border-line hover:bg-sunk has-[a:focus-visible]:bg-accent-soft ${movingTo === undefined ? "" : "opacity-60"}`}
      style={{ height: size }}
    >
      <td className={`${quiet("id")} font-mono`}>{card.id}</td>
      <td className={CELL}>
        <span className="flex min-w-0 items-center gap-2">
          <Title card={card} isCurrent={isCurrent} />
          {!isNarrow && <Notes card={card} run={run} gate={gate} team={team} />}
        </span>
        {isNarrow && (
          <span className="flex items-center gap-2 overflow-hidden text-xs text-faint">
            <span className="font-mono">{card.id}</span>
            <Priority card={card} />
            <Notes card={card} run={run} gate={gate} team={team} />
            <Ago at={card.updatedAt} className="ml-auto shrink-0" />
          </span>
        )}
      </td>
      <td className={`${CELL} ${LOOKS.status}`}>
        <TaskBadge status={movingTo ?? card.status} outcome={card.outcome} />
      </td>
      <td className={quiet("priority")}>
        <Priority card={card} />
        {card.priority === "medium" && "Medium"}
        {card.priority === "low" && "Low"}
      </td>
      <td className={quiet("role")} title={role}>
        {role}
      </td>
      <td className={quiet("type")}>{capital(card.type)}</td>
      <td className={quiet("updated")}>
        <Ago at={card.updatedAt} />
      </td>
      <td className="px-1">
        <MenuButton id={card.id} />
      </td>
    </tr>
  );
});

function Priority({ card: { priority } }: { card: TaskCard }) {
  return priority === "medium" || priority === "low" ? null : <PriorityBadge priority={priority} />;
}

function Title({ card, isCurrent }: { card: TaskCard; isCurrent: boolean }) {
  return (
    <a
      href={`?task=${card.id}`}
      data-task={card.id}
      tabIndex={isCurrent ? 0 : -1}
      className="min-w-0 truncate font-medium outline-offset-2 hover:underline max-md:line-clamp-2 max-md:whitespace-normal"
    >
      <bdi>{card.title}</bdi>
    </a>
  );
}

/** What is worth a mark: an agent at work, tasks that it is blocked by. */
function Notes({ card, run, gate, team }: Pick<RowProps, "card" | "run" | "gate" | "team">) {
  const judged = gate === undefined ? undefined : taskGateState(gate, card.status);
  return (
    <>
      {judged !== undefined && <GateBadge state={judged} />}
      {team !== undefined && (
        <span className="shrink-0 text-xs">
          <TeamLink team={team} />
        </span>
      )}
      {run !== undefined && (
        <span className="flex shrink-0 items-center gap-1 text-xs text-info">
          <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-info" />
          {run.status === "pending" ? "Queued" : "Running"}
        </span>
      )}
      {card.escalations?.map((id) => (
        <QuestionLink key={id} id={id} />
      ))}
      {card.waitingOn.length > 0 && (
        <span
          className="inline-flex shrink-0 items-center gap-0.5 text-xs text-warn"
          title={`Blocked by ${card.waitingOn.join(", ")}`}
        >
          <Hourglass size={12} aria-hidden />
          <span className="sr-only">Blocked by </span>
          {card.waitingOn.length === 1 ? card.waitingOn[0] : `${card.waitingOn.length} tasks`}
        </span>
      )}
    </>
  );
}

function MenuButton({ id }: { id: string }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      data-menu={id}
      aria-label={`Actions for ${id}`}
      className="inline-flex size-7 items-center justify-center rounded text-faint hover:bg-card hover:text-ink"
    >
      <Ellipsis size={14} aria-hidden />
    </button>
  );
}
