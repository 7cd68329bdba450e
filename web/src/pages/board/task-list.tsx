import { useNavigate, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { TASK_STATUSES } from "../../../../src/contract/documents/task-status.ts";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";
import { Empty } from "../../ui/states.tsx";
import { useRoleTexts } from "./board-data.ts";
import type { Columns } from "./filtering.ts";
import { useFocusedRange } from "./focused-range.ts";
import { type Sort, sorted, sortIn, sortText } from "./sorting.ts";
import { LIST_COLUMNS, ListHead, ListRow } from "./task-row.tsx";
import { useRoom } from "./use-room.ts";
import { type TasksProps, useTasksAtHand } from "./use-tasks-at-hand.tsx";

const ROW = { wide: 38, narrow: 70 };
const HEAD = 36;

/** All tasks of a project below each other, sorted; only the rows in sight are in the page. */
export function TaskList(props: TasksProps) {
  const box = useRef<HTMLDivElement>(null);
  const { height } = useRoom(box);
  const isNarrow = !useMedia(WIDE);
  const { sort, setSort } = useSort();
  const roleNames = useRoleTexts();
  const rows = useMemo(() => sorted(props.cards, sort, roleNames), [props.cards, sort, roleNames]);
  // For the keys, a list is a board of one column.
  const arrange = useCallback(() => ({ ...NO_COLUMNS, pending: rows }), [rows]);
  const { runs, gates, teams, roles, moving, focus, handlers, over } = useTasksAtHand({ ...props, box, arrange });
  const size = isNarrow ? ROW.narrow : ROW.wide;
  const { virtual, items } = useRows(box, { rows, focus, size });
  if (rows.length === 0) return <Empty title="No tasks match these filters." />;
  return (
    <>
      <div
        ref={box}
        className="relative min-h-96 overflow-y-auto rounded-lg border border-line bg-card"
        style={{ height }}
        {...handlers}
      >
        <table aria-label="Tasks" aria-rowcount={rows.length + 1} className="w-full table-fixed text-sm">
          <ListHead sort={sort} onSort={setSort} />
          <tbody>
            {items.map(({ index, start }, place) => {
              const card = rows[index];
              if (card === undefined) return null;
              return (
                <Fragment key={card.id}>
                  <Gap height={start - (items[place - 1]?.end ?? 0)} />
                  <ListRow
                    {...{ card, index, size, isNarrow }}
                    role={card.assignedRoleId && (roles.get(card.assignedRoleId) ?? card.assignedRoleId)}
                    run={runs.get(card.id)}
                    gate={gates.get(card.id)}
                    team={teams.get(card.id)}
                    movingTo={moving.get(card.id)}
                    isCurrent={card.id === focus.current}
                  />
                </Fragment>
              );
            })}
            <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </div>
      {over}
    </>
  );
}

/** Stands for the rows that are out of sight. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={LIST_COLUMNS} style={{ height, padding: 0 }} />
    </tr>
  );
}

const NO_COLUMNS = Object.fromEntries(TASK_STATUSES.map((status) => [status, []])) as unknown as Columns;

interface Rows {
  rows: readonly { id: string }[];
  focus: ReturnType<typeof useTasksAtHand>["focus"];
  size: number;
}

function useRows(box: React.RefObject<HTMLElement | null>, { rows, focus, size }: Rows) {
  const { current, goTo, drawn } = focus;
  const at = current === undefined ? -1 : rows.findIndex(({ id }) => id === current);
  const rangeExtractor = useFocusedRange(at);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => size,
    overscan: 12,
    // The rows begin below the head, which the virtualizer does not know of; it covers nothing above them.
    scrollPaddingEnd: HEAD,
    rangeExtractor,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the keys lead somewhere
  useLayoutEffect(() => {
    if (goTo === undefined) return;
    const index = rows.findIndex(({ id }) => id === goTo.id);
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  }, [goTo]);
  useLayoutEffect(() => drawn());
  return { virtual, items: virtual.getVirtualItems() };
}

function useSort(): { sort: Sort; setSort: (sort: Sort) => void } {
  const { sort: said } = useSearch({ strict: false });
  const navigate = useNavigate();
  const sort = useMemo(() => sortIn(said), [said]);
  const setSort = (next: Sort) =>
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, sort: sortText(next) }),
      replace: true,
    });
  return { sort, setSort };
}
