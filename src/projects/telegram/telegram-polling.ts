import { setTimeout as delay } from "node:timers/promises";
import { backoffMs, NO_JITTER } from "../../contract/backoff.ts";
import type { ApiAnswer, TelegramApi } from "./telegram-api.ts";
import { updateId } from "./telegram-updates.ts";

export interface PollPace {
  /** How long Telegram holds a request to which there is nothing to say. */
  pollSeconds: number;
  firstPauseMs: number;
  longestPauseMs: number;
  /** While somebody else takes the bot's messages, or its token is refused; longer each time, up to the longest. */
  slowMs: number;
  /** Between two answers that bring nothing new, however fast they come. */
  leastMs: number;
}

const PACE: PollPace = {
  pollSeconds: 50,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  slowMs: 5_000,
  leastMs: 1_000,
};
/** Beyond the time for which Telegram holds the request. */
const GRACE_MS = 15_000;
const TELLING_FAILURES = 3;

interface Parts {
  api: Pick<TelegramApi, "call">;
  /** Durable when it resolves: the update may then be confirmed to Telegram, which forgets it. */
  take: (update: unknown, id: number) => Promise<void>;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Partial<PollPace> | undefined;
}

/**
 * Asks Telegram for what was said, one held request at a time. An update is confirmed with the next request, after it was
 * taken; one that comes again because the daemon died in between is said once by its id.
 */
export class TelegramPolling {
  readonly #parts: Parts;
  readonly #pace: PollPace;
  readonly #closing = new AbortController();
  /** Confirms everything before it. Undefined when all is confirmed: Telegram may then begin with any number. */
  #offset: number | undefined;
  #failures = 0;
  #fault: string | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#pace = { ...PACE, ...parts.pace };
  }

  start(): void {
    this.#running ??= this.#poll();
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Why nothing is heard, while that is so. */
  get fault(): string | undefined {
    return this.#fault;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const began = performance.now();
      const answer = await this.#ask();
      if (signal.aborted) return;
      const asked = answer.kind === "ok" ? await this.#takeAll(answer.result) : this.#failed(answer);
      const pause = asked ?? this.#pace.leastMs - (performance.now() - began);
      if (pause > 0) await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #ask(): Promise<ApiAnswer> {
    const { pollSeconds } = this.#pace;
    const offset = this.#offset === undefined ? {} : { offset: this.#offset };
    return this.#parts.api.call(
      "getUpdates",
      { timeout: pollSeconds, limit: 100, allowed_updates: ["message", "callback_query"], ...offset },
      { signal: this.#closing.signal, timeoutMs: pollSeconds * 1_000 + GRACE_MS },
    );
  }

  /** The pause before the next request; undefined when there was nothing new. */
  async #takeAll(result: unknown): Promise<number | undefined> {
    const updates = Array.isArray(result) ? (result as unknown[]) : [];
    const confirming = this.#offset;
    this.#offset = undefined;
    for (const update of updates) {
      if (this.#closing.signal.aborted) return 0;
      const id = updateId(update);
      if (id === undefined) continue;
      try {
        await this.#parts.take(update, id);
      } catch (error) {
        this.#parts.onTrouble("a message from Telegram could not be saved; retrying", error);
        return this.#backOff("a message can't be saved");
      }
      this.#offset = Math.max(id + 1, this.#offset ?? 0);
    }
    const isStuck = updates.length > 0 && (this.#offset === undefined || this.#offset === confirming);
    if (isStuck) return this.#backOff("Telegram repeatedly sends the same updates");
    this.#failures = 0;
    this.#tell(undefined);
    return this.#offset === undefined ? undefined : 0;
  }

  #failed(answer: Exclude<ApiAnswer, { kind: "ok" }>): number {
    const { slowMs, longestPauseMs } = this.#pace;
    if (answer.kind === "unreachable") return this.#backOff(answer.reason);
    const { status, reason, pauseMs } = answer;
    if (status === 409) this.#tell(`another program receives this bot's messages (${reason})`);
    else if (status === 401 || status === 404) this.#tell(`the bot token was rejected (${reason})`);
    else return Math.max(this.#backOff(reason), pauseMs ?? 0);
    return backoffMs({ firstMs: slowMs, longestMs: longestPauseMs }, ++this.#failures, NO_JITTER);
  }

  #backOff(reason: string): number {
    const { firstPauseMs, longestPauseMs } = this.#pace;
    this.#failures++;
    if (this.#failures >= TELLING_FAILURES) this.#tell(`no messages are received: ${reason}`);
    return backoffMs({ firstMs: firstPauseMs, longestMs: longestPauseMs }, this.#failures, NO_JITTER);
  }

  /** Logged once, however long it lasts. */
  #tell(fault: string | undefined): void {
    if (fault !== undefined && this.#fault === undefined) this.#parts.onTrouble("Telegram", fault);
    this.#fault = fault;
  }
}
