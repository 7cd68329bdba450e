import { isDeepStrictEqual } from "node:util";
import { cutText } from "../../contract/words/cut-text.ts";

const LONGEST = 120;

/** Where a plan that was read says something else than the text did: what it left out, or put into the form of a plan. */
export function changedIn(written: unknown, read: unknown, path = ""): string[] {
  if (isNothing(written) || isDeepStrictEqual(written, read)) return [];
  if (path !== "" && read === undefined) return [`${path}: unknown key`];
  const place = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (isRecord(written) && isRecord(read))
    return Object.entries(written).flatMap(([key, value]) =>
      changedIn(value, Object.hasOwn(read, key) ? read[key] : undefined, place(key)),
    );
  if (Array.isArray(written) && Array.isArray(read) && written.length === read.length)
    return written.flatMap((value, at) => changedIn(value, read[at], place(at)));
  return [`${path}: must be ${cutText(JSON.stringify(read), LONGEST)}`];
}

/** What is left out has a default. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
