import type { IncomingMessage } from "node:http";
import type { FetchRules } from "../../contract/documents/web.ts";
import { readBody } from "./body-reader.ts";
import { assertReadable, contentOf, type WebContent } from "./content.ts";
import { pinnedGet } from "./pinned-request.ts";
import { type HostLimits, HostRates } from "./request-rate.ts";
import { isPathAllowed, type RobotsRule, robotName, robotsRules } from "./robots.ts";
import { checkAddress, parseAddress, type ResolveName } from "./web-address.ts";
import { WebRefusal } from "./web-refusal.ts";

const MOST_REDIRECTS = 5;
const MOST_ROBOTS_BYTES = 512 * 1024;
const ROBOTS_FRESH_MS = 3_600_000;
const MOST_ROBOTS = 100;
const PAGE_TYPES = "text/html, application/xhtml+xml, text/markdown, text/plain, application/json;q=0.9, */*;q=0.1";

export interface FetcherOptions {
  rules: FetchRules;
  resolveName: ResolveName;
  /** Milliseconds of a clock that only goes forward. */
  now: () => number;
  mostBytes: number;
  limits: HostLimits;
}

export interface FetchHow {
  signal: AbortSignal;
  /** A redirect to another origin is refused: only this one was allowed. */
  isWithinOrigin?: boolean;
}

export interface FetchedPage extends WebContent {
  /** Where it was found in the end. */
  url: URL;
}

interface Robots {
  rules: RobotsRule[];
  at: number;
}

/** Gets pages of the public internet. Everything that is refused is refused before a connection is opened to it. */
export class PageFetcher {
  readonly #options: FetcherOptions;
  readonly #robots = new Map<string, Robots>();
  readonly #rates: HostRates;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#rates = new HostRates(options.limits, options.now);
  }

  /** Rejects with WebRefusal, or with the signal's reason. */
  async fetch(given: string, how: FetchHow): Promise<FetchedPage> {
    const { signal } = how;
    const { url, response } = await this.#follow(parseAddress(given), { ...how, isPage: true });
    const { "content-type": type, "content-length": length } = response.headers;
    try {
      if (!isFine(response))
        throw new WebRefusal(`it answered ${response.statusCode} ${response.statusMessage ?? ""}`.trim());
      assertReadable(type, length);
      const body = await readBody(response, this.#options.mostBytes, signal);
      return { url, ...contentOf(body, type) };
    } finally {
      response.destroy();
    }
  }

  /** Follows redirects by hand: every hop is judged, resolved and pinned like the first address. */
  async #follow(start: URL, how: FetchHow & { isPage: boolean }) {
    let url = start;
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await this.#get(url, how);
      const { location } = response.headers;
      if (!isRedirect(response) || location === undefined) return { url, response };
      response.destroy();
      url = parseAddress(location, url);
      if (how.isWithinOrigin === true && url.origin !== start.origin)
        throw new WebRefusal(
          `it redirects to ${url.href}, which was not asked for; fetch that address in a call of its own`,
        );
    }
    throw new WebRefusal(`it redirects more than ${MOST_REDIRECTS} times`);
  }

  async #get(url: URL, { signal, isPage }: { signal: AbortSignal; isPage: boolean }): Promise<IncomingMessage> {
    const { rules, resolveName } = this.#options;
    const checked = await orAborted(checkAddress(url, rules, resolveName), signal);
    if (isPage) await this.#assertWelcome(url, signal);
    const leave = await this.#rates.enter(checked.host, signal);
    try {
      const asked = { userAgent: rules.userAgent, accept: isPage ? PAGE_TYPES : "text/plain", signal };
      const response = await pinnedGet(checked, asked);
      response.once("close", leave);
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #assertWelcome(url: URL, signal: AbortSignal): Promise<void> {
    const rules = await this.#robotsOf(url, signal);
    if (!isPathAllowed(rules, `${url.pathname}${url.search}`))
      throw new WebRefusal(`the robots.txt of '${url.host}' does not allow it`);
  }

  async #robotsOf({ origin }: URL, signal: AbortSignal): Promise<RobotsRule[]> {
    const known = this.#robots.get(origin);
    if (known !== undefined && this.#options.now() - known.at < ROBOTS_FRESH_MS) return known.rules;
    const rules = await this.#readRobots(origin, signal);
    this.#robots.delete(origin);
    this.#robots.set(origin, { rules, at: this.#options.now() });
    const [oldest] = this.#robots.keys();
    if (this.#robots.size > MOST_ROBOTS && oldest !== undefined) this.#robots.delete(oldest);
    return rules;
  }

  /** None where there is no such file. A server that cannot say what it wants is left alone. */
  async #readRobots(origin: string, signal: AbortSignal): Promise<RobotsRule[]> {
    const { response } = await this.#follow(new URL("/robots.txt", origin), { signal, isPage: false });
    const status = response.statusCode ?? 0;
    if (!isFine(response)) response.destroy();
    if (status >= 500 || status === 429)
      throw new WebRefusal(`its robots.txt is not available (${status}); try again later`);
    if (!isFine(response)) return [];
    const body = await readBody(response, MOST_ROBOTS_BYTES, signal);
    return robotsRules(body.toString("utf8"), robotName(this.#options.rules.userAgent));
  }
}

function isFine({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function isRedirect({ statusCode = 0 }: IncomingMessage): boolean {
  return [301, 302, 303, 307, 308].includes(statusCode);
}

/** A name server that does not answer cannot be called off. */
function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}
