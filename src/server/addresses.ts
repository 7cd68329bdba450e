import { type EndpointName, endpoints } from "../contract/routes/endpoints.ts";
import { WEBHOOK_PATH } from "./webhook-door.ts";

export interface Address {
  readonly name: EndpointName;
  readonly method: string;
  readonly path: string;
}

/** In the order of the contract, which names fixed paths before those with a parameter in the same place. */
export const addresses: readonly Address[] = (Object.keys(endpoints) as EndpointName[]).map((name) => {
  const [method = "", path = ""] = endpoints[name].split(" ");
  return { name, method, path };
});

/** Endpoints that answer with a stream in place of one JSON document. */
const STREAMS = ["streamLive"] as const;
export type StreamEndpoint = (typeof STREAMS)[number];

/** Endpoints that set a cookie beside their JSON. */
const COOKIE_ENDPOINTS = ["openBrowserSession", "closeBrowserSession"] as const;
export type CookieEndpoint = (typeof COOKIE_ENDPOINTS)[number];

export function isStream(name: EndpointName): name is StreamEndpoint {
  return (STREAMS as readonly EndpointName[]).includes(name);
}

export function setsCookie(name: EndpointName): name is CookieEndpoint {
  return (COOKIE_ENDPOINTS as readonly EndpointName[]).includes(name);
}

export const PAGES = { landing: "/", docs: "/api/docs" } as const;

export function pathTo(name: EndpointName): string {
  return endpoints[name].slice(endpoints[name].indexOf("/"));
}

/** The methods a path answers to, for the Allow header; none when nothing is there. */
export function methodsAt(path: string): string[] {
  const methods = new Set(Object.values<string>(PAGES).includes(path) ? ["GET"] : []);
  if (WEBHOOK_PATH.test(path)) methods.add("POST");
  for (const { method, pattern } of patterns) if (pattern.test(path)) methods.add(method);
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

const patterns = addresses.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`),
}));
