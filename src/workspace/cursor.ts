import { HallError } from "../contract/errors.ts";

/** A place in a list, opaque to the client. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** `length` is how many values a place in this list has; a cursor of another list is refused. */
export function decodeCursor(cursor: string | undefined, length: number): (string | number)[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(position) &&
      position.length === length &&
      position.every((part) => typeof part === "string" || typeof part === "number")
    )
      return position;
  } catch {
    // Falls through to the refusal below.
  }
  throw new HallError("invalid", "cursor: must be the nextCursor of an earlier answer.");
}

/** The cursor of a list that is sorted by one text. */
export function decodeTextCursor(cursor: string | undefined): string | undefined {
  const position = decodeCursor(cursor, 1)?.[0];
  return position === undefined ? undefined : String(position);
}
