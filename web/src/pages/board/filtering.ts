import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import { TASK_PRIORITIES, TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { oneOf, type Said } from "../../api/address.ts";

export interface Filters {
  q?: string | undefined;
  status?: TaskStatus | undefined;
  priority?: string | undefined;
  type?: string | undefined;
  role?: string | undefined;
  label?: string | undefined;
  ready?: boolean | undefined;
}

export const FILTER_NAMES = ["q", "status", "priority", "type", "role", "label", "ready"] as const;
/** Stands for tasks without a role. */
export const NOBODY = "-";

export function filtersIn({ q, status, priority, type, role, label, ready }: Said): Filters {
  return {
    ...{ q, type, role, label, status: oneOf(TASK_STATUSES, status), priority: oneOf(TASK_PRIORITIES, priority) },
    ready: ready === "true" || undefined,
  };
}

export function isFiltered(filters: Filters): boolean {
  return FILTER_NAMES.some((name) => filters[name] !== undefined);
}

export function matching(cards: readonly TaskCard[], filters: Filters): readonly TaskCard[] {
  if (!isFiltered(filters)) return cards;
  const words = (filters.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return cards.filter((card) => {
    if (filters.status !== undefined && card.status !== filters.status) return false;
    if (filters.priority !== undefined && card.priority !== filters.priority) return false;
    if (filters.type !== undefined && card.type !== filters.type) return false;
    if (filters.role !== undefined && (card.assignedRoleId ?? NOBODY) !== filters.role) return false;
    if (filters.label !== undefined && !card.labels.includes(filters.label)) return false;
    if (filters.ready === true && !card.ready) return false;
    if (words.length === 0) return true;
    const text = `${card.id} ${card.title} ${card.labels.join(" ")} ${card.plan ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export type Columns = Record<TaskStatus, readonly TaskCard[]>;

const RANK = new Map<string, number>(TASK_PRIORITIES.map((priority, at) => [priority, at]));

/** By status; in each column the most urgent first, and of those the ones touched last. `moving`: where cards are on their way to. */
export function columnsOf(cards: readonly TaskCard[], moving: ReadonlyMap<string, TaskStatus> = new Map()): Columns {
  const columns = Object.fromEntries(TASK_STATUSES.map((status) => [status, []])) as unknown as Record<
    TaskStatus,
    TaskCard[]
  >;
  for (const card of cards) columns[moving.get(card.id) ?? card.status].push(card);
  for (const column of Object.values(columns)) column.sort(byUrgency);
  return columns;
}

export function byUrgency(a: TaskCard, b: TaskCard): number {
  const urgency = (RANK.get(b.priority) ?? 0) - (RANK.get(a.priority) ?? 0);
  if (urgency !== 0) return urgency;
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

export interface Facets {
  status: Map<string, number>;
  priority: Map<string, number>;
  type: Map<string, number>;
  role: Map<string, number>;
  label: Map<string, number>;
  ready: number;
}

/** How many tasks each choice of a filter would leave. */
export function facetsOf(cards: readonly TaskCard[]): Facets {
  const facets: Facets = {
    status: new Map(),
    priority: new Map(),
    type: new Map(),
    role: new Map(),
    label: new Map(),
    ready: 0,
  };
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const card of cards) {
    count(facets.status, card.status);
    count(facets.priority, card.priority);
    count(facets.type, card.type);
    count(facets.role, card.assignedRoleId ?? NOBODY);
    for (const label of card.labels) count(facets.label, label);
    if (card.ready) facets.ready += 1;
  }
  return facets;
}
