import { setImmediate } from "node:timers/promises";
import { Grant } from "../../contract/documents/permission.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { GrantUse } from "../../contract/routes/people/grant-routes.ts";
import type { Hall } from "../../workspace/hall/hall.ts";

const TYPES = ["grant", "permission.used"];
const AT_ONCE = 1_000;

/** What the event log tells of grants. Read once, when it is first asked for, and kept up from then on. */
export class GrantHistory {
  readonly #events: Pick<Hall["events"], "before" | "subscribe" | "head">;
  readonly #grants = new Map<string, Grant>();
  readonly #revoked = new Set<string>();
  readonly #uses = new Map<string, Map<string, GrantUse>>();
  #loaded: Promise<void> | undefined;
  #unsubscribe: () => void = () => undefined;

  constructor(events: Pick<Hall["events"], "before" | "subscribe" | "head">) {
    this.#events = events;
  }

  close(): void {
    this.#unsubscribe();
  }

  /** All that were ever given, oldest first. */
  async grants(): Promise<Grant[]> {
    await this.#load();
    return [...this.#grants.values()];
  }

  async isRevoked(id: string): Promise<boolean> {
    await this.#load();
    return this.#revoked.has(id);
  }

  /** The newest first. */
  async usesOf(id: string): Promise<GrantUse[]> {
    await this.#load();
    return [...(this.#uses.get(id)?.values() ?? [])].sort((left, right) => (left.at < right.at ? 1 : -1));
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  /** From the newest back, so that what happens meanwhile is not missed. */
  async #read(): Promise<void> {
    this.#unsubscribe = this.#events.subscribe((event) => this.#take(event));
    let before: number | undefined = this.#events.head() + 1;
    const pages: HallEvent[][] = [];
    while (before !== undefined) {
      const page: { events: HallEvent[]; earlier?: number } = await this.#events.before({
        types: TYPES,
        before,
        count: AT_ONCE,
      });
      pages.unshift(page.events);
      before = page.earlier;
      // Others get their turn: the log may be long.
      await setImmediate();
    }
    for (const event of pages.flat()) this.#take(event);
  }

  /** The same event may come twice. */
  #take({ type, subject, after = {}, at }: HallEvent): void {
    if (type === "grant.created") {
      const { text: _, ...fields } = after;
      const grant = Grant.safeParse(fields).data;
      if (grant !== undefined) this.#grants.set(grant.id, grant);
    }
    if (type === "grant.revoked") this.#revoked.add(subject.id);
    if (type !== "permission.used") return;
    const uses = this.#uses.get(subject.id) ?? new Map<string, GrantUse>();
    const use = useOf(after, at);
    // After a crash a call may be told of twice.
    if (!uses.has(`${use.runId}/${use.callId}`)) uses.set(`${use.runId}/${use.callId}`, use);
    this.#uses.set(subject.id, uses);
  }
}

function useOf(after: Record<string, unknown>, at: string): GrantUse {
  const text = (key: string) => (typeof after[key] === "string" ? after[key] : "");
  return {
    ...{ runId: text("runId"), taskId: text("taskId"), callId: text("callId"), tool: text("tool") },
    ...{ subject: text("subject"), at },
  };
}
