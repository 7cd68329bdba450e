import type { ErrorBody } from "../contract/error-body.ts";
import { HallError } from "../contract/errors.ts";
import { toldHint } from "../contract/words/hint.ts";
import { storageReason } from "../store/files/storage-failure.ts";
import { withoutShapes } from "../store/secrets/secret-shapes.ts";

export type Log = (entry: { level: "info" | "warn" | "error"; message: string; [key: string]: unknown }) => void;

/** What the person is told. Only a HallError speaks for itself; of anything else at most the errno goes out. */
export function asHallError(error: unknown): HallError {
  if (error instanceof HallError) return error;
  const reason = storageReason(error);
  if (reason !== undefined)
    return new HallError("storage_failed", `The workspace could not be read or written: ${reason}.`);
  return new HallError("internal", "The daemon failed to answer this request.");
}

export function errorBody(error: HallError, requestId: string): string {
  const { code, message, file, line } = error;
  const shown = { code, message: withoutShapes(message), file, line };
  const told = { ...shown, ...toldHint(error.hint), ...recoveryOf(error), requestId };
  return JSON.stringify({ error: told } satisfies ErrorBody);
}

function recoveryOf({ code, changed, retryable }: HallError) {
  return { ...(code === "storage_failed" && { changed }), ...(retryable && { retryable: true as const }) };
}

/** Failures of the daemon itself go to the log; refused requests do not. */
export function logFailure(
  log: Log,
  error: unknown,
  request: { requestId: string; method: string; path: string },
): void {
  const told = asHallError(error);
  if (told.status < 500 || told.code === "stopping") return;
  const stack = error instanceof Error ? error.stack : String(error);
  log({ level: "error", message: `${request.method} ${request.path} failed`, code: told.code, ...request, stack });
}
