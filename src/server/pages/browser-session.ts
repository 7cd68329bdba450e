import { createHmac, timingSafeEqual } from "node:crypto";

/** A browser that was signed in: what it keeps as a cookie, and what its pages send beside it. */
export interface BrowserSession {
  readonly cookie: string;
  readonly key: string;
}

export const PAGE_KEY_HEADER = "x-guildhall-page";
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** `id.expiry.seal`: the id and the seal in base64url, the expiry in seconds since 1970. */
const COOKIE = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/** Browsers do not keep cookies apart by port: without its port in the name, one hall would overwrite another's. */
export function cookieName(port: number): string {
  return `guildhall-${port}`;
}

/** A `device` counts only while it is on the list of paired devices; a `browser` is on no list. */
export type SessionKind = "browser" | "device";

interface Sealed {
  token: string;
  /** 16 random bytes. */
  id: string;
  expires: number;
  kind?: SessionKind;
}

/** Cookie and key are seals over the token, so that a new token ends every session. */
export function makeSession({ token, id, expires, kind = "browser" }: Sealed): BrowserSession {
  const sealed = { id, expires, kind };
  return {
    cookie: `${id}.${expires}.${seal(token, "cookie", sealed)}`,
    key: seal(token, "page", sealed),
  };
}

export interface PageCredentials {
  /** Every Cookie header. Another server on this machine may have set cookies of our name: one that fits is enough. */
  readonly cookieHeaders: readonly string[];
  readonly name: string;
  readonly key: string;
}

/** The session of which a page has both halves, unless it is over. */
export function sessionOf(
  { cookieHeaders, name, key }: PageCredentials,
  token: string,
  now: Date,
): { id: string; kind: SessionKind } | undefined {
  if (token === "") return undefined;
  for (const value of valuesOf(cookieHeaders, name)) {
    const [, id = "", expiry = "", given = ""] = COOKIE.exec(value) ?? [];
    const expires = Number(expiry);
    if (id === "" || expires * 1_000 <= now.getTime()) continue;
    for (const kind of ["browser", "device"] as const) {
      const isOurs = sameText(given, seal(token, "cookie", { id, expires, kind }));
      if (isOurs && sameText(key, seal(token, "page", { id, expires, kind }))) return { id, kind };
    }
  }
  return undefined;
}

/** Strict: it comes with no request that another site begins. The API alone sees it; over TLS, it never leaves it. */
export function cookieHeader(
  name: string,
  value: string,
  { seconds, secure }: { seconds: number; secure: boolean },
): string {
  return `${name}=${value}; Path=/api; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
}

export function sameText(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && right.length > 0 && timingSafeEqual(left, right);
}

function seal(token: string, half: "cookie" | "page", { id, expires, kind }: Required<Omit<Sealed, "token">>): string {
  return createHmac("sha256", token).update(`guildhall ${kind} ${half} ${id} ${expires}`).digest("base64url");
}

function valuesOf(headers: readonly string[], name: string): string[] {
  const pairs = headers.flatMap((header) => header.split(";")).map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
