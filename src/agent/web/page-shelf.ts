export interface ShelvedPage {
  url: string;
  title: string;
  text: string;
}

const MOST_PAGES = 4;
/** Shorter ones are told at once; longer ones would take too much memory, and are fetched again. */
const SHORTEST = 10_000;
const LONGEST = 2_000_000;
const FRESH_MS = 600_000;

/** The long pages that were read last, so that going on with one does not fetch it again. */
export class PageShelf {
  readonly #now: () => number;
  readonly #pages = new Map<string, { page: ShelvedPage; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  keep(asked: string, page: ShelvedPage): ShelvedPage {
    this.#pages.delete(asked);
    const { length } = page.text;
    if (length >= SHORTEST && length <= LONGEST) this.#pages.set(asked, { page, at: this.#now() });
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }

  find(asked: string): ShelvedPage | undefined {
    const found = this.#pages.get(asked);
    return found !== undefined && this.#now() - found.at < FRESH_MS ? found.page : undefined;
  }
}
