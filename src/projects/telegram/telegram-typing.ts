/** Telegram shows it for five seconds. */
const EVERY_MS = 4_500;
/** An answer that takes longer waits for something, such as a budget. */
const LONGEST_MS = 300_000;

/** Shows in a chat that an answer is under way. Lost without harm. */
export class TelegramTyping {
  readonly #show: (chat: string) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(show: (chat: string) => void) {
    this.#show = show;
  }

  begin(chat: string): void {
    this.end(chat);
    this.#show(chat);
    const until = performance.now() + LONGEST_MS;
    const timer = setInterval(() => {
      if (performance.now() < until) this.#show(chat);
      else this.end(chat);
    }, EVERY_MS);
    timer.unref();
    this.#timers.set(chat, timer);
  }

  end(chat: string): void {
    clearInterval(this.#timers.get(chat));
    this.#timers.delete(chat);
  }

  endAll(): void {
    for (const chat of [...this.#timers.keys()]) this.end(chat);
  }
}
