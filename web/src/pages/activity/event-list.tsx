import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { dayText } from "../../ui/figures.tsx";
import { EventRow } from "./event-row.tsx";
import { withDays } from "./event-rows.ts";

const ROW_PX = 41;
/** The next page is asked for when so few rows are left below. */
const AHEAD = 15;

/** Only what is in sight is drawn, however long the log is. */
export function EventList({
  events,
  hasOlder,
  isLoading,
  onOlder,
}: {
  events: readonly HallEvent[];
  hasOlder: boolean;
  isLoading: boolean;
  onOlder: () => void;
}) {
  const rows = withDays(events, (at) => dayText(at, new Date()));
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 12,
    scrollMargin: top,
  });
  const items = virtual.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  const older = useEffectEvent(onOlder);
  useEffect(() => {
    if (isNearEnd && hasOlder && !isLoading) older();
  }, [isNearEnd, hasOlder, isLoading]);
  return (
    <div ref={list}>
      <ol aria-label="Events" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {"day" in row ? (
                <h2 className="pt-4 pb-1.5 text-sm font-semibold">{row.day}</h2>
              ) : (
                <EventRow event={row.event} />
              )}
            </li>
          );
        })}
      </ol>
      <p role="status" className="py-4 text-center text-xs text-faint">
        {isLoading ? "Loading…" : hasOlder ? "" : "Beginning of log"}
      </p>
    </div>
  );
}
