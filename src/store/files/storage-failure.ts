import { HallError } from "../../contract/errors.ts";

const ERRNOS: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EROFS",
  "EDQUOT",
  "EMFILE",
  "ENFILE",
  "EIO",
  "EACCES",
  "EPERM",
]);
// SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
const SQLITE_CODES: ReadonlySet<number> = new Set([8, 10, 13, 14]);

const WORDS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EIO: "the disk reports an error",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/** Why the disk did not take or give something; undefined for any other error. Names no path. */
export function storageReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (ERRNOS.has(code)) return String(code);
  if (typeof errcode === "number" && SQLITE_CODES.has(errcode & 0xff)) return `the index answered ${errcode}`;
  return storageReason(error.cause);
}

/** The same in words, for whoever waits until the disk works again; a refused change counts as well. */
export function storageTrouble(error: unknown): string | undefined {
  const reason = storageReason(error);
  if (reason !== undefined) return WORDS[reason] === undefined ? reason : `${WORDS[reason]} (${reason})`;
  return error instanceof HallError && error.code === "storage_failed" ? error.message : undefined;
}
