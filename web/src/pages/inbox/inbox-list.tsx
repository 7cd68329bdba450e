import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { useFocusedRange } from "../board/focused-range.ts";
import { InboxRow, ROW_HEIGHT } from "./inbox-row.tsx";

interface ListProps {
  entries: readonly Escalation[];
  selected: string | undefined;
  /** Scrolled to and focused, once it is there. */
  goTo: { id: string } | undefined;
  box: RefObject<HTMLDivElement | null>;
  height: string;
  onOpen: (id: string) => void;
}

/** The entries below each other; only those in sight are in the page. */
export function InboxList({ entries, selected, goTo, box, height, onOpen }: ListProps) {
  const at = entries.findIndex(({ id }) => id === selected);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 10,
    rangeExtractor: useFocusedRange(at),
    useFlushSync: false,
  });
  const isThere = goTo !== undefined && goTo.id === selected && at >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the keys lead somewhere
  useLayoutEffect(() => {
    if (!isThere) return;
    virtual.scrollToIndex(at, { align: "auto" });
    rowOf(box.current, goTo.id)?.focus({ preventScroll: true });
  }, [isThere, goTo]);
  return (
    <div
      ref={box}
      className="relative min-h-64 overflow-y-auto overscroll-contain rounded-lg border border-line bg-card"
      style={{ height }}
    >
      <ul aria-label="Entries" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const escalation = entries[index];
          if (escalation === undefined) return null;
          const isCurrent = escalation.id === selected;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: Enter clicks the link in it
            <li
              key={key}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                onOpen(escalation.id);
              }}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
            >
              <InboxRow {...{ escalation, isCurrent }} tabIndex={isCurrent || (at < 0 && index === 0) ? 0 : -1} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function rowOf(box: HTMLElement | null, id: string): HTMLElement | undefined {
  return box?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`) ?? undefined;
}
