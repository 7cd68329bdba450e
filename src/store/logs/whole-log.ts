import type { z } from "zod";
import { knownShape } from "../../contract/known-shape.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { Files } from "../files/files.ts";
import { isNewer, newerWords } from "./durable-line.ts";

/** The first line of a log that can't be read, and why. */
export interface LineFault {
  line: number;
  reason: string;
}

/**
 * Gives the lines of a log to `take`, one after the other, for logs that mean nothing with a line left out. Stops at the first that is
 * in a newer format or broken, or at which `take` throws, and answers it. A missing file has no lines.
 */
export function takeLines<Schema extends z.ZodType>(
  files: Pick<Files, "exists" | "text">,
  path: string,
  { schema, take }: { schema: Schema; take: (entry: z.infer<Schema>) => void },
): LineFault | undefined {
  const texts = files.exists(path) ? files.text(path).split("\n") : [];
  for (const [at, text] of texts.entries()) {
    if (text === "" && at === texts.length - 1) break;
    try {
      take(entryIn(schema, text));
    } catch (error) {
      return { line: at + 1, reason: errorText(error) };
    }
  }
  return undefined;
}

/** Throws what is wrong with a line, in words for people. */
function entryIn<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> {
  const value = objectIn(text);
  if (value === undefined) throw new Error("the line is not a JSON object");
  const { format, ...entry } = value;
  if (isNewer(format)) throw new Error(`the line ${newerWords(format)}`);
  const parsed = schema.safeParse(entry, { error: plainWords });
  if (parsed.success) return parsed.data;
  const known = knownShape(schema, entry);
  if (known !== undefined) return known;
  const [issue] = parsed.error.issues;
  throw new Error(`the line can't be read: ${issue?.path.join(".")}: ${issue?.message}`);
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
