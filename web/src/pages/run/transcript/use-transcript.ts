import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { RouteResponse } from "../../../../../src/contract/routes/routes.ts";
import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { RunFigures } from "../../../../../src/contract/runs/live.ts";
import type { Delta } from "../../../../../src/contract/runs/model-call.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { call } from "../../../api/client.ts";
import { useLive, useRunDeltas } from "../../../live/use-live.ts";
import { type LiveAnswer, NOTHING_LIVE, withDelta, withoutKept } from "./live-answer.ts";

const PAGE = 1_000;
const AGAIN_MS = 400;
const DRAW_MS = 80;

const keyOf = (runId: string) => ["run", runId, "transcript"];

/** The journal of a run. A journal only grows, so that asking again asks for what is new. */
function transcript(runId: string) {
  return queryOptions({
    queryKey: keyOf(runId),
    queryFn: ({ signal, client }) => readOn({ runId, signal, client }),
    structuralSharing: false,
  });
}

async function readOn(of: { runId: string; signal: AbortSignal; client: QueryClient }): Promise<JournalEntry[]> {
  const { runId, signal, client } = of;
  let entries = client.getQueryData<JournalEntry[]>(keyOf(runId)) ?? [];
  for (;;) {
    const query = { after: entries.length, limit: PAGE };
    const { entries: more, total } = await call("getTranscript", { params: { runId }, query, signal });
    // The workspace was put back to an earlier state.
    if (total < entries.length) entries = [];
    else if (more.length === 0) return entries;
    else entries = entries.concat(more);
    if (entries.length === total) return entries;
  }
}

export function useTranscript(runId: string) {
  return useQuery(transcript(runId));
}

/** Keeps a run and its journal as they are: what an agent does now comes over the stream, with it the journal grows. */
export function useRunNews(runId: string): void {
  const client = useQueryClient();
  const again = useThrottled(() => {
    void client.invalidateQueries({ queryKey: ["run", runId], exact: true });
    void client.invalidateQueries({ queryKey: keyOf(runId) });
  }, AGAIN_MS);
  useLive((live) => {
    if (!("runId" in live) || live.runId !== runId) return;
    if (live.kind === "run" && live.activity !== undefined) {
      const { activity, figures } = live;
      client.setQueryData<RouteResponse<"getRun">>(
        ["run", runId],
        (known) => known && { run: withFigures({ ...known.run, activity }, figures) },
      );
    }
    if (live.kind === "run") again();
  });
}

/** At once, and once more at the end of a pause when it was wanted meanwhile. */
function useThrottled(act: () => void, ms: number): () => void {
  const run = useEffectEvent(act);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isWanted = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const [throttled] = useState(() => {
    const pause = () => {
      timer.current = isWanted.current ? setTimeout(pause, ms) : undefined;
      if (isWanted.current) run();
      isWanted.current = false;
    };
    return () => {
      isWanted.current = true;
      if (timer.current === undefined) pause();
    };
  });
  return throttled;
}

const LONGEST_HEARD = 200_000;

/** What the agent says and is not in the journal yet, drawn a few times a second. */
export function useLiveAnswer(
  { id, status }: Pick<Run, "id" | "status">,
  entries: readonly JournalEntry[],
): LiveAnswer {
  const [heard, setHeard] = useState({ live: NOTHING_LIVE, since: Number.POSITIVE_INFINITY });
  const pending = useRef<Delta[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useEffectEvent(() => {
    timer.current = undefined;
    const deltas = pending.current;
    pending.current = [];
    setHeard((before) => deltas.reduce((so, delta) => heardWith(so, delta, entries), before));
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useRunDeltas(id, status === "running", (delta) => {
    pending.current.push(delta);
    timer.current ??= setTimeout(() => flush(), DRAW_MS);
  });
  return useMemo(() => withoutKept(heard.live, entries.slice(heard.since)), [heard, entries]);
}

interface Heard {
  live: LiveAnswer;
  /** How many entries the journal had when listening began. */
  since: number;
}

function heardWith({ live, since }: Heard, delta: Delta, entries: readonly JournalEntry[]): Heard {
  const isAnew = delta.kind === "restart" || live.text.length > LONGEST_HEARD || since > entries.length;
  if (!isAnew) return { live: withDelta(live, delta), since };
  const left = withoutKept(live, entries.slice(since));
  return { live: withDelta(left, delta), since: entries.length };
}

/** Its tokens come with the run, when it is asked for again. */
function withFigures(run: Run, figures: RunFigures | undefined): Run {
  if (figures === undefined) return run;
  const { turns, costUsd, costKnown, ...more } = figures;
  return { ...run, ...more, usage: { ...run.usage, turns, costUsd, costKnown } };
}
