import { HallError } from "../contract/errors.ts";

const DOCUMENTS = ["task", "role", "project", "file"] as const;

interface Document {
  etag?: unknown;
  blockedBy?: unknown;
}

/** The etag of the document an answer holds; lists and reports have none. */
export function etagOf(answer: object): string | undefined {
  for (const name of DOCUMENTS) {
    const etag = (answer as Record<string, Document | undefined>)[name]?.etag;
    if (typeof etag === "string") return etag;
  }
  return undefined;
}

/**
 * Whether the client's copy is still the answer. An etag covers the file: what a project counts and lists, and
 * whether the tasks a task waits for are finished, change without it, so those answers are always sent.
 */
export function isUnchanged(answer: object, ifNoneMatch: string | undefined): boolean {
  const etag = etagOf(answer);
  if (ifNoneMatch === undefined || etag === undefined || !coversAnswer(answer)) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((entry) => unquoted(entry.trim().replace(/^W\//, "")) === etag);
}

/** The etag a change is based on. `*` asks for no particular one. */
export function parseIfMatch(header: string | undefined): string | undefined {
  const value = header?.trim();
  if (value === undefined || value === "*") return undefined;
  if (value === "" || value.startsWith("W/") || value.includes(",") || /\s/.test(value)) {
    throw new HallError("malformed", "If-Match must be one strong etag in quotes, or *.", {
      hint: "Send the ETag of the document as it was read.",
    });
  }
  return unquoted(value);
}

function coversAnswer(answer: object): boolean {
  if ("project" in answer) return false;
  const task = (answer as { task?: Document }).task;
  return task === undefined || (Array.isArray(task.blockedBy) && task.blockedBy.length === 0);
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
