import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { Columns } from "./filtering.ts";

export type Direction = "up" | "down" | "left" | "right";

export interface Place {
  status: TaskStatus;
  index: number;
}

export function placeOf(columns: Columns, id: string | undefined): Place | undefined {
  if (id === undefined) return undefined;
  for (const status of TASK_STATUSES) {
    const index = columns[status].findIndex((card) => card.id === id);
    if (index >= 0) return { status, index };
  }
  return undefined;
}

/** The first card of the board, for when none has the focus. */
export function firstPlace(columns: Columns): Place | undefined {
  const status = TASK_STATUSES.find((each) => columns[each].length > 0);
  return status === undefined ? undefined : { status, index: 0 };
}

/** Where the focus goes. Columns without cards are passed over; `height` keeps it at the height of the eye across columns. */
export function step(columns: Columns, from: Place, direction: Direction): Place {
  if (direction === "up" || direction === "down") {
    const index = from.index + (direction === "down" ? 1 : -1);
    const last = columns[from.status].length - 1;
    return { status: from.status, index: Math.min(last, Math.max(0, index)) };
  }
  const by = direction === "right" ? 1 : -1;
  for (let at = TASK_STATUSES.indexOf(from.status) + by; at >= 0 && at < TASK_STATUSES.length; at += by) {
    const status = TASK_STATUSES[at];
    const cards = status === undefined ? [] : columns[status];
    if (status !== undefined && cards.length > 0) return { status, index: Math.min(from.index, cards.length - 1) };
  }
  return from;
}

/** Where the focus goes when the card that had it has left: the one that took its place. */
export function neighbour(columns: Columns, was: Place): string | undefined {
  const cards = columns[was.status];
  const card = cards[Math.min(was.index, cards.length - 1)];
  if (card !== undefined) return card.id;
  const first = firstPlace(columns);
  return first === undefined ? undefined : columns[first.status][first.index]?.id;
}
