import type { QueryClient } from "@tanstack/react-query";
import type { TaskCard } from "../../../src/contract/documents/card.ts";
import type { HallEvent } from "../../../src/contract/event.ts";
import type { RouteResponse } from "../../../src/contract/routes/routes.ts";
import { call } from "../api/client.ts";
import { cardOf, sharing, withCards, withEvents } from "./card-changes.ts";

type Cards = RouteResponse<"listCards">;

const PAUSE_MS = 150;
/** A large board is not asked for as a whole more often than this. */
const LARGE = { cards: 1_000, pauseMs: 3_000 };
const MOST_REMEMBERED = 1_000;
/** More cards than these at once are asked for together. */
const MOST_SINGLE = 20;

const recent: HallEvent[] = [];

/** An answer that was on its way while things went on: what happened since is added. */
export function upToDate(projectId: string, answer: Cards): Cards {
  const since = recent.filter((event) => event.projectId === projectId && event.seq > answer.seq);
  return since.length === 0 ? answer : { ...answer, cards: withEvents(answer.cards, since).cards };
}

export function shareCards(before: unknown, after: unknown): unknown {
  const [old, fresh] = [before as Cards | undefined, after as Cards];
  return old === undefined ? fresh : { ...fresh, cards: sharing(old.cards, fresh.cards) };
}

/** Keeps the boards that are shown true by changing single cards; only where that is not certain, a board is asked for anew. */
export class LiveCards {
  readonly #client: QueryClient;
  readonly #waiting = new Map<string, HallEvent[]>();
  readonly #refetches = new Set<string>();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  hear(event: HallEvent): void {
    const { projectId, type } = event;
    if (projectId === undefined || !type.startsWith("task.")) return;
    recent.push(event);
    if (recent.length > MOST_REMEMBERED) recent.splice(0, MOST_REMEMBERED / 2);
    const waiting = this.#waiting.get(projectId);
    if (waiting === undefined) this.#waiting.set(projectId, [event]);
    else waiting.push(event);
    if (this.#pause === undefined) this.#flush();
  }

  #flush(): void {
    this.#pause = this.#waiting.size === 0 ? undefined : setTimeout(() => this.#flush(), PAUSE_MS);
    for (const [projectId, events] of this.#waiting) this.#apply(projectId, events);
    this.#waiting.clear();
  }

  #apply(projectId: string, events: readonly HallEvent[]): void {
    const shown = this.#client.getQueryData<Cards>(["cards", projectId]);
    if (shown === undefined) return;
    const news = events.filter((event) => event.seq > shown.seq);
    if (news.length === 0) return;
    const { cards, unknown, isDoubtful } = withEvents(shown.cards, news);
    this.#client.setQueryData<Cards>(["cards", projectId], { ...shown, cards, seq: news.at(-1)?.seq ?? shown.seq });
    if (unknown.length > MOST_SINGLE || isDoubtful) this.#refetch(projectId, cards.length);
    else if (unknown.length > 0) void this.#ask(projectId, unknown);
  }

  async #ask(projectId: string, ids: readonly string[]): Promise<void> {
    try {
      const params = (taskId: string) => ({ params: { id: projectId, taskId } });
      const fresh = await Promise.all(ids.map(async (id) => (await call("getTask", params(id))).task));
      this.#put(projectId, fresh.map(cardOf));
      if (fresh.some(({ blocks }) => blocks.length > 0)) this.#refetch(projectId, LARGE.cards);
    } catch {
      this.#refetch(projectId, LARGE.cards);
    }
  }

  #put(projectId: string, fresh: readonly TaskCard[]): void {
    this.#client.setQueryData<Cards>(
      ["cards", projectId],
      (shown) => shown && { ...shown, cards: withCards(shown.cards, fresh) },
    );
  }

  #refetch(projectId: string, size: number): void {
    if (this.#refetches.has(projectId)) return;
    const wait = size < LARGE.cards ? 0 : LARGE.pauseMs;
    this.#refetches.add(projectId);
    setTimeout(() => {
      this.#refetches.delete(projectId);
      void this.#client.invalidateQueries({ queryKey: ["cards", projectId] });
    }, wait);
  }
}
