import type { Briefing } from "../../contract/documents/autonomy/briefing.ts";
import type { ShownGrant } from "../../contract/routes/people/grant-routes.ts";
import type { Run } from "../../contract/runs/run.ts";
import { given } from "./facts.ts";

/** A time at which a trigger should have fired and did not. */
export interface SkippedSlot {
  trigger: string;
  projectId?: string | undefined;
  at: string;
  reason: string;
}

/** More than these of each are counted and not listed. */
const MOST_ITEMS = 50;

export interface OpenThings {
  grants: readonly ShownGrant[];
  running: readonly Run[];
  /** Results on branches that were not merged. */
  unmerged: readonly Run[];
  skipped: readonly SkippedSlot[];
}

/** What stays open until somebody ends it. */
export function stillTrueOf({ grants, running, unmerged, skipped }: OpenThings): Briefing["stillTrue"] {
  const branches = unmerged.flatMap(({ id, projectId, title, delivery }) =>
    delivery?.kind === "branch"
      ? [{ id, projectId, link: `/runs/${id}?view=changes`, title, branch: delivery.name, state: delivery.state }]
      : [],
  );
  return {
    grants: first(
      grants.map(({ id, projectId, text, scope, expiresAt }) => {
        return { id, projectId, link: "/settings/permissions", text, scope, ...given({ expiresAt }) };
      }),
    ),
    running: first(
      running.map(({ id, projectId, title, startedAt, createdAt, waitingFor }) => {
        return { id, projectId, link: `/runs/${id}`, title, since: startedAt ?? createdAt, ...given({ waitingFor }) };
      }),
    ),
    branches: first(branches),
    skipped: first(
      skipped.map(({ trigger, projectId, at, reason }) => {
        const link = "/settings/triggers";
        return { id: trigger, ...given({ projectId }), link, text: `${trigger}: ${reason}`, at };
      }),
    ),
  };
}

function first<Item>(items: Item[]): { count: number; items: Item[] } {
  return { count: items.length, items: items.slice(0, MOST_ITEMS) };
}
