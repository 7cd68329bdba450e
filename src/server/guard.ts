import { HallError } from "../contract/errors.ts";
import { endpoints } from "../contract/routes/endpoints.ts";
import { hint } from "../contract/words/hint.ts";
import type { Clock } from "../store/ids.ts";
import { type Arrival, onlyValue } from "./arrival.ts";
import { PAGE_KEY_HEADER, sameText, sessionOf } from "./pages/browser-session.ts";
import type { PairedDevices } from "./pages/pairing.ts";
import { isPrivateAddress } from "./private-addresses.ts";
import { WEBHOOK_PATH } from "./webhook-door.ts";

export interface HouseRules {
  /** Lower-case `name:port` texts under which the daemon answers. */
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly token: string;
  /** Programs with tokens of their own, by name. */
  readonly clients?: Readonly<Record<string, string>> | undefined;
  /** The name of the cookie that signs browsers in. */
  readonly cookie: string;
  readonly clock: Clock;
  readonly devices: Pick<PairedDevices, "has" | "seen">;
}

type Check = (arrival: Arrival, rules: HouseRules) => HallError | undefined;

const OPEN_PATHS: ReadonlySet<string> = new Set(["/api/health", "/api/docs"]);
/** What lets another browser in is for the workspace's own token alone. */
const MAKES_SESSIONS: ReadonlySet<string> = new Set([endpoints.createBrowserLink, endpoints.createPairLink]);
const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const JSON_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*;?$/i;

/** Why a request is turned away before anyone looks at what it asks, or undefined. Earlier checks hide later ones. */
export function refusal(arrival: Arrival, rules: HouseRules): HallError | undefined {
  for (const check of checks) {
    const refused = check(arrival, rules);
    if (refused) return refused;
  }
  return undefined;
}

/** The token and everything else could be read on the way. What headers say of the way is not believed: anyone can send them. */
function refusePlain({ remote, isTls }: Arrival): HallError | undefined {
  if (remote === undefined || isTls === true || isPrivateAddress(remote)) return undefined;
  return new HallError("plain_http", "Plain HTTP from a public address is refused.");
}

/** A page cannot reach us through a name of its own that it has pointed at this machine. */
function refuseHost(arrival: Arrival, rules: HouseRules): HallError | undefined {
  const hosts = arrival.headers.get("host") ?? [];
  if (hosts.length !== 1 || hosts[0] === "") {
    return new HallError("malformed", "The request must have exactly one Host header.", {
      hint: hint("hall-address"),
    });
  }
  const known = rules.hosts.has(hosts[0]?.toLowerCase() ?? "") && rules.hosts.has(arrival.authority.toLowerCase());
  return known ? undefined : new HallError("wrong_host", "This daemon does not accept requests for that host name.");
}

function refuseMethod(arrival: Arrival): HallError | undefined {
  if (arrival.method !== "TRACE" && arrival.method !== "CONNECT") return undefined;
  return new HallError("method_not_allowed", `${arrival.method} is not allowed.`);
}

