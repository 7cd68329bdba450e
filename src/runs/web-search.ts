import { z } from "zod";
import type { SearchHit, WebSearch } from "../contract/documents/web.ts";
import type { Keys } from "../models/providers.ts";

export type SearchWeb = (request: { query: string; count: number }) => Promise<SearchHit[]>;

const TIMEOUT_MS = 15_000;
const MOST_BYTES = 2_000_000;

interface Wire {
  url: string;
  /** The variable that usually has the key; undefined where none is needed. */
  keyName?: string;
  request(query: string, count: number, key: string | undefined): { path: string; init: RequestInit };
  hits(body: unknown): SearchHit[];
}

const text = z
  .string()
  .nullish()
  .catch("")
  .transform((value) => value ?? "");
const Hits = z.array(z.object({ title: text, url: z.string(), content: text, description: text }));
const hitsOf = (value: unknown): SearchHit[] =>
  Hits.parse(value ?? []).map(({ title, url, content, description }) => ({
    title,
    url,
    text: (content === "" ? description : content).replace(/<\/?strong>/g, ""),
  }));

const WIRES: Record<WebSearch["kind"], Wire> = {
  searxng: {
    url: "",
    request: (query, _count, key) => ({
      path: `/search?${new URLSearchParams({ q: query, format: "json" })}`,
      init: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
    }),
    hits: (body) => hitsOf(z.object({ results: z.unknown() }).parse(body).results),
  },
  brave: {
    url: "https://api.search.brave.com",
    keyName: "BRAVE_API_KEY",
    request: (query, count, key = "") => ({
      path: `/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
      init: { headers: { "x-subscription-token": key } },
    }),
    hits: (body) => hitsOf(z.object({ web: z.object({ results: z.unknown() }).nullish() }).parse(body).web?.results),
  },
  tavily: {
    url: "https://api.tavily.com",
    keyName: "TAVILY_API_KEY",
    request: (query, count, key = "") => ({
      path: "/search",
      init: {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ query, max_results: count }),
      },
    }),
    hits: (body) => hitsOf(z.object({ results: z.unknown() }).parse(body).results),
  },
};

/** The variable with the search's key; undefined where none is needed. */
export function searchKeyName({ kind, apiKeyEnv }: WebSearch): string | undefined {
  return apiKeyEnv ?? WIRES[kind].keyName;
}

/** The search that the person configured. The key goes to that server and nowhere else, and is in no message. */
export function openWebSearch(settings: WebSearch | undefined, keys: Keys): SearchWeb {
  if (settings === undefined)
    return () => Promise.reject(new Error("Web search is not configured: config.yml has no web.search."));
  const wire = WIRES[settings.kind];
  const keyName = searchKeyName(settings);
  const key = keyName === undefined ? undefined : keys[keyName];
  const base = (settings.url ?? wire.url).replace(/\/+$/, "");
  return async ({ query, count }) => {
    if (keyName !== undefined && (key === undefined || key === ""))
      throw new Error(`The key for ${settings.kind} is missing: set ${keyName}.`);
    const { path, init } = wire.request(query, count, key);
    const body = await answerOf(`${base}${path}`, init);
    try {
      return wire.hits(body).slice(0, count);
    } catch {
      throw new Error("The search server's response has an unexpected format.");
    }
  };
}

async function answerOf(url: string, init: RequestInit): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  try {
    const headers = { accept: "application/json", "user-agent": "guildhall", ...init.headers };
    response = await fetch(url, { ...init, headers, redirect: "manual", signal });
  } catch {
    throw new Error(
      signal.aborted
        ? `The search server did not answer within ${TIMEOUT_MS / 1_000} seconds.`
        : "The search server could not be reached.",
    );
  }
  if (!response.ok) {
    void response.body?.cancel().catch(() => undefined);
    throw new Error(`The search server answered ${response.status}.${hintOf(response.status)}`);
  }
  return jsonOf(response);
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return " Its key may be wrong, or JSON output may be disabled.";
  return status === 429 ? " Too many searches; wait a while." : "";
}

async function jsonOf(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > MOST_BYTES) break;
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new Error("The search server's response was cut off or is not JSON.");
  }
}
