import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { type Keys, useKeys } from "../../shell/keys.ts";
import { legalText, nextLegal } from "../task/moves.ts";
import type { Direction } from "./grid-moves.ts";
import type { useBoardFocus } from "./use-board-focus.ts";

/** What can be done from the board beside moving cards. */
export interface BoardActs {
  open: (taskId: string) => void;
  create: () => void;
  spawn: (taskId?: string) => void;
  team: (taskId: string) => void;
  stop: (taskId: string) => void;
  filter: () => void;
}

interface Board {
  current: TaskCard | undefined;
  focus: ReturnType<typeof useBoardFocus>;
  /** On a phone only one column is shown. */
  onShow: (status: TaskStatus) => void;
  onMove: (card: TaskCard, to: TaskStatus) => void;
  onMenu: (card: TaskCard) => void;
  announce: (said: string) => void;
  acts: BoardActs;
}

export function useBoardKeys({ current, focus, onShow, onMove, onMenu, announce, acts }: Board): void {
  const go = (direction: Direction) => {
    const to = focus.go(direction);
    if (to === undefined) return false;
    onShow(to.status);
  };
  const going = (direction: Direction) => () => go(direction);
  const sideways = (direction: "left" | "right") => (event: KeyboardEvent) => {
    if (!event.shiftKey) return go(direction);
    if (current === undefined || !focus.hasFocus()) return false;
    const to = nextLegal(current.status, direction === "right" ? 1 : -1);
    if (to === undefined) return announce(`Can't move ${direction}. ${legalText(current.status)}`);
    onMove(current, to);
    onShow(to);
  };
  const withCard = (act: (card: TaskCard) => void) => () => {
    if (current === undefined || !focus.hasFocus()) return false;
    act(current);
  };
  useKeys(
    onBoard({
      ArrowDown: going("down"),
      ArrowUp: going("up"),
      ArrowLeft: sideways("left"),
      ArrowRight: sideways("right"),
      j: going("down"),
      k: going("up"),
      h: going("left"),
      l: going("right"),
      m: withCard(onMenu),
      c: () => acts.create(),
      s: () => acts.spawn(focus.hasFocus() ? current?.id : undefined),
      x: withCard(({ id }) => acts.stop(id)),
      f: () => acts.filter(),
    }),
  );
}

/** Not for what else is beside the board and takes arrows. */
function onBoard(keys: Keys): Keys {
  const isOurs = ({ target }: KeyboardEvent) =>
    target === document.body || (target instanceof HTMLElement && target.closest("main") !== null);
  const guarded = Object.entries(keys).map(
    ([name, act]) => [name, (event: KeyboardEvent) => (isOurs(event) ? act(event) : false)] as const,
  );
  return Object.fromEntries(guarded);
}
