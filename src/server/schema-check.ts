import { z } from "zod";
import { HallError } from "../contract/errors.ts";

const MOST_ISSUES = 10;
const LONGEST_KEY = 60;

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** The value as the schema gives it, or a HallError that names each field, what is wrong and what is allowed. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: phrase });
  if (result.success) return result.data;
  throw new HallError("invalid", sentence(result.error.issues));
}

function sentence(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.flatMap((issue) => describe(issue, []));
  const shown = lines.slice(0, MOST_ISSUES).join("; ");
  return lines.length > MOST_ISSUES ? `${shown}; and ${lines.length - MOST_ISSUES} more` : shown;
}

function describe(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): string[] {
  const path = [...parents, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${fieldName([...path, key])}: ${issue.message}`);
  }
  const branch = issue.code === "invalid_union" ? nearestBranch(issue.errors) : undefined;
  if (branch) return branch.flatMap((inner) => describe(inner, path));
  return [path.length === 0 ? issue.message : `${fieldName(path)}: ${issue.message}`];
}

/** Of the forms a field may have, the one that was meant: the value is of its kind, only something in it is wrong. */
function nearestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  return branches.find((issues) => !issues.some((issue) => issue.code === "invalid_type" && issue.path.length === 0));
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${plainKey(part)}`))
    .join("");
}

function plainKey(key: PropertyKey): string {
  const quoted = JSON.stringify(String(key)).slice(1, -1);
  return quoted.length > LONGEST_KEY ? `${quoted.slice(0, LONGEST_KEY)}…` : quoted;
}

/** What to say about an issue for which the contract has no words of its own. */
function phrase(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return `is not known here${knownKeys(issue.inst)}`;
    case "too_small":
      return `must ${bound(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      return `must ${bound(issue.origin, "at most", issue.maximum)}`;
    case "invalid_format":
      return issue.format === "datetime" ? "must be a time such as 2026-01-31T12:00:00Z" : undefined;
    case "invalid_union":
      return `must be ${issue.errors.flatMap(expectedKind).join(" or ")}`;
    default:
      return undefined;
  }
}

function bound(origin: string, side: string, size: number | bigint): string {
  if (origin === "string") return `have ${side} ${size} characters`;
  return origin === "array" ? `have ${side} ${size} entries` : `be ${side} ${size}`;
}

function knownKeys(schema: unknown): string {
  if (!(schema instanceof z.ZodObject)) return "";
  const keys = Object.keys(schema.shape);
  return keys.length === 0 ? "; nothing is" : `; known are ${keys.join(", ")}`;
}

function expectedKind(issues: readonly z.core.$ZodIssue[]): string[] {
  const first = issues[0];
  return first?.code === "invalid_type" ? [kinds[first.expected] ?? first.expected] : [];
}
