import type { SubjectKind } from "../documents/escalation-status.ts";

const PLAIN = /[A-Za-z0-9._-]/;

/** The id of a derived entry. A path or a name with other characters has them as `~` and two hex digits for each byte. */
export function queueId(kind: SubjectKind, subjectId: string): string {
  const bytes = new TextEncoder().encode(subjectId.toWellFormed());
  const text = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `~${byte.toString(16).padStart(2, "0")}`;
  });
  return `${kind}-${text.join("")}`;
}
