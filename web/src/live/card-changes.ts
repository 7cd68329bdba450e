import type { TaskCard } from "../../../src/contract/documents/card.ts";
import type { Criterion, Task } from "../../../src/contract/documents/task.ts";
import type { TaskStatus } from "../../../src/contract/documents/task-status.ts";
import type { HallEvent } from "../../../src/contract/event.ts";

export interface Changed {
  cards: TaskCard[];
  /** Cards that an event does not tell enough about: they have to be asked for one by one. */
  unknown: string[];
  /** What waits for what is no longer certain: the whole board has to be asked for, soon. */
  isDoubtful: boolean;
}

const PLAIN = [
  "title",
  "type",
  "priority",
  "status",
  "assignedRoleId",
  "labels",
  "plan",
  "outcome",
  "escalations",
  "updatedAt",
] as const;
const FINISHED: ReadonlySet<TaskStatus> = new Set(["done", "cancelled"]);

/** The board after events on its tasks, without asking for ten thousand cards again. Cards that do not change stay the same. */
export function withEvents(cards: readonly TaskCard[], events: readonly HallEvent[]): Changed {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const unknown = new Set<string>();
  let isDoubtful = false;
  for (const event of events) {
    const { id } = event.subject;
    const card = byId.get(id);
    if (event.type === "task.removed") {
      isDoubtful ||= byId.delete(id);
      continue;
    }
    const next = card === undefined ? undefined : withEvent(card, event);
    if (card === undefined || next === undefined) {
      unknown.add(id);
      continue;
    }
    isDoubtful ||= touchesTies(event) || isReopened(card, next);
    byId.set(id, next);
    if (FINISHED.has(next.status) && !FINISHED.has(card.status)) finish(byId, id);
  }
  return { cards: [...byId.values()], unknown: [...unknown], isDoubtful };
}

/** Cards that were asked for one by one, put into the board. */
export function withCards(cards: readonly TaskCard[], fresh: readonly TaskCard[]): TaskCard[] {
  const byId = new Map(cards.map((card) => [card.id, card]));
  for (const card of fresh) byId.set(card.id, card);
  return [...byId.values()];
}

export function cardOf(task: Task): TaskCard {
  const { id, title, type, priority, status, assignedRoleId, labels, plan, outcome, ready, waitingOn, updatedAt } =
    task;
  return {
    ...{ id, title, type, priority, status, labels, ready, waitingOn, updatedAt },
    ...(assignedRoleId === undefined ? {} : { assignedRoleId }),
    ...(plan === undefined ? {} : { plan }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(task.escalations === undefined ? {} : { escalations: task.escalations }),
    ...criteriaOf(task.acceptanceCriteria),
  };
}

function withEvent(card: TaskCard, { before = {}, after = {}, type }: HallEvent): TaskCard | undefined {
  if (type === "task.created") return undefined;
  const next: Record<string, unknown> = { ...card };
  for (const name of PLAIN) {
    if (isShortened(after[name])) return undefined;
    if (name in after) next[name] = after[name];
    else if (name in before) delete next[name];
  }
  if ("acceptanceCriteria" in after) {
    if (!Array.isArray(after.acceptanceCriteria)) return undefined;
    delete next.criteria;
    Object.assign(next, criteriaOf(after.acceptanceCriteria as Criterion[]));
  }
  const changed = next as TaskCard;
  return { ...changed, ready: isReady(changed) };
}

function isShortened(value: unknown): boolean {
  return typeof value === "object" && value !== null && "shortened" in value;
}

function touchesTies({ before = {}, after = {} }: HallEvent): boolean {
  return ["blocks", "blockedBy"].some((name) => name in before || name in after);
}

function isReopened(before: TaskCard, after: TaskCard): boolean {
  return FINISHED.has(before.status) && !FINISHED.has(after.status);
}

function finish(byId: Map<string, TaskCard>, id: string): void {
  for (const card of byId.values()) {
    if (!card.waitingOn.includes(id)) continue;
    const next = { ...card, waitingOn: card.waitingOn.filter((other) => other !== id) };
    byId.set(card.id, { ...next, ready: isReady(next) });
  }
}

function isReady({ status, waitingOn }: TaskCard): boolean {
  return waitingOn.length === 0 && (status === "pending" || status === "assigned");
}

function criteriaOf(criteria: readonly Criterion[]): Pick<TaskCard, "criteria"> {
  if (criteria.length === 0) return {};
  return { criteria: { done: criteria.filter(({ done }) => done).length, total: criteria.length } };
}

/** The same objects for cards that are as they were, so that only the others are drawn again. */
export function sharing(before: readonly TaskCard[], after: readonly TaskCard[]): TaskCard[] {
  const known = new Map(before.map((card) => [card.id, card]));
  return after.map((card) => {
    const old = known.get(card.id);
    return old !== undefined && isSame(old, card) ? old : card;
  });
}

function isSame(a: TaskCard, b: TaskCard): boolean {
  if (a === b) return true;
  return (
    PLAIN.every((name) => name === "labels" || name === "escalations" || a[name] === b[name]) &&
    a.escalations?.join() === b.escalations?.join() &&
    a.ready === b.ready &&
    a.waitingOn.join() === b.waitingOn.join() &&
    a.labels.join() === b.labels.join() &&
    a.criteria?.done === b.criteria?.done &&
    a.criteria?.total === b.criteria?.total
  );
}
