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

/** Nothing is stored: cookie and key are seals over the token, so that a new token ends every session. `id`: 16 random bytes. */
export function makeSession({ token, id, expires }: { token: string; id: string; expires: number }): BrowserSession {
  return {
    cookie: `${id}.${expires}.${seal(token, "cookie", { id, expires })}`,
    key: seal(token, "page", { id, expires }),
  };
}

export interface PageCredentials {
  /** Every Cookie header. Another server on this machine may have set cookies of our name: one that fits is enough. */
  readonly cookieHeaders: readonly string[];
  readonly name: string;
  readonly key: string;
}

/** Whether a page has both halves of one session that is not over. */
export function isSignedIn({ cookieHeaders, name, key }: PageCredentials, token: string, now: Date): boolean {
  if (token === "") return false;
  return valuesOf(cookieHeaders, name).some((value) => {
    const [, id = "", expiry = "", given = ""] = COOKIE.exec(value) ?? [];
    const expires = Number(expiry);
    if (id === "" || expires * 1_000 <= now.getTime()) return false;
    const isOurs = sameText(given, seal(token, "cookie", { id, expires }));
    return isOurs && sameText(key, seal(token, "page", { id, expires }));
  });
}

/** Strict: it comes with no request that another site begins. The API alone sees it. */
export function cookieHeader(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/api; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
}

export function sameText(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && right.length > 0 && timingSafeEqual(left, right);
}

function seal(token: string, half: "cookie" | "page", { id, expires }: { id: string; expires: number }): string {
  return createHmac("sha256", token).update(`guildhall browser ${half} ${id} ${expires}`).digest("base64url");
}

function valuesOf(headers: readonly string[], name: string): string[] {
  const pairs = headers.flatMap((header) => header.split(";")).map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
