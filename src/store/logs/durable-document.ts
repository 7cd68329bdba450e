import type { z } from "zod";
import { FORMAT } from "../../contract/format.ts";
import type { Files } from "../files/files.ts";
import { isNewer, lineText, newerFormat, newerWords } from "./durable-line.ts";

/** A small document as it is written to a durable file, with the number of its format last. */
export function documentText(document: object): string {
  return `${lineText(document)}\n`;
}

/** As `documentText`, for files that people read too. */
export function pageText(document: object): string {
  return `${JSON.stringify({ ...document, format: FORMAT }, null, 2)}\n`;
}

/** What a parsed document says, and the number of its format. */
export function formatIn(value: unknown): { format?: unknown; document: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { document: value };
  const { format, ...document } = value as { format?: unknown };
  return { format, document };
}

/** Throws what is wrong in words for people where a newer program wrote it. */
export function withoutFormat(value: unknown): unknown {
  const { format, document } = formatIn(value);
  if (isNewer(format)) throw new Error(`the file ${newerWords(format)}`);
  return document;
}

/** Undefined where there is none, or it is broken. Throws when a newer program wrote it: without it, this one would do things again. */
export function readDocument<Schema extends z.ZodType>(
  files: Pick<Files, "exists" | "text">,
  path: string,
  schema: Schema,
): z.infer<Schema> | undefined {
  const { format, document } = formatIn(files.exists(path) ? parsed(files, path) : undefined);
  if (isNewer(format)) throw newerFormat(`'${path}'`, format, { file: path });
  return schema.safeParse(document).data;
}

function parsed(files: Pick<Files, "text">, path: string): unknown {
  try {
    return JSON.parse(files.text(path));
  } catch {
    return undefined;
  }
}
