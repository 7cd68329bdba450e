import { type DragEvent, useEffect, useState } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";

interface Dragging {
  id: string;
  over?: TaskStatus | undefined;
}

/** Cards are dragged with the browser's own means; the board hears it for all of them. */
export function useDrag(
  cardOf: (id: string) => TaskCard | undefined,
  onDrop: (card: TaskCard, to: TaskStatus) => void,
): {
  dragged: TaskCard | undefined;
  over: TaskStatus | undefined;
  handlers: Record<"onDragStart" | "onDragOver" | "onDrop", (event: DragEvent<HTMLElement>) => void>;
} {
  const [dragging, setDragging] = useState<Dragging>();
  useEffect(() => {
    // Heard by the page: a card that was moved by somebody else while it was held cannot tell any more.
    const end = () => setDragging(undefined);
    addEventListener("dragend", end);
    addEventListener("drop", end);
    return () => {
      removeEventListener("dragend", end);
      removeEventListener("drop", end);
    };
  }, []);
  const dragged = dragging === undefined ? undefined : cardOf(dragging.id);
  return {
    dragged,
    over: dragging?.over,
    handlers: {
      onDragStart: (event) => {
        const id = within(event, "task");
        if (id === undefined) return;
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", id);
        setDragging({ id });
      },
      onDragOver: (event) => {
        if (dragging === undefined) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "move";
        const over = within(event, "column") as TaskStatus | undefined;
        if (over !== dragging.over) setDragging({ ...dragging, over });
      },
      onDrop: (event) => {
        const over = within(event, "column") as TaskStatus | undefined;
        if (dragged === undefined || over === undefined) return;
        event.preventDefault();
        onDrop(dragged, over);
      },
    },
  };
}

function within({ target }: DragEvent<HTMLElement>, name: "task" | "column"): string | undefined {
  return (target as HTMLElement).closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
}