/** A single or double dot between slashes, in each form that reading an address resolves. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?=[/\\]|$)/i;

/** A path that names one endpoint and resolves to another would get past whoever checks paths before us. */
function refusePath(arrival: Arrival): HallError | undefined {
  const written = arrival.target?.replace(/[?#].*$/s, "").replace(/[\t\r\n]/g, "") ?? "";
  if (DOT_SEGMENT.test(written))
    return new HallError("malformed", "The path has a '.' or '..' segment.", {
      hint: "Send the path as it is after resolving these segments.",
    });
  if (!arrival.path.includes("%")) return undefined;
  try {
    decodeURIComponent(arrival.path);
    return undefined;
  } catch {
    return new HallError("malformed", "The path has a malformed percent-encoding.", {
      hint: "Write a percent sign as %25 and encode other characters as UTF-8.",
    });
  }
}

/** A browser names the page's origin on every cross-origin request; other clients send none. */
function refuseOrigin(arrival: Arrival, rules: HouseRules): HallError | undefined {
  const origins = arrival.headers.get("origin");
  if (origins === undefined || (origins.length === 1 && rules.origins.has(origins[0]?.toLowerCase() ?? "")))
    return undefined;
  return new HallError("forbidden", "Requests from pages of another origin are not allowed.");
}

function refuseSite(arrival: Arrival): HallError | undefined {
  const sites = arrival.headers.get("sec-fetch-site");
  if (!sites?.some((site) => site.trim().toLowerCase() === "cross-site")) return undefined;
  return new HallError("forbidden", "Requests started by another site are not allowed.");
}

/** Nothing here decodes bodies: what comes compressed would be taken for other text than its sender meant. */
function refuseEncoding({ hasBody, headers }: Arrival): HallError | undefined {
  const encodings = headers.get("content-encoding") ?? [];
  if (!hasBody || encodings.every((encoding) => /^(?:identity)?$/i.test(encoding.trim()))) return undefined;
  return new HallError("unsupported_type", "The body has a Content-Encoding.", {
    hint: "Send it uncompressed, without Content-Encoding.",
  });
}

/** A form or a plain text body is what another site can send without asking; JSON is not. */
function refuseType(arrival: Arrival): HallError | undefined {
  if (!arrival.hasBody || !BODY_METHODS.has(arrival.method) || isJson(arrival)) return undefined;
  // What is sent there is signed, and other services choose its type.
  if (WEBHOOK_PATH.test(arrival.path)) return undefined;
  return unsupportedType();
}

export function unsupportedType(): HallError {
  return new HallError("unsupported_type", "The body must be JSON: Content-Type application/json, in UTF-8.");
}

export function isJson(arrival: Arrival): boolean {
  const types = arrival.headers.get("content-type");
  return types?.length === 1 && JSON_TYPE.test(types[0]?.trim() ?? "");
}

/** The token itself, or what a page of ours that was signed in has in its place. */
function refuseToken(arrival: Arrival, rules: HouseRules): HallError | undefined {
  const asked = `${arrival.method} ${arrival.path}`;
  if (asked === endpoints.openBrowserSession) return refuseOtherPage(arrival);
  if (!needsToken(arrival)) return undefined;
  const mayBePage = !MAKES_SESSIONS.has(asked) && !arrival.headers.has("authorization");
  if (mayBePage && arrival.headers.has(PAGE_KEY_HEADER)) return refuseOtherPage(arrival) ?? refusePage(arrival, rules);
  return refuseBearer(arrival, rules);
}

/** The same name with another port is the same site, but not us. */
function refuseOtherPage(arrival: Arrival): HallError | undefined {
  const sites = arrival.headers.get("sec-fetch-site") ?? [];
  if (sites.every((site) => site.trim().toLowerCase() === "same-origin")) return undefined;
  return new HallError("forbidden", "Only Guildhall's own pages may do this.");
}

function refusePage(arrival: Arrival, rules: HouseRules): HallError | undefined {
  const session = pageSession(arrival, rules);
  if (session !== undefined) {
    if (session.kind === "device") rules.devices.seen(session.id, rules.clock());
    return undefined;
  }
  return new HallError("unauthorized", "This browser is not signed in, or its session has ended.", {
    hint: hint("browser-link"),
  });
}

/** Of a page that shows both halves of one; that of a device only as long as it is on the list. */
export function pageSession(arrival: Arrival, { token, cookie, clock, devices }: HouseRules): Arrival["session"] {
  const [key = "", ...more] = arrival.headers.get(PAGE_KEY_HEADER) ?? [];
  const cookieHeaders = arrival.headers.get("cookie") ?? [];
  if (key === "" || more.length > 0) return undefined;
  const session = sessionOf({ cookieHeaders, name: cookie, key }, token, clock());
  return session?.kind === "device" && !devices.has(session.id) ? undefined : session;
}

function refuseBearer(arrival: Arrival, rules: HouseRules): HallError | undefined {
  const lines = arrival.headers.get("authorization") ?? [];
  if (lines.length > 1) return new HallError("unauthorized", "The Authorization header was sent more than once.");
  const [scheme, given, ...rest] = (lines[0] ?? "").trim().split(/ +/);
  if (scheme?.toLowerCase() !== "bearer" || given === undefined || rest.length > 0) {
    return new HallError("unauthorized", "This request needs the workspace's token.");
  }
  if (sameText(given, rules.token)) return undefined;
  if (clientNamed(arrival, rules) === undefined)
    return new HallError("unauthorized", "The token is invalid for this workspace.");
  // The link would make it the person.
  return MAKES_SESSIONS.has(`${arrival.method} ${arrival.path}`)
    ? new HallError("forbidden", "Only the workspace's own token can sign in browsers.")
    : undefined;
}

/** Whose token a request shows, if it is not the workspace's own; what it says of itself does not count. */
export function clientNamed(arrival: Arrival, { clients = {} }: HouseRules): string | undefined {
  const given = /^bearer +(\S+)$/i.exec(arrival.headers.get("authorization")?.[0]?.trim() ?? "")?.[1];
  return given && Object.keys(clients).find((name) => sameText(given, clients[name] ?? ""));
}

/** Who is at the other end, as far as it says so itself. */
export function clientOf(arrival: Arrival): "cli" | "http" {
  return onlyValue(arrival.headers, "x-guildhall-client") === "cli" ? "cli" : "http";
}

function needsToken(arrival: Arrival): boolean {
  if (arrival.path !== "/api" && !arrival.path.startsWith("/api/")) return false;
  const reads = arrival.method === "GET" || arrival.method === "HEAD";
  return !(reads && OPEN_PATHS.has(arrival.path));
}

const checks: readonly Check[] = [
  refusePlain,
  refuseHost,
  refuseMethod,
  refusePath,
  refuseOrigin,
  refuseSite,
  refuseEncoding,
  refuseType,
  refuseToken,
];
