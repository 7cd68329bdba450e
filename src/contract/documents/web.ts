import { z } from "zod";

const isAllowed = (entry: string) => {
  const url = URL.parse(`http://${entry}/`);
  return url !== null && entry.match(/:\d{1,5}$/) !== null && !/[/?#@*\s]/.test(entry);
};

const SEARCH_KINDS = ["searxng", "brave", "tavily"] as const;

/** Who searches the web. The key never stands here. */
const WebSearch = z
  .strictObject({
    kind: z.enum(SEARCH_KINDS),
    url: z
      .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
      .refine((url) => {
        const { username, password, search, hash } = new URL(url);
        return username + password + search + hash === "";
      }, "must not have a user name, password or query; keys come from the environment or .guildhall/secrets")
      .optional(),
    apiKeyEnv: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,99}$/, "must be the name of an environment variable")
      .optional(),
  })
  .refine(({ kind, url }) => kind !== "searxng" || url !== undefined, {
    path: ["url"],
    error: "is required for searxng",
  });
export type WebSearch = z.infer<typeof WebSearch>;

export const Web = z.strictObject({
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, "must be at most 200 plain ASCII characters")
    .default("Guildhall/0.1"),
  /** Where web_fetch may connect to. */
  ports: z.array(z.int().min(1).max(65_535)).max(20).default([80, 443]),
  /** Exceptions to every rule about addresses. Dangerous: agents reach these, and so does any text they obey. */
  allow: z.array(z.string().max(300).refine(isAllowed, "must be 'host:port'")).max(50).default([]),
  search: WebSearch.optional(),
});

/** What a project's process needs to know to fetch pages. */
export const FetchRules = z.object({ userAgent: z.string(), ports: z.array(z.number()), allow: z.array(z.string()) });
export type FetchRules = z.infer<typeof FetchRules>;

export interface SearchHit {
  title: string;
  url: string;
  text: string;
}
