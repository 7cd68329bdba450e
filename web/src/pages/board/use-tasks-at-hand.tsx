import { type MouseEvent, type RefObject, useMemo, useState } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { useTaskGates } from "../../ui/gate/gate-state.ts";
import { useTaskTeams } from "../../ui/team/task-teams.ts";
import { useRoleTexts, useRunsAtWork } from "./board-data.ts";
import { CardMenu, type MenuAt } from "./card-menu.tsx";
import type { Columns } from "./filtering.ts";
import { useBoardFocus } from "./use-board-focus.ts";
import { type BoardActs, useBoardKeys } from "./use-board-keys.ts";
import { useMoves } from "./use-moves.ts";

export interface TasksProps {
  projectId: string;
  cards: readonly TaskCard[];
  acts: BoardActs;
}

interface AtHand extends TasksProps {
  box: RefObject<HTMLElement | null>;
  /** The cards as the keys walk through them. */
  arrange: (moving: ReadonlyMap<string, TaskStatus>) => Columns;
  /** The columns whose cards are shown; without it all. The keys pass over the others. */
  openOf?: ((columns: Columns) => ReadonlySet<TaskStatus>) | undefined;
  onShow?: (status: TaskStatus) => void;
}

/** What the board and the list have in common: the task that has the focus, its keys, its menu, and moves. */
export function useTasksAtHand({ projectId, cards, acts, box, arrange, openOf, onShow = nothing }: AtHand) {
  const [menu, setMenu] = useState<MenuAt>();
  const runs = useRunsAtWork(projectId);
  const gates = useTaskGates(projectId);
  const teams = useTaskTeams(projectId);
  const roles = useRoleTexts();
  const { moving, move, said, announce, dialog } = useMoves(projectId);
  const columns = useMemo(() => arrange(moving), [arrange, moving]);
  const open = useMemo(() => openOf?.(columns), [columns, openOf]);
  const walked = useMemo(() => (open === undefined ? columns : onlyOpen(columns, open)), [columns, open]);
  const focus = useBoardFocus(box, walked);
  const byId = (id: string | undefined) => cards.find((card) => card.id === id);
  const openMenu = (card: TaskCard) => {
    const element = box.current?.querySelector(`[data-menu="${card.id}"]`);
    if (element) setMenu({ card, box: element.getBoundingClientRect() });
  };
  useBoardKeys({
    current: byId(focus.current),
    focus,
    onShow,
    onMove: (card, to) => void move(card, to),
    onMenu: openMenu,
    announce,
    acts,
  });
  const handlers = {
    onClick: (event: MouseEvent<HTMLElement>) => heardClick(event, { acts, openMenu, byId }),
    onFocus: ({ target }: { target: HTMLElement }) => focus.heard(target.dataset.task),
    onBlur: () => focus.heard(undefined),
  };
  const over = (
    <>
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
          onTeam={() => acts.team(menu.card.id)}
          onStop={() => acts.stop(menu.card.id)}
          onClose={() => {
            setMenu(undefined);
            focus.choose(menu.card.id);
          }}
        />
      )}
    </>
  );
  return { runs, gates, teams, roles, moving, move, columns, open, focus, byId, handlers, over };
}

const nothing = () => {};

function onlyOpen(columns: Columns, open: ReadonlySet<TaskStatus>): Columns {
  const entries = TASK_STATUSES.map((status) => [status, open.has(status) ? columns[status] : []] as const);
  return Object.fromEntries(entries) as unknown as Columns;
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
