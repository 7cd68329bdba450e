import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Now } from "../../../src/contract/now.ts";
import type { Live } from "../../../src/contract/runs/live.ts";
import { connection } from "./connection.ts";
import { LiveCards } from "./live-cards.ts";
import { staleAfter } from "./stale-after.ts";
import { Staleness } from "./staleness.ts";

/** What the day and a team have cost grows with each step that runs take, and no event tells of it. */
const FIGURES_MS = 1_500;

/** Keeps what is shown true: makes stale what events touch, and writes what runs do straight into the lists that show them. */
export function keepFresh(client: QueryClient): void {
  const cards = new LiveCards(client);
  const stale = new Staleness({
    refetch: (queryKey) => client.invalidateQueries({ queryKey }),
    isHidden: () => document.visibilityState === "hidden",
    now: () => performance.now(),
    after: (ms, task) => void setTimeout(task, ms),
  });
  const mark = (keys: QueryKey[]) => stale.mark(keys);
  let areFiguresDue = false;
  const markFigures = () => {
    if (areFiguresDue) return;
    areFiguresDue = true;
    setTimeout(() => {
      areFiguresDue = false;
      mark([["now"], ["budget"], ["teams"]]);
    }, FIGURES_MS);
  };
  connection.listen((live: Live) => {
    if (live.kind === "hello" && live.reset) void client.invalidateQueries();
    if (live.kind === "event") {
      mark(staleAfter(live.event));
      cards.hear(live.event);
    }
    if (live.kind === "run") {
      client.setQueryData<Now>(["now"], (now) => now && withRun(now, live));
      markFigures();
      if (live.run !== undefined) mark([["run", live.runId], ["runs"]]);
    }
  });
  let wasAway = false;
  connection.watch(() => {
    if (connection.state === "away") wasAway = true;
    // Deltas, activities and messages are not replayed.
    if (connection.state === "live" && wasAway) {
      wasAway = false;
      void client.invalidateQueries();
    }
  });
}

function withRun(now: Now, { runId, run, activity, figures }: Extract<Live, { kind: "run" }>): Now {
  if (!now.working.some(({ id }) => id === runId)) return now;
  const working = now.working.map((line) =>
    line.id === runId ? { ...line, ...run, ...figures, ...(activity === undefined ? {} : { activity }) } : line,
  );
  return { ...now, working };
}
