import type { ProviderConfig } from "../contract/documents/config.ts";

const VERSION: Record<ProviderConfig["kind"], string> = {
  anthropic: "/v1",
  openai: "/v1",
  "openai-compatible": "/v1",
  google: "/v1beta",
};

/** What people copy along from an example of a whole request. */
const ENDPOINTS = /\/(?:chat\/completions|completions|responses|messages|models)$/;

/**
 * The address a provider package wants, from the one people write: a bare host gets the vendor's version, one with a path
 * is taken at its word. Anthropic's own convention is an address without the version, whatever its path.
 */
export function completeBaseUrl(kind: ProviderConfig["kind"], written: string): string {
  const url = new URL(written);
  const path = url.pathname.replace(/\/+$/, "").replace(ENDPOINTS, "");
  const isVersioned = /\/v\d+\w*$/.test(path);
  const lacksVersion = path === "" || (kind === "anthropic" && !isVersioned);
  return `${url.origin}${path}${lacksVersion ? VERSION[kind] : ""}`;
}
