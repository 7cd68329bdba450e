import type { Guards } from "../contract/runs/guarding.ts";
import type { OrderOf, ToProcess } from "../contract/runs/protocol.ts";
import { AgentRun } from "./agent-run.ts";
import { Reflecting } from "./reflecting.ts";
import type { Finished, Workshop } from "./workshop.ts";

/** The agents at work in this process, by the ids of their orders. */
export class RunnerPool {
  readonly #shop: Workshop;
  readonly #active = new Map<string, AgentRun>();
  readonly #reflecting: Reflecting;
  #closing = false;

  constructor(shop: Workshop) {
    this.#shop = shop;
    this.#reflecting = new Reflecting(shop);
  }

  start(order: OrderOf<"run">): void {
    if (this.#closing || this.#active.has(order.id)) return;
    const folder = order.workdir === undefined ? this.#shop.folder : this.#shop.folderAt(order.workdir);
    const shop = { ...this.#shop, folder, onEnded: (finished: Finished) => this.#reflecting.keep(finished) };
    // Two would write one journal: an earlier order of the run may still be letting go of it.
    const earlier = [...this.#active.values()].findLast(({ runId }) => runId === order.runId);
    const run = new AgentRun(order, shop, earlier);
    this.#active.set(order.id, run);
    void run.done.then(() => this.#active.delete(order.id));
  }

  reflect(order: OrderOf<"reflect">): void {
    this.#reflecting.start(order);
  }

  /** The run is created. */
  begin({ orderId, messages, guards }: Extract<ToProcess, { type: "begin" }>): void {
    for (const message of messages) this.#active.get(orderId)?.deliver(message);
    if (guards !== undefined) this.#active.get(orderId)?.guard(guards);
    this.#active.get(orderId)?.begin();
  }

  cancel(orderId: string, reason: string): void {
    this.#active.get(orderId)?.cancel(reason);
  }

  letGo(orderId: string): void {
    this.#active.get(orderId)?.letGo();
  }

  guard(orderId: string, guards: Guards): void {
    this.#active.get(orderId)?.guard(guards);
  }

  deliver({ orderId, id, text }: Extract<ToProcess, { type: "message" }>): void {
    const ok = this.#active.get(orderId)?.deliver({ id, text }) ?? false;
    this.#shop.send({ type: "heard", orderId, id, ok });
  }

  /** Lets go of every run: its journal stands where it stands, and the run goes on from there another time. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const run of this.#active.values()) run.letGo();
    await Promise.all([this.#reflecting.close(), ...[...this.#active.values()].map((run) => run.done)]);
    await this.#reflecting.close();
  }
}
