import type { z } from "zod";

/** The first fault of a document in words a person can act on: which key, what is wrong, what it has. */
export function describeIssue(error: z.ZodError, data: unknown): { key: string; reason: string } {
  const issue = error.issues[0];
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    data,
  );
  const shown = value === undefined ? "missing" : `it is ${shorten(JSON.stringify(value) ?? String(value))}`;
  return {
    key: String(path[0] ?? ""),
    reason: `${path.map(String).join(".") || "document"}: ${lowerFirst(issue?.message ?? "is invalid")} (${shown})`,
  };
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
