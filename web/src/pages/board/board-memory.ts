import { useState } from "react";
import { TASK_STATUSES } from "../../../../src/contract/documents/task-status.ts";
import { oneOf } from "../../api/address.ts";
import type { ChosenColumns } from "./column-layout.ts";

export const BOARD_VIEWS = ["board", "list"] as const;
export type BoardView = (typeof BOARD_VIEWS)[number];

interface Remembered {
  view: BoardView;
  columns: ChosenColumns;
}

const nameOf = (projectId: string) => `guildhall.board.${projectId}`;

/** How the person looks at the tasks of a project, in this browser. */
export function useBoardMemory(projectId: string) {
  const [kept, setKept] = useState(() => ({ projectId, ...remembered(projectId) }));
  const current = kept.projectId === projectId ? kept : { projectId, ...remembered(projectId) };
  const keep = (change: Partial<Remembered>) => {
    const next = { ...current, ...change };
    setKept(next);
    write(projectId, { view: next.view, columns: next.columns });
  };
  return { ...current, keep };
}

function remembered(projectId: string): Remembered {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(projectId)) ?? "{}");
    const { view, columns } = (kept ?? {}) as { view?: string; columns?: Record<string, unknown> };
    const chosen = TASK_STATUSES.flatMap((status) => {
      const isOpen = columns?.[status];
      return typeof isOpen === "boolean" ? [[status, isOpen] as const] : [];
    });
    return { view: oneOf(BOARD_VIEWS, view) ?? "board", columns: Object.fromEntries(chosen) };
  } catch {
    return { view: "board", columns: {} };
  }
}

/** A full storage must not keep anybody from looking. */
function write(projectId: string, kept: Remembered): void {
  try {
    localStorage.setItem(nameOf(projectId), JSON.stringify(kept));
  } catch {}
}
