import type { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { plainWords } from "../../contract/words/issue-words.ts";

const MOST_ISSUES = 10;
const LONGEST_KEY = 60;

/** The value as the schema gives it, or a HallError that names each field, what is wrong and what is allowed. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: plainWords });
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
  return cutText(JSON.stringify(String(key)).slice(1, -1), LONGEST_KEY);
}
