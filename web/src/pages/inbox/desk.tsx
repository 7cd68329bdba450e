import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { useKeys } from "../../shell/keys.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useMedia } from "../../ui/hooks/use-media.ts";
import { useRoom } from "../board/use-room.ts";
import { Detail } from "./detail.tsx";
import { InboxList } from "./inbox-list.tsx";
import { undoLast } from "./undo.ts";
import { useInboxActs } from "./use-inbox-acts.ts";

interface DeskProps {
  entries: readonly Escalation[];
  /** The entries are those of the filter, not those of the one before. */
  isSettled: boolean;
  /** Shown in place of an empty list. */
  empty: ReactNode;
}

/** From here on the list and one entry fit side by side; Tailwind's `lg`. */
const SIDE_BY_SIDE = "(min-width: 64rem)";

/** The list beside one entry; on narrow screens the entry is over the list. */
export function Desk({ entries, isSettled, empty }: DeskProps) {
  const isWide = useMedia(SIDE_BY_SIDE);
  const box = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const { height } = useRoom(pane);
  const { selected, goTo, select, selectNext, move } = useSelection(entries, { isWide, isSettled });
  const [late, setLate] = useState<string>();
  const acts = useInboxActs({
    onGone: selectNext,
    onBack: (id) => select(id, "focus"),
    onLate: setLate,
  });
  const going = (by: 1 | -1) => () => move(by);
  useKeys({
    j: going(1),
    k: going(-1),
    ArrowDown: going(1),
    ArrowUp: going(-1),
    u: () => (undoLast() ? undefined : false),
  });
  const detail = selected !== undefined && (
    <Detail
      key={selected}
      id={selected}
      known={entries.find(({ id }) => id === selected)}
      acts={acts}
      isLate={late === selected}
      onLeave={() => select(selected, "focus")}
    />
  );
  if (entries.length === 0 && selected === undefined) return empty;
  return (
    <div ref={pane} className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)]">
      {entries.length === 0 ? (
        <div>{empty}</div>
      ) : (
        <InboxList {...{ entries, selected, goTo, box, height }} onOpen={(id) => select(id, "open")} />
      )}
      {isWide && (
        <div className="min-h-64 overflow-y-auto rounded-lg border border-line bg-card px-4 py-3" style={{ height }}>
          {detail}
        </div>
      )}
      {!isWide && selected !== undefined && (
        <Dialog title={placeText(entries, selected)} look="drawer" onClose={() => select(undefined, "open")}>
          {detail}
        </Dialog>
      )}
    </div>
  );
}

/** Which entry is shown. It is in the address; on wide screens the first one unless another is named. */
function useSelection(entries: readonly Escalation[], { isWide, isSettled }: { isWide: boolean; isSettled: boolean }) {
  const { id: said } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [goTo, setGoTo] = useState<{ id: string }>();
  const first = isWide && isSettled ? entries[0]?.id : undefined;
  const selected = said ?? first;
  const at = entries.findIndex(({ id }) => id === selected);
  /** Where the selected entry was last: the keys go on from there when it has left the list. */
  const was = useRef(0);
  useEffect(() => {
    if (at >= 0) was.current = at;
  }, [at]);
  const select = (id: string | undefined, how: "open" | "focus") => {
    if (id !== undefined) setGoTo({ id });
    void navigate({
      to: "/inbox",
      search: (before: Record<string, unknown>) => ({ ...before, id }),
      replace: isWide || how === "focus",
    });
  };
  // Named in the address as soon as it is shown: a more urgent entry must not take the place of one that is being answered.
  const name = useEffectEvent(
    (id: string) =>
      void navigate({ to: "/inbox", search: (before: Record<string, unknown>) => ({ ...before, id }), replace: true }),
  );
  useEffect(() => {
    if (said === undefined && first !== undefined) name(first);
  }, [said, first]);
  return {
    selected,
    goTo,
    select,
    /** After an entry has left: the one that takes its place, unless the person has moved on by themselves. */
    selectNext: (gone: string) => {
      if (gone !== selected) return;
      select((entries[at + 1] ?? entries[at - 1])?.id, "focus");
    },
    move: (by: 1 | -1) => {
      if (entries.length === 0) return false;
      const from = at >= 0 ? at : was.current - (by === 1 ? 1 : 0);
      const to = Math.min(entries.length - 1, Math.max(0, from + by));
      select(entries[to]?.id, "focus");
    },
  };
}

function placeText(entries: readonly Escalation[], selected: string): string {
  const at = entries.findIndex(({ id }) => id === selected);
  return at < 0 ? "Inbox" : `Inbox: ${at + 1} of ${entries.length}`;
}
