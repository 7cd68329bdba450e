import type { SandboxProbe } from "../agent/sandbox/probe.ts";
import type { RouteBody, RouteQuery } from "../contract/routes/routes.ts";
import type { TalkSum } from "../contract/runs/ledger.ts";
import type { Run, RunAsker, SpawnRequest } from "../contract/runs/run.ts";
import type { Models } from "../models/open-models.ts";
import type { Change } from "../workspace/change.ts";
import { decodeTextCursor, encodeCursor } from "../workspace/cursor.ts";
import type { BudgetDesk } from "./admin/open-budget.ts";
import type { Spawning } from "./plan/spawning.ts";
import { costsOf } from "./record/costs.ts";
import type { LiveRuns } from "./record/live-runs.ts";
import type { Approval } from "./results/delivery-place.ts";
import type { Review } from "./results/review.ts";
import type { Rollbacks } from "./results/rollbacks.ts";
import type { Runs } from "./runs.ts";

interface Parts {
  runs: Runs;
  spawning: Spawning;
  live: LiveRuns;
  models: Models;
  budget: BudgetDesk;
  sandbox: SandboxProbe;
  rollbacks: Rollbacks;
  review: Review;
  talks: () => TalkSum[];
}

/** What the floors above see of runs. */
export function runDesk({ runs, spawning, live, models, budget, sandbox, rollbacks, review, talks }: Parts) {
  // Nobody waits for a sandbox who runs no commands.
  const settle = (wantsCommands: boolean) =>
    Promise.all([models.settle(), ...(wantsCommands ? [sandbox.settle()] : [])]);
  return {
    spawns: {
      start: async (request: SpawnRequest, change: Change, how: { asker?: RunAsker } = {}) => {
        await settle(spawning.wantsCommands(request));
        return runs.spawn(request, change, how);
      },
      answer: (id: string, how: { wait: boolean }) => runs.spawned(id, how),
      preview: async (request: SpawnRequest) => {
        await settle(spawning.wantsCommands(request));
        return spawning.preview(request);
      },
    },
    review: {
      diff: (id: string) => review.diff(id),
      approve: (id: string, approval: Approval, change: Change) => review.approve(id, approval, change),
      reject: async (id: string, asked: RouteBody<"requestChanges">, change: Change) => {
        await models.settle();
        return review.reject(id, asked, change);
      },
      revert: (id: string, change: Change) => review.revert(id, change),
      discard: (id: string, task: "pending" | "cancelled", change: Change) => review.discard(id, { task }, change),
      restore: (id: string, change: Change) => review.restore(id, change),
    },
    checkpoints: rollbacks,
    money: {
      costs: (query: RouteQuery<"getCosts">) => {
        const { by, project: projectId } = query;
        const since = query.since === undefined ? "" : new Date(query.since).toISOString();
        const settled = runs.settledUse({ by, projectId, since });
        return costsOf({ settled, unsettled: runs.unsettledUsed(projectId), talks: talks() }, { ...query, since });
      },
      budget: budget.report,
      updateBudget: budget.update,
      updateTeamBudget: budget.updateTeam,
      setPrice: budget.setPrice,
    },
    get: (id: string) => runs.get(id),
    getUsed: (id: string) => runs.getUsed(id),
    list: (query: RouteQuery<"listRuns">) => listRuns(runs, query),
    journal: (id: string) => runs.journal(id),
    cancel: async (id: string, { actor, request }: Change) => {
      const run = runs.get(id);
      // Asked again under its key, a cancellation is answered as it was, also by a later daemon.
      return request !== undefined && run.status === "cancelled" ? run : runs.cancel(id, undefined, actor);
    },
    retry: async (id: string, change: Change) => {
      await settle(true);
      return runs.retry(id, change);
    },
    message: (id: string, text: string, change: Change) => runs.message(id, text, change),
    subscribe: live.subscribe.bind(live),
  };
}

function listRuns(runs: Runs, query: RouteQuery<"listRuns">): { runs: Run[]; nextCursor?: string } {
  const found = runs.list({
    projectId: query.project,
    status: query.status,
    taskId: query.task,
    roleId: query.role,
    review: query.review,
    limit: query.limit + 1,
    before: decodeTextCursor(query.cursor),
  });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return found.length > query.limit && last !== undefined
    ? { runs: page, nextCursor: encodeCursor([last.id]) }
    : { runs: page };
}
