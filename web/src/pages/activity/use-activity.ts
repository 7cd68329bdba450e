import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { call } from "../../api/client.ts";
import { useLive } from "../../live/use-live.ts";
import { type EventFilter, fitsFilter, newestFirst, typesOf } from "./event-rows.ts";

const PAGE = 100;
/** This near to the top counts as being there. */
const NEAR_PX = 120;

/**
 * The log with a filter, newest first, and more of it on demand. What happens meanwhile comes in at the top while one is
 * there; further down it waits, so that nothing moves under the reader's eyes.
 */
export function useActivity(filter: EventFilter) {
  const [heard, setHeard] = useState<readonly HallEvent[]>([]);
  useLive((live) => {
    if (live.kind === "event" && fitsFilter(live.event, filter)) setHeard((before) => [...before, live.event]);
  });
  const query = useInfiniteQuery({
    // Not under the name that every event makes stale: they come in by themselves.
    queryKey: ["activity", filter],
    queryFn: ({ pageParam: before, signal }) => {
      const { about, ...rest } = filter;
      return call("listEvents", { query: { ...rest, before, limit: PAGE, type: typesOf(about)?.join(",") }, signal });
    },
    initialPageParam: Number.MAX_SAFE_INTEGER,
    getNextPageParam: ({ earlier }) => earlier,
    gcTime: 0,
  });
  const all = newestFirst(
    ...(query.data?.pages ?? []).map(({ events }) => events),
    query.data === undefined ? [] : heard,
  );
  const readFrom = useReadFrom(all[0]?.seq);
  const shown = readFrom === undefined ? all : all.filter(({ seq }) => seq <= readFrom);
  return { query, shown, waiting: all.length - shown.length };
}

/** The newest event that is shown while one reads further down; undefined at the top. */
function useReadFrom(newest: number | undefined): number | undefined {
  const [readFrom, setReadFrom] = useState<number>();
  useEffect(() => {
    const look = () => setReadFrom((before) => (window.scrollY < NEAR_PX ? undefined : (before ?? newest)));
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, [newest]);
  return readFrom;
}
