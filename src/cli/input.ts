import { HallError } from "../contract/errors.ts";
import { hint } from "../contract/words/hint.ts";
import type { Input } from "./host.ts";

/** The value of an option; '-' stands for standard input. */
export async function textOrInput(value: string, input: Input): Promise<string>;
export async function textOrInput(value: string | undefined, input: Input): Promise<string | undefined>;
export async function textOrInput(value: string | undefined, input: Input): Promise<string | undefined> {
  return value === "-" ? decode(await input.read(), "standard input") : value;
}

/** What was read from standard input. */
export function textOf(bytes: Buffer): string {
  return decode(bytes, "standard input");
}

/** The text of a file, or of standard input for '-'. */
export async function fileOrInput(path: string, input: Input): Promise<string> {
  if (path === "-") return decode(await input.read(), "standard input");
  const { readFileSync } = await import("node:fs");
  try {
    return decode(readFileSync(path), path);
  } catch (error) {
    if (error instanceof HallError) throw error;
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new HallError("usage", `Can't read the file${reason}.`, {
      file: path,
      hint: "Check the name and permissions.",
    });
  }
}

/** A JSON object from a file, or from standard input for '-'. */
export async function objectOrInput(path: string, input: Input): Promise<Record<string, unknown>> {
  const text = await fileOrInput(path, input);
  const value = parse(text, path);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new HallError("malformed", "The file must contain one JSON object.", { file: path });
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HallError("malformed", `The file is not valid JSON: ${(error as Error).message}.`, {
      file,
      hint: "Fix the file and try again.",
    });
  }
}

function decode(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HallError("malformed", `The text from ${source} is not valid UTF-8.`, { hint: "Convert it to UTF-8." });
  }
}

/** '' takes a setting away, which the API calls null; undefined leaves it as it is. */
export function clearable<Value extends string | number>(value: Value | "" | undefined): Value | null | undefined {
  return value === "" ? null : value;
}

/** A change that changes nothing is a slip of whoever typed it. */
export function requireChange(body: object, command: string): void {
  if (given(body) !== undefined) return;
  throw new HallError("usage", "Nothing to change.", { hint: hint("command-options", { command }) });
}

/** An object without the keys that were not given, or undefined when none was. */
export function given<Value extends object>(value: Value): Value | undefined {
  return Object.values(value).some((each) => each !== undefined) ? value : undefined;
}
