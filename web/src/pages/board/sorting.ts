import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import { TASK_PRIORITIES, TASK_STATUSES } from "../../../../src/contract/documents/task-status.ts";
import { byUrgency } from "./filtering.ts";

export const SORT_FIELDS = ["id", "title", "status", "priority", "role", "type", "updated"] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export interface Sort {
  field: SortField;
  isDescending: boolean;
}

const USUAL: Sort = { field: "status", isDescending: false };
/** What a click on the head of a column means first: the newest, the most urgent. */
const DESCENDING_FIRST: ReadonlySet<SortField> = new Set(["updated", "priority"]);

/** As the address has it: `priority`, or `-priority` for the other way round. */
export function sortIn(said: string | undefined): Sort {
  const field = SORT_FIELDS.find((name) => name === said?.replace(/^-/, ""));
  return field === undefined ? USUAL : { field, isDescending: said?.startsWith("-") === true };
}

export function sortText({ field, isDescending }: Sort): string {
  return `${isDescending ? "-" : ""}${field}`;
}

export function nextSort(now: Sort, field: SortField): Sort {
  if (now.field === field) return { field, isDescending: !now.isDescending };
  return { field, isDescending: DESCENDING_FIRST.has(field) };
}

const places = (words: readonly string[]) => new Map(words.map((word, at) => [word, at]));
const STATUS = places(TASK_STATUSES);
const PRIORITY = places(TASK_PRIORITIES);
const words = new Intl.Collator(undefined, { numeric: true });

/** Tasks that are alike are in the order of the board: the most urgent first, and of those the ones touched last. */
export function sorted(
  cards: readonly TaskCard[],
  { field, isDescending }: Sort,
  roles: ReadonlyMap<string, string>,
): TaskCard[] {
  const roleOf = ({ assignedRoleId: id }: TaskCard) => (id === undefined ? "" : (roles.get(id) ?? id));
  const compare: Record<SortField, (a: TaskCard, b: TaskCard) => number> = {
    id: (a, b) => words.compare(a.id, b.id),
    title: (a, b) => words.compare(a.title, b.title),
    status: (a, b) => (STATUS.get(a.status) ?? 0) - (STATUS.get(b.status) ?? 0),
    priority: (a, b) => (PRIORITY.get(a.priority) ?? 0) - (PRIORITY.get(b.priority) ?? 0),
    role: (a, b) => words.compare(roleOf(a), roleOf(b)),
    type: (a, b) => words.compare(a.type, b.type),
    updated: (a, b) => (a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : 0),
  };
  const by = compare[field];
  return cards.toSorted((a, b) => (isDescending ? by(b, a) : by(a, b)) || byUrgency(a, b));
}
