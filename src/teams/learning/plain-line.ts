import { withoutUnseen } from "../../contract/documents/knowledge.ts";

const BREAKS = /[\s\p{Cc}\u2028\u2029]+/gu;

/** Text of others on one line, with nothing in it that a reader cannot see. */
export function plainLine(text: string): string {
  return withoutUnseen(text.replace(BREAKS, " ")).toWellFormed().trim();
}
