import type { RouteQuery } from "../contract/routes.ts";
import type { Run, SpawnRequest } from "../contract/run.ts";
import type { Models } from "../models/open-models.ts";
import { decodeTextCursor, encodeCursor } from "../workspace/cursor.ts";
import type { Change } from "../workspace/hall.ts";
import { costsOf } from "./costs.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { Runs } from "./runs.ts";
import type { Spawning } from "./spawning.ts";
import type { Stopped } from "./stopping.ts";

const MOST_RUNS = 100_000;

interface Parts {
  runs: Runs;
  spawning: Spawning;
  live: LiveRuns;
  models: Models;
  stopAll: (projectId: string | undefined, change: Change) => Promise<Stopped>;
}

/** What the floors above see of runs and models. */
export function runDesk({ runs, spawning, live, models, stopAll }: Parts) {
  return {
    spawn: async (request: SpawnRequest, change: Change) => {
      await models.settle();
      return runs.spawn(request, change);
    },
    spawned: (id: string, how: { wait: boolean }) => runs.spawned(id, how),
    preview: async (request: SpawnRequest) => {
      await models.settle();
      return spawning.preview(request);
    },
    get: (id: string) => runs.get(id),
    getUsed: (id: string) => runs.getUsed(id),
    list: (query: RouteQuery<"listRuns">) => listRuns(runs, query),
    journal: (id: string) => runs.journal(id),
    cancel: (id: string) => runs.cancel(id),
    stop: stopAll,
    retry: async (id: string, change: Change) => {
      await models.settle();
      return runs.retry(id, change);
    },
    message: (id: string, text: string, change: Change) => runs.message(id, text, change),
    subscribe: live.subscribe.bind(live),
    costs: (query: RouteQuery<"getCosts">) =>
      costsOf(runs.listUsed({ projectId: query.project, limit: MOST_RUNS }), query),
    models: models.report,
    testModel: models.test,
  };
}

function listRuns(runs: Runs, query: RouteQuery<"listRuns">): { runs: Run[]; nextCursor?: string } {
  const found = runs.list({
    projectId: query.project,
    status: query.status,
    taskId: query.task,
    limit: query.limit + 1,
    before: decodeTextCursor(query.cursor),
  });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return found.length > query.limit && last !== undefined
    ? { runs: page, nextCursor: encodeCursor([last.id]) }
    : { runs: page };
}
