import type { ToProcess } from "../contract/protocol.ts";
import { AgentRun } from "./agent-run.ts";
import { Reflecting } from "./reflecting.ts";
import type { Workshop } from "./workshop.ts";

/** The agents at work in this process. */
export class RunnerPool {
  readonly #shop: Workshop;
  readonly #active = new Map<string, AgentRun>();
  readonly #reflecting: Reflecting;
  #closing = false;

  constructor(shop: Workshop) {
    this.#shop = shop;
    this.#reflecting = new Reflecting(shop);
  }

  start(order: Extract<ToProcess, { type: "run" }>): void {
    if (this.#closing || this.#active.has(order.runId)) return;
    const own = order.workdir === undefined ? {} : this.#shop.toolsAt(order.workdir);
    const run = new AgentRun(order, {
      ...this.#shop,
      ...own,
      onEnded: (finished) => this.#reflecting.after(finished),
    });
    this.#active.set(order.runId, run);
    void run.done.then(() => this.#active.delete(order.runId));
  }

  cancel(runId: string, reason: string): void {
    this.#active.get(runId)?.cancel(reason);
  }

  letGo(runId: string): void {
    this.#active.get(runId)?.letGo();
  }

  deliver({ runId, id, text }: Extract<ToProcess, { type: "message" }>): void {
    const ok = this.#active.get(runId)?.deliver({ id, text }) ?? false;
    this.#shop.send({ type: "heard", runId, id, ok });
  }

  /** Lets go of every run: its journal stands where it stands, and the run goes on from there another time. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const run of this.#active.values()) run.letGo();
    await Promise.all([this.#reflecting.close(), ...[...this.#active.values()].map((run) => run.done)]);
    await this.#reflecting.close();
  }
}
