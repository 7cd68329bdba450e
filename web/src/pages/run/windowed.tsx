import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

interface Windowed<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** About how tall a row is, until it is measured. */
  estimate: number;
  label: string;
  /** What sticks to the top of the page and hides rows below it. */
  above: number;
  control?: RefObject<WindowedControl | null>;
  /** The row that is first in sight has changed. */
  onFirst?: (at: number) => void;
  children: (row: Row, at: number) => ReactNode;
}

export interface WindowedControl {
  show(at: number, align?: "start" | "center" | "end"): void;
}

/** So few are all drawn: the browser's own search finds what is in them. */
const ALL_DRAWN = 250;
const OVERSCAN = 14;

/** A list of any length in the page itself: only what is near the window is drawn. */
export function Windowed<Row>({ rows, keyOf, estimate, label, above, control, onFirst, children }: Windowed<Row>) {
  const list = useRef<HTMLOListElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(top - margin) > 1) setMargin(top);
  });
  const drawn = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    estimateSize: () => estimate,
    getItemKey: (at) => keyOf(rows[at] as Row),
    overscan: rows.length <= ALL_DRAWN ? ALL_DRAWN : OVERSCAN,
    scrollMargin: margin,
    scrollPaddingStart: above,
    useFlushSync: false,
  });
  useEffect(() => {
    if (control === undefined) return;
    control.current = { show: (at, align = "start") => drawn.scrollToIndex(at, { align }) };
    return () => {
      control.current = null;
    };
  }, [control, drawn]);
  const offset = (drawn.scrollOffset ?? 0) + above;
  const first = drawn.getVirtualItemForOffset(offset)?.index ?? 0;
  useEffect(() => onFirst?.(first), [first, onFirst]);
  return (
    <ol ref={list} aria-label={label} className="relative" style={{ height: drawn.getTotalSize() }}>
      {drawn.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={drawn.measureElement}
          data-index={index}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {children(rows[index] as Row, index)}
        </li>
      ))}
    </ol>
  );
}
