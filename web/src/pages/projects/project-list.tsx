import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { Ago, Money, plural } from "../../ui/figures.tsx";
import { ProjectBadge } from "../../ui/run/status.tsx";
import type { ProjectRow } from "./project-rows.ts";
import { TaskBar } from "./task-bar.tsx";

const COLUMNS = "md:grid-cols-[minmax(0,1fr)_15rem_5rem_8rem_6rem]";

/** Only what can be seen is drawn, so that a thousand are no more work than ten. */
export function ProjectList({ rows }: { rows: readonly ProjectRow[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const drawn = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 68,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  return (
    <div className="rounded-lg border border-line bg-card">
      <div
        aria-hidden
        className={`hidden gap-x-4 border-b border-line px-4 py-2 text-xs font-medium text-faint md:grid ${COLUMNS}`}
      >
        <span>Project</span>
        <span>Tasks</span>
        <span>Team</span>
        <span className="text-right">Today · total</span>
        <span className="text-right">Activity</span>
      </div>
      <ul ref={list} aria-label="Projects" className="relative" style={{ height: drawn.getTotalSize() }}>
        {drawn.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <li
              key={key}
              ref={drawn.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - drawn.options.scrollMargin}px)` }}
            >
              <Row row={row} isLast={index === rows.length - 1} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Row({ row, isLast }: { row: ProjectRow; isLast: boolean }) {
  return (
    <div
      className={`relative grid gap-x-4 gap-y-2 border-line px-4 py-3 hover:bg-sunk md:items-center ${isLast ? "rounded-b-lg" : "border-b"} ${COLUMNS}`}
    >
      <div className="min-w-0">
        <div className="flex items-center gap-2">
          <Link
            to="/projects/$id"
            params={{ id: row.id }}
            data-row
            className="min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            <bdi>{row.name}</bdi>
          </Link>
          {row.status !== "active" && (
            <span className="shrink-0">
              <ProjectBadge status={row.status} />
            </span>
          )}
          <AtWork count={row.atWork} />
        </div>
        <p className="truncate text-sm text-faint">
          <bdi>{row.problem ?? (row.description || "No description")}</bdi>
        </p>
      </div>
      <TaskBar counts={row.taskCount} />
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-faint md:contents">
        <span>{row.teamSize === 0 ? "No team" : plural(row.teamSize, "role")}</span>
        <Costs row={row} />
        <span className="md:text-right">
          <span className="sr-only">Last activity </span>
          {row.atWork > 0 ? "now" : <Ago at={row.activeAt} />}
        </span>
      </p>
    </div>
  );
}

function Costs({ row: { today, overall, costKnown } }: { row: ProjectRow }) {
  return (
    <span className="tabular-nums md:text-right">
      <span className="sr-only">Cost today </span>
      {today > 0 ? <Money usd={today} known={costKnown} /> : "–"} ·<span className="sr-only"> total</span>{" "}
      <Money usd={overall} known={costKnown} />
    </span>
  );
}

function AtWork({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-xs font-medium text-info">
      <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-info" />
      {count} running
    </span>
  );
}
