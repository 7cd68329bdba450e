import { HallError } from "../contract/errors.ts";

/** A place in a list, opaque to the client. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

export function decodeCursor(cursor: string | undefined): (string | number)[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(position) &&
      position.length <= 3 &&
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
  const position = decodeCursor(cursor)?.[0];
  return position === undefined ? undefined : String(position);
}
