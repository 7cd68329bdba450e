import { createContext, type RefObject, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useKeys } from "../../../shell/keys.ts";
import type { WindowedControl } from "../windowed.tsx";
import { type DiffRow, type Step, spotAfter, spotsOf } from "./diff-rows.ts";

/** The line a remark is about. */
export interface Place {
  path: string;
  line: number;
  isRemoved: boolean;
}

export type OnRemark = (place: Place) => void;

/** What a line needs to be remarked on; undefined when nothing is to be decided. */
interface Remarks {
  /** The one line that the Tab key leads to. */
  current: string | undefined;
  /** The line that takes the focus once it is drawn. */
  wanted: RefObject<string | undefined>;
  onFocus: (key: string) => void;
  onRemark: OnRemark;
}

export const RemarksOn = createContext<Remarks | undefined>(undefined);

export function useSpot(key: string) {
  const remarks = useContext(RemarksOn);
  const button = useRef<HTMLButtonElement>(null);
  const isCurrent = remarks?.current === key;
  useEffect(() => {
    if (!isCurrent || remarks?.wanted.current !== key) return;
    remarks.wanted.current = undefined;
    focusOn(button.current);
  }, [isCurrent, remarks, key]);
  return { remarks, button, isCurrent };
}

interface Lines {
  rows: readonly DiffRow[];
  control: RefObject<WindowedControl | null>;
  /** The row that is first in sight. */
  first: RefObject<number>;
  onRemark: OnRemark | undefined;
}

/** The focus goes from line to line with arrows, and from change to change with `n` and `p`. */
export function useLineFocus({ rows, control, first, onRemark }: Lines): Remarks | undefined {
  const spots = useMemo(() => (onRemark === undefined ? [] : spotsOf(rows)), [rows, onRemark]);
  const [chosen, setChosen] = useState<string>();
  const wanted = useRef<string>(undefined);
  const current = spots.some(({ key }) => key === chosen) ? chosen : spots[0]?.key;
  const step = (how: Step) => {
    const to = spotAfter(spots, standpoint(how.by), how);
    if (to === undefined) return;
    const drawn = document.querySelector<HTMLElement>(`[data-spot="${to.key}"]`);
    if (drawn !== null) return focusOn(drawn);
    wanted.current = to.key;
    setChosen(to.key);
    control.current?.show(to.at, "center");
  };
  /** The place of the focus among the spots; between two of them when it is on the head of a file or nowhere. */
  const standpoint = (by: 1 | -1): number => {
    const { spot, file } = focused();
    const at = spots.findIndex(({ key }) => key === spot);
    if (at >= 0) return at;
    const next = spots.findIndex((each) => (file === undefined ? each.at >= first.current : each.file >= file));
    return (next < 0 ? spots.length : next) - (by > 0 ? 1 : 0);
  };
  const fromLine = (how: Step) => () => {
    const { spot, file } = focused();
    return spot === undefined && file === undefined ? false : step(how);
  };
  const anywhere = (how: Step) => () => (spots.length === 0 ? false : step(how));
  useKeys({
    ArrowDown: fromLine({ by: 1, isStart: false }),
    ArrowUp: fromLine({ by: -1, isStart: false }),
    n: anywhere({ by: 1, isStart: true }),
    p: anywhere({ by: -1, isStart: true }),
  });
  const onFocus = useCallback((key: string) => setChosen(key), []);
  return useMemo(
    () => (onRemark === undefined ? undefined : { current, wanted, onFocus, onRemark }),
    [current, onFocus, onRemark],
  );
}

function focusOn(button: HTMLElement | null): void {
  button?.focus({ preventScroll: true });
  button?.scrollIntoView({ block: "nearest" });
}

function focused(): { spot: string | undefined; file: number | undefined } {
  const { spot, file } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
  return { spot, file: file === undefined ? undefined : Number(file) };
}
