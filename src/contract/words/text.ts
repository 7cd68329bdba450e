import { z } from "zod";

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
// Characters that change how neighbouring text is shown, or that are never text: bidi controls, BOM, noncharacters.
const DECEPTIVE = /[\u202a-\u202e\u2066-\u2069\ufeff]|\p{Noncharacter_Code_Point}/u;
const WINDOWS_RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;
const SLUG = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** For `meta`, which the API's description takes rules from that a check in code enforces. */
export const NOT_BLANK = "\\S";

/** Makes one schema for each length: hundreds of fields share a few. */
function perLength<Schema>(make: (max: number) => Schema): (max: number) => Schema {
  const made = new Map<number, Schema>();
  return (max) => {
    const schema = made.get(max) ?? make(max);
    made.set(max, schema);
    return schema;
  };
}

/** One line a person reads: trimmed, without control or deceptive characters. */
export const line = perLength((max) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), "must be well-formed Unicode")
    .refine((value) => !CONTROL.test(value), "must be one line without control characters")
    .refine((value) => !DECEPTIVE.test(value), "must not contain deceptive characters")
    .meta({ pattern: NOT_BLANK }),
);

/** Any text as such a line: without what it must not have. */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(new RegExp(DECEPTIVE, "gu"), "")
    .replace(new RegExp(`${CONTROL.source}|\\s+`, "gu"), " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** The name of a file: as a line, but never trimmed, because a file that was quietly renamed is not found again. */
export const fileName = perLength((max) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((value) => value !== "" && value === value.trim(), "must not be empty, or start or end with a space")
    .refine((value) => line(max).safeParse(value).success, "must be one line without control or deceptive characters")
    .meta({ minLength: 1 }),
);

/** The content of a file, kept byte for byte. */
export const fileText = perLength((max) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), "must be well-formed Unicode")
    .refine((value) => !value.includes("\0"), "must not contain NUL"),
);

/** Text of many lines, kept byte for byte except that lines end in LF and blank ones at its ends are dropped. */
export const prose = perLength((max) => fileText(max).transform(plainLines));

/** LF line ends, and no blank lines at either end: what a text is after it was written to a file and read again. */
export function plainLines(text: string): string {
  return trimBlankLines(text.split("\n").map(withoutReturns).join("\n"));
}

/** A line without the carriage returns at its end. */
export function withoutReturns(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end--;
  return end === line.length ? line : line.slice(0, end);
}

export function trimBlankLines(text: string): string {
  const lines = text.split("\n");
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.trim() === "") start++;
  while (end > start && lines[end - 1]?.trim() === "") end--;
  return lines.slice(start, end).join("\n");
}

/** The name of a folder or a key in a URL. */
export const Slug = z
  .string()
  .max(64, "must have at most 64 characters")
  .regex(SLUG, "must be lower-case letters and digits, joined by single '-' or '_'")
  .refine((value) => !WINDOWS_RESERVED.test(value), "is a reserved name");

export const Timestamp = z.iso.datetime({ offset: true });

/** As people write it in a file: a day alone means its beginning. */
export const WrittenTimestamp = Timestamp.or(z.iso.date().transform((day) => `${day}T00:00:00.000Z`));

export const Words = z.array(line(200)).max(200);
