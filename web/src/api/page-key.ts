/**
 * The half of the sign-in that a page keeps. Storage is kept apart by port, which cookies are not: another server on this
 * machine may get the cookie, but never this.
 */
const NAME = "guildhall.page-key";

export function pageKey(): string | undefined {
  return localStorage.getItem(NAME) ?? undefined;
}

export function keepPageKey(key: string | undefined): void {
  if (key === undefined) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, key);
}

export function pageHeaders(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { "x-guildhall-page": key };
}
