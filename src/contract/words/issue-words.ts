import { z } from "zod";

export const REQUIRED = "is required";

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

/** What a person reads about an issue for which its schema has no words of its own: the `error` of every parsing. */
export function plainWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? REQUIRED : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return `is not a known key${knownKeys(issue.inst)}`;
    case "too_small":
      return issue.origin !== "number" && issue.minimum === 1
        ? "must not be empty"
        : `must ${bound(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      return `must ${bound(issue.origin, "at most", issue.maximum)}`;
    case "invalid_format":
      return issue.format === "datetime" ? "must be a time such as 2026-01-31T12:00:00Z" : "has an invalid format";
    case "invalid_key":
      return `is not a valid name: it ${issue.issues[0]?.message ?? "is not valid"}`;
    case "invalid_union":
      return `must be ${issue.errors.flatMap(expectedKind).join(" or ") || "something else"}`;
    default:
      return "is not valid";
  }
}

function bound(origin: string, side: string, size: number | bigint): string {
  if (origin === "string") return `have ${side} ${size} characters`;
  return origin === "array" ? `have ${side} ${size} entries` : `be ${side} ${size}`;
}

function knownKeys(schema: unknown): string {
  if (!(schema instanceof z.ZodObject)) return "";
  const keys = Object.keys(schema.shape);
  return keys.length === 0 ? "; none are allowed" : `; known keys: ${keys.join(", ")}`;
}

function expectedKind(issues: readonly z.core.$ZodIssue[]): string[] {
  const first = issues[0];
  return first?.code === "invalid_type" ? [kinds[first.expected] ?? first.expected] : [];
}
