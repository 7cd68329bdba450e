import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/task-status.ts";
import { countText } from "../../ui/figures.tsx";
import { taskWords } from "../../ui/run/status.tsx";
import type { Columns } from "./filtering.ts";

/** On a phone there is room for one column. */
export function StatusTabs({
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
