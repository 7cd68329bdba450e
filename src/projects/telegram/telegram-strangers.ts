const HOUR_MS = 3_600_000;
/** After a day without any they are no problem any more. */
const DAY_MS = 24 * HOUR_MS;
/** Numbers that are remembered; more are counted and no more. */
const MOST_KEPT = 50;

interface Parts {
  clock: () => Date;
  onTrouble: (what: string, error: unknown) => void;
}

/** Those who wrote to the bot and are no owners. They get no answer, not even a refusal; only their number is told. */
export class TelegramStrangers {
  readonly #parts: Parts;
  readonly #loggedAt = new Map<number, number>();
  #messages = 0;
  #last: { userId: number; at: string } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  note(userId: number): void {
    const now = this.#parts.clock();
    this.#messages++;
    this.#last = { userId, at: now.toISOString() };
    const before = this.#loggedAt.get(userId);
    if (before !== undefined && now.getTime() - before < HOUR_MS) return;
    if (before === undefined && this.#loggedAt.size >= MOST_KEPT) this.#forget(now.getTime());
    if (before === undefined && this.#loggedAt.size >= MOST_KEPT) return;
    this.#loggedAt.set(userId, now.getTime());
    this.#parts.onTrouble("Telegram: a message from a user who is not an owner was ignored", `user ${userId}`);
  }

  /** Undefined while there are none. */
  problem(): string | undefined {
    if (this.#last === undefined) return undefined;
    const { userId, at } = this.#last;
    if (this.#parts.clock().getTime() - Date.parse(at) > DAY_MS) return undefined;
    const what = this.#messages === 1 ? "a message" : `${this.#messages} messages`;
    return `${what} to the Telegram bot from non-owners ignored, the last from user ${userId} at ${at}; if that is you, add the ID to channels.telegram.owners and restart`;
  }

  #forget(now: number): void {
    for (const [userId, at] of this.#loggedAt) if (now - at >= HOUR_MS) this.#loggedAt.delete(userId);
  }
}
