import { createHash } from "node:crypto";

/** The same for the same finding in a later cycle: by what it is about, never by its line. */
export function findingId(code: string, ...about: (string | undefined)[]): string {
  const hash = createHash("sha256").update(JSON.stringify([code, ...about]));
  return `${code}-${hash.digest("hex").slice(0, 10)}`;
}
