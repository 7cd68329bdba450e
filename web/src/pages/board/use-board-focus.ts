import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Columns } from "./filtering.ts";
import { type Direction, firstPlace, neighbour, type Place, placeOf, step } from "./grid-moves.ts";

/**
 * Which card the keys are about. It keeps the focus when it goes to another column, its neighbour takes it when it leaves the
 * board, and no card loses it by being scrolled away.
 */
export function useBoardFocus(board: RefObject<HTMLElement | null>, columns: Columns) {
  const [chosen, setChosen] = useState<string>();
  const [goTo, setGoTo] = useState<{ id: string }>();
  /** The card that has the focus now, as far as the person is concerned. */
  const focused = useRef<string>(undefined);
  const was = useRef<Place>(undefined);
  const place = placeOf(columns, chosen);
  const first = firstPlace(columns);
  const current = place !== undefined ? chosen : was.current && focused.current && neighbour(columns, was.current);
  const shown = current ?? (first && columns[first.status][first.index]?.id);

  const wanted = useRef<string>(undefined);
  /** After a column was drawn: a card that goes to a new column is only there when that has been measured. */
  const drawn = useCallback(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return;
    board.current?.querySelector<HTMLElement>(`[data-task="${wanted.current}"]`)?.focus({ preventScroll: true });
  }, [board]);
  useLayoutEffect(() => {
    // A dialog that closes gives the focus back without a word.
    focused.current ??= focusedCard();
    was.current = placeOf(columns, shown) ?? was.current;
    wanted.current = shown;
    drawn();
  });

  const choose = (id: string | undefined) => {
    if (id === undefined) return;
    setChosen(id);
    setGoTo({ id });
  };
  useLayoutEffect(() => {
    if (goTo === undefined) return;
    focused.current = goTo.id;
    const card = board.current?.querySelector<HTMLElement>(`[data-task="${goTo.id}"]`);
    card?.focus({ preventScroll: true });
    card?.closest("[data-column]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [goTo, board]);

  return {
    current: shown,
    goTo,
    drawn,
    choose,
    /** The browser has put the focus there. */
    heard: (id: string | undefined) => {
      focused.current = id;
      if (id !== undefined) setChosen(id);
    },
    hasFocus: () => focusedCard() !== undefined,
    go: (direction: Direction) => {
      const from = placeOf(columns, shown);
      if (from === undefined) return undefined;
      const to = focusedCard() === undefined ? from : step(columns, from, direction);
      choose(columns[to.status][to.index]?.id);
      return to;
    },
  };
}

function focusedCard(): string | undefined {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset.task : undefined;
}
