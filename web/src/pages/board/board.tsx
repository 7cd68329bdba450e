import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import { LEGAL_MOVES, TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { RunLine } from "../../../../src/contract/now.ts";
import { queries } from "../../api/queries.ts";
import { countText } from "../../ui/figures.tsx";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";
import { taskWords } from "../../ui/run/status.tsx";
import { legalText } from "../task/moves.ts";
import { CardMenu, type MenuAt } from "./card-menu.tsx";
import { Column, type Drop } from "./column.tsx";
import { type Columns, columnsOf } from "./filtering.ts";
import { placeOf } from "./grid-moves.ts";
import { QuickAdd } from "./quick-add.tsx";
import { useBoardFocus } from "./use-board-focus.ts";
import { type BoardActs, useBoardKeys } from "./use-board-keys.ts";
import { useDrag } from "./use-drag.ts";
import { useMoves } from "./use-moves.ts";

interface BoardProps {
  projectId: string;
  cards: readonly TaskCard[];
  acts: BoardActs;
}

export function Board({ projectId, cards, acts }: BoardProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRestOfPage(box);
  const isNarrow = !useMedia(WIDE);
  const [shown, setShown] = useState<TaskStatus>("pending");
  const [menu, setMenu] = useState<MenuAt>();
  const runs = useRunsAtWork(projectId);
  const roles = useRoleNames();
  const { moving, move, said, announce, dialog } = useMoves(projectId);
  const columns = useMemo(() => columnsOf(cards, moving), [cards, moving]);
  const focus = useBoardFocus(box, columns);
  const byId = (id: string | undefined) => cards.find((card) => card.id === id);
  const drag = useDrag(byId, (card, to) => void move(card, to));
  const current = byId(focus.current);
  const openMenu = (card: TaskCard) => {
    const element = box.current?.querySelector(`[data-menu="${card.id}"]`);
    if (element) setMenu({ card, box: element.getBoundingClientRect() });
  };
  useBoardKeys({
    current,
    focus,
    onShow: setShown,
    onMove: (card, to) => void move(card, to),
    onMenu: openMenu,
    announce,
    acts,
  });
  const here = placeOf(columns, focus.current)?.status;
  const quickAdd = useMemo(() => <QuickAdd projectId={projectId} />, [projectId]);
  const column = (status: TaskStatus) => (
    <Column
      key={status}
      {...{ status, runs, roles, moving, isNarrow }}
      cards={columns[status]}
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears for the links and buttons in it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links and buttons make clicks of keys */}
      <div
        ref={box}
        className="flex min-h-96 gap-2 overflow-x-auto pb-1"
        style={{ height }}
        onClick={(event) => heardClick(event, { acts, openMenu, byId })}
        onFocus={({ target }) => focus.heard(target.dataset.task)}
        onBlur={() => focus.heard(undefined)}
        {...drag.handlers}
      >
        {isNarrow ? column(shown) : TASK_STATUSES.map(column)}
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      {dialog}
      {menu !== undefined && (
        <CardMenu
          {...menu}
          isAtWork={runs.has(menu.card.id)}
          onMove={(to) => void move(menu.card, to)}
          onOpen={() => acts.open(menu.card.id)}
          onSpawn={() => acts.spawn(menu.card.id)}
          onStop={() => acts.stop(menu.card.id)}
          onClose={() => {
            setMenu(undefined);
            focus.choose(menu.card.id);
          }}
        />
      )}
    </>
  );
}

interface Heard {
  acts: BoardActs;
  openMenu: (card: TaskCard) => void;
  byId: (id: string | undefined) => TaskCard | undefined;
}

function heardClick(event: MouseEvent<HTMLElement>, { acts, openMenu, byId }: Heard): void {
  const target = event.target as HTMLElement;
  const menu = byId(target.closest<HTMLElement>("[data-menu]")?.dataset.menu);
  if (menu !== undefined) {
    openMenu(menu);
    return;
  }
  const id = target.closest<HTMLElement>("[data-task]")?.dataset.task;
  // With a key held the browser opens it in another tab.
  if (id === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  acts.open(id);
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

/** The agents that are at work here, by their tasks. */
function useRunsAtWork(projectId: string): ReadonlyMap<string, RunLine> {
  const { data } = useQuery(queries.now());
  return useMemo(
    () => new Map((data?.working ?? []).filter((run) => run.projectId === projectId).map((run) => [run.taskId, run])),
    [data?.working, projectId],
  );
}

/** Asked for once: a card that asked for itself would slow down scrolling. */
function useRoleNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(queries.roles());
  return useMemo(() => new Map(data?.roles.map(({ id, emoji, name }) => [id, `${emoji} ${name}`])), [data]);
}

const BELOW = { wide: 16, narrow: 64 };

/** The height that is left below the top of an element, whatever stands above it. */
function useRestOfPage(box: RefObject<HTMLElement | null>): string {
  const [top, setTop] = useState(200);
  const [, resized] = useState(0);
  const below = useMedia(WIDE) ? BELOW.wide : BELOW.narrow;
  useLayoutEffect(() => {
    if (box.current !== null) setTop(Math.round(box.current.getBoundingClientRect().top + scrollY));
  });
  useEffect(() => {
    const observer = new ResizeObserver(() => resized((count) => count + 1));
    observer.observe(document.body);
    if (box.current?.parentElement) observer.observe(box.current.parentElement);
    return () => observer.disconnect();
  }, [box]);
  return `calc(100dvh - ${top + below}px)`;
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
