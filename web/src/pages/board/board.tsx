import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import { LEGAL_MOVES, TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { countText } from "../../ui/figures.tsx";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";
import { taskWords } from "../../ui/run/status.tsx";
import { legalText } from "../task/moves.ts";
import { Column, type Drop } from "./column.tsx";
import { type ChosenColumns, openColumns } from "./column-layout.ts";
import { type Columns, columnsOf } from "./filtering.ts";
import { placeOf } from "./grid-moves.ts";
import { QuickAdd } from "./quick-add.tsx";
import { useDrag } from "./use-drag.ts";
import { useRoom } from "./use-room.ts";
import { type TasksProps, useTasksAtHand } from "./use-tasks-at-hand.tsx";

interface BoardProps extends TasksProps {
  chosen: ChosenColumns;
  onChoose: (chosen: ChosenColumns) => void;
}

export function Board({ projectId, cards, acts, chosen, onChoose }: BoardProps) {
  const box = useRef<HTMLDivElement>(null);
  const { height, width } = useRoom(box);
  const isNarrow = !useMedia(WIDE);
  const [shown, setShown] = useState<TaskStatus>("pending");
  const openOf = useCallback((all: Columns) => openColumns({ counts: countsOf(all), width, chosen }), [width, chosen]);
  const arrange = useCallback((moving: ReadonlyMap<string, TaskStatus>) => columnsOf(cards, moving), [cards]);
  const { runs, gates, teams, roles, moving, move, columns, open, focus, byId, handlers, over } = useTasksAtHand({
    ...{ projectId, cards, acts, box, arrange, openOf: isNarrow ? undefined : openOf, onShow: setShown },
  });
  const drag = useDrag(byId, (card, to) => void move(card, to));
  const here = placeOf(columns, focus.current)?.status;
  const quickAdd = useMemo(() => <QuickAdd projectId={projectId} />, [projectId]);
  const fold = useFold(chosen, onChoose);
  const column = (status: TaskStatus) => (
    <Column
      key={status}
      {...{ status, runs, gates, teams, roles, moving, isNarrow }}
      cards={columns[status]}
      isOpen={open?.has(status) ?? true}
      onFold={fold}
      current={status === here ? focus.current : undefined}
      goTo={status === here ? focus.goTo : undefined}
      onDrawn={focus.drawn}
      drop={dropFor(drag.dragged, status)}
      why={whyNot(drag.dragged, status, drag.over)}
      top={status === "pending" ? quickAdd : undefined}
    />
  );
  return (
    <>
      {isNarrow && <StatusTabs columns={columns} shown={shown} onShow={setShown} />}
      <div
        ref={box}
        className="flex min-h-96 gap-2 overflow-x-auto pb-1"
        style={{ height }}
        {...handlers}
        {...drag.handlers}
      >
        {isNarrow ? column(shown) : TASK_STATUSES.map(column)}
      </div>
      {over}
    </>
  );
}

function countsOf(columns: Columns): Record<TaskStatus, number> {
  const counts = TASK_STATUSES.map((status) => [status, columns[status].length] as const);
  return Object.fromEntries(counts) as Record<TaskStatus, number>;
}

/** The same function as long as the board is there: columns are drawn again only for what they show. */
function useFold(chosen: ChosenColumns, onChoose: (chosen: ChosenColumns) => void) {
  const now = useRef({ chosen, onChoose });
  useLayoutEffect(() => {
    now.current = { chosen, onChoose };
  });
  return useCallback((status: TaskStatus, isOpen: boolean) => {
    now.current.onChoose({ ...now.current.chosen, [status]: isOpen });
  }, []);
}

function dropFor(dragged: TaskCard | undefined, status: TaskStatus): Drop {
  if (dragged === undefined || dragged.status === status) return undefined;
  return LEGAL_MOVES[dragged.status].includes(status) ? "legal" : "illegal";
}

function whyNot(dragged: TaskCard | undefined, status: TaskStatus, over: TaskStatus | undefined): string | undefined {
  return over === status && dropFor(dragged, status) === "illegal" && dragged !== undefined
    ? legalText(dragged.status)
    : undefined;
}

/** On a phone there is room for one column. */
function StatusTabs({
  columns,
  shown,
  onShow,
}: {
  columns: Columns;
  shown: TaskStatus;
  onShow: (status: TaskStatus) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would not scroll sideways
    <div role="group" aria-label="Column" className="-mx-4 flex gap-1.5 overflow-x-auto px-4 pb-1">
      {TASK_STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === shown}
          onClick={() => onShow(status)}
          className="flex h-8 shrink-0 items-center gap-1.5 rounded-full border border-line bg-card px-3 text-sm whitespace-nowrap text-faint aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          {taskWords[status]}
          <span className="tabular-nums">{countText(columns[status].length)}</span>
        </button>
      ))}
    </div>
  );
}
