import { setTimeout as delay } from "node:timers/promises";
import { memoryIndex } from "../agent/memory-index.ts";
import { redactedEntry } from "../agent/redacted-entry.ts";
import { isWorthReflection, type LookedBackOn, type Reflected, reflect, reflectionPlan } from "../agent/reflection.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { OrderOf } from "../contract/runs/protocol.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import { errorText } from "../contract/words/error-text.ts";
import { MEMORY_TOOLS } from "../contract/words/tool-names.ts";
import type { Conversation, Question } from "./model-proxy.ts";
import type { Finished, Workshop } from "./workshop.ts";

/** However slow its model is. */
const LONGEST_MS = 120_000;
const INDEX_TOKENS = 800;

type Shop = Pick<Workshop, "journals" | "otherTools" | "models" | "redactor" | "send" | "time">;

/** Looks back on runs that have completed their task, behind everybody's back: nobody waits for it but who says so. */
export class Reflecting {
  readonly #shop: Shop;
  readonly #closing = new AbortController();
  /** By the orders of the runs, until they are looked back on. */
  readonly #kept = new Map<string, LookedBackOn>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Keeps what is needed to look back on a run, if that is allowed and worth it; answers whether it is. */
  keep({ order, end, played }: Finished): boolean {
    if (order.mayReflect !== true || end.status !== "completed" || played === undefined) return false;
    const work = { ...played, end };
    if (this.#closing.signal.aborted || !isWorthReflection(work)) return false;
    this.#kept.set(order.id, work);
    return true;
  }

  /** The daemon is told when nothing more comes of it, whether anything did or not. */
  start(order: OrderOf<"reflect">): void {
    const work = this.#kept.get(order.on);
    this.#kept.delete(order.on);
    const reflected =
      work === undefined || this.#closing.signal.aborted
        ? Promise.resolve({ rounds: 0, wrote: [] })
        : this.#reflect(work, order);
    const underWay: Promise<void> = reflected
      .then((outcome) => this.#shop.send({ type: "reflected", orderId: order.id, ...outcome }))
      .finally(() => this.#underWay.delete(underWay));
    this.#underWay.add(underWay);
  }

  /** What is under way is broken off: it is lost without harm. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("Guildhall is stopping."));
    await Promise.all(this.#underWay);
  }

  /** Never rejects. */
  async #reflect(work: LookedBackOn, { id, tokens }: OrderOf<"reflect">): Promise<Reflected> {
    const { journals, otherTools, models, redactor, time } = this.#shop;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(LONGEST_MS)]);
    const hidden = redactor();
    try {
      const options = { tokens, memory: memoryIndex(journals, INDEX_TOKENS) };
      const conversation = conversationOf(reflectionPlan(work, options), id, signal);
      const outcome = await reflect(work, options, {
        ask: (question: Question) => models.ask(conversation, { ...question, aside: true }),
        tools: otherTools.filter(({ spec }) => MEMORY_TOOLS.includes(spec.name)),
        redact: (entry: JournalEntry) => redactedEntry(entry, hidden),
        pause: async (ms: number, given: AbortSignal) => void (await delay(ms, undefined, { signal: given })),
        signal,
        ...time,
      });
      return outcome.error === undefined ? outcome : { ...outcome, error: hidden.text(outcome.error) };
    } catch (error) {
      return { rounds: 0, wrote: [], error: errorText(error) };
    }
  }
}

function conversationOf(plan: RunPlan, orderId: string, signal: AbortSignal): Conversation {
  const { model, thinking, temperature, maxTokens, system } = plan;
  return {
    orderId,
    settings: { model: model.value, thinking: thinking.value, temperature, maxTokens },
    system,
    signal,
    onRetry: () => undefined,
    onWait: () => undefined,
    known: 0,
  };
}
