import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronsRightLeft } from "lucide-react";
import { memo, type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { RunLine } from "../../../../src/contract/now.ts";
import { countText, plural } from "../../ui/figures.tsx";
import type { TaskGate } from "../../ui/gate/gate-state.ts";
import { taskWords } from "../../ui/run/status.tsx";
import type { TaskTeam } from "../../ui/team/task-teams.ts";
import { BoardCard } from "./card.tsx";
import { useFocusedRange } from "./focused-range.ts";

/** What a dragged card may do here. */
export type Drop = "legal" | "illegal" | undefined;

interface ColumnProps {
  status: TaskStatus;
  cards: readonly TaskCard[];
  current: string | undefined;
  runs: ReadonlyMap<string, RunLine>;
  /** The newest gate of each task. */
  gates: ReadonlyMap<string, TaskGate>;
  teams: ReadonlyMap<string, TaskTeam>;
  moving: ReadonlyMap<string, TaskStatus>;
  /** How roles are shown, by their ids. */
  roles: ReadonlyMap<string, string>;
  drop: Drop;
  /** A card that the keys have led to: it is scrolled into view. */
  goTo: { id: string } | undefined;
  onDrawn: () => void;
  /** Why the card that is held over it cannot be dropped here. */
  why?: string | undefined;
  isNarrow: boolean;
  isOpen: boolean;
  onFold: (status: TaskStatus, isOpen: boolean) => void;
  top?: ReactNode;
}

const dots: Record<TaskStatus, string> = {
  pending: "bg-edge",
  assigned: "bg-edge",
  "in-progress": "bg-info",
  review: "bg-accent",
  blocked: "bg-warn",
  done: "bg-good",
  failed: "bg-bad",
  cancelled: "bg-edge",
};

export const Column = memo(function Column(props: ColumnProps) {
  const { status, cards, drop, why, isNarrow, isOpen, onFold, top } = props;
  if (!isOpen) return <Strip status={status} count={cards.length} drop={drop} onOpen={() => onFold(status, true)} />;
  return (
    <section
      aria-label={`${taskWords[status]}, ${plural(cards.length, "task")}`}
      data-column={status}
      className={`relative group/column flex min-h-0 min-w-56 flex-1 flex-col rounded-lg border ${look(why === undefined ? drop : "over")} ${isNarrow ? "" : "max-w-96"}`}
    >
      {!isNarrow && (
        <h2 className="flex items-center gap-2 px-3 pt-2 pb-1.5 text-sm font-semibold">
          <span aria-hidden className={`size-2 rounded-full ${dots[status]}`} />
          {taskWords[status]}
          <span className="font-normal text-faint tabular-nums">{countText(cards.length)}</span>
          {status !== "pending" && (
            <button
              type="button"
              aria-label={`Collapse ${taskWords[status]}`}
              title="Collapse"
              onClick={() => onFold(status, false)}
              className="-mr-1 ml-auto rounded p-0.5 text-faint opacity-0 group-hover/column:opacity-100 hover:text-ink focus-visible:opacity-100"
            >
              <ChevronsRightLeft size={14} aria-hidden />
            </button>
          )}
        </h2>
      )}
      {top !== undefined && <div className="px-2 pb-1.5 max-md:pt-2">{top}</div>}
      <Cards {...props} />
      {why !== undefined && (
        <p className="pointer-events-none absolute inset-x-3 top-12 z-20 rounded-md border border-line bg-card p-2 text-xs text-ink shadow-md">
          {why}
        </p>
      )}
    </section>
  );
});

function look(drop: Drop | "over"): string {
  if (drop === "over") return "border-bad bg-sunk";
  if (drop === "legal") return "border-accent bg-accent-soft";
  return drop === "illegal" ? "border-line bg-sunk opacity-50" : "border-line bg-sunk";
}

interface StripProps {
  status: TaskStatus;
  count: number;
  drop: Drop;
  onOpen: () => void;
}

/** A column that is closed: its name, how many tasks it has, and the way to open it. Cards can be dropped on it. */
function Strip({ status, count, drop, onOpen }: StripProps) {
  const name = (
    <>
      <span aria-hidden className={`size-2 rounded-full ${dots[status]}`} />
      <span className="text-sm [writing-mode:vertical-rl]">{taskWords[status]}</span>
      {count > 0 && <span className="text-xs tabular-nums">{countText(count)}</span>}
    </>
  );
  const strip = "flex min-h-0 flex-1 flex-col items-center gap-2 rounded-lg py-3 text-faint";
  return (
    <section
      aria-label={`${taskWords[status]}, ${count === 0 ? "no tasks" : plural(count, "task")}`}
      data-column={status}
      className={`flex w-9 shrink-0 flex-col rounded-lg border ${look(drop)}`}
    >
      {count === 0 ? (
        <h2 className={`${strip} font-normal`}>{name}</h2>
      ) : (
        <h2 className="flex flex-1 flex-col">
          <button type="button" title="Expand" onClick={onOpen} className={`${strip} hover:text-ink`}>
            <span className="sr-only">Expand </span>
            {name}
          </button>
        </h2>
      )}
    </section>
  );
}

const CARD_HEIGHT = 92;
const GAP = 6;

function Cards({ status, cards, current, runs, gates, teams, moving, roles, goTo, onDrawn }: ColumnProps) {
  const box = useRef<HTMLDivElement>(null);
  const at = current === undefined ? -1 : cards.findIndex(({ id }) => id === current);
  const rangeExtractor = useFocusedRange(at);
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => box.current,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => cards[index]?.id ?? index,
    gap: GAP,
    overscan: 5,
    paddingEnd: 8,
    scrollPaddingStart: 4,
    scrollPaddingEnd: 8,
    rangeExtractor,
    // Scrolling comes before drawing.
    useFlushSync: false,
  });
  const scroll = useEffectEvent((id: string) => {
    const index = cards.findIndex((card) => card.id === id);
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  });
  useLayoutEffect(() => {
    if (goTo !== undefined) scroll(goTo.id);
  }, [goTo]);
  useLayoutEffect(() => onDrawn());
  if (cards.length === 0) return <p className="px-3 py-4 text-center text-xs text-faint">No tasks</p>;
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pt-0.5" tabIndex={-1}>
      <ul aria-label={taskWords[status]} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const card = cards[index];
          if (card === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={cards.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <BoardCard
                card={card}
                role={card.assignedRoleId && (roles.get(card.assignedRoleId) ?? card.assignedRoleId)}
                run={runs.get(card.id)}
                gate={gates.get(card.id)}
                team={teams.get(card.id)}
                isCurrent={card.id === current}
                isMoving={moving.has(card.id)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
