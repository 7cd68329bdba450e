import type { z } from "zod";
import { cutText } from "../../contract/words/cut-text.ts";
import { REQUIRED } from "../../contract/words/issue-words.ts";

export interface IssueWords {
  key: string;
  /** Where in the document the fault lies. */
  path: PropertyKey[];
  reason: string;
}

/**
 * The first fault of a document in words a person can act on: which key, what is wrong, what it has. Without `data` the
 * words do not tell what it has; what stands under a key that nobody knows may be a secret and is never told.
 */
export function describeIssue(error: z.ZodError, data?: unknown): IssueWords {
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const path = [...issue.path, ...issue.keys.slice(0, 1)];
    return { key: String(path[0]), path, reason: `${nameOf(path)}: is not a known key` };
  }
  const path = issue?.path ?? [];
  const reason = `${nameOf(path)}: ${issue?.message ?? "is not valid"}`;
  const isTold = data === undefined || issue?.message === REQUIRED;
  return { key: String(path[0] ?? ""), path, reason: isTold ? reason : `${reason} (${shown(data, path)})` };
}

function nameOf(path: PropertyKey[]): string {
  return path.map(String).join(".") || "document";
}

function shown(data: unknown, path: PropertyKey[]): string {
  const value = path.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    data,
  );
  return value === undefined ? "missing" : `it is ${cutText(JSON.stringify(value) ?? String(value), 80)}`;
}
