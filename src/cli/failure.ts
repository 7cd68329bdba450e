import { errorTable, HallError } from "../contract/errors.ts";
import { errorText } from "../contract/words/error-text.ts";
import { hintText, toldHint } from "../contract/words/hint.ts";
import { AnsweredError } from "./http/client.ts";
import { harmlessJson, manyLines, oneLine } from "./text/plain-text.ts";
import { count } from "./text/text-card.ts";
import type { TableSpace } from "./text/text-table.ts";
import { wrapLabelled } from "./text/text-wrap.ts";

/** A failure as a person or a program reads it. Anything but a HallError is a defect of the command itself. */
export function failureText(
  error: unknown,
  choice: TableSpace & { json: boolean; debug: boolean; calledAs: string },
): string {
  const failure = asHallError(error);
  if (choice.json) return `${harmlessJson(JSON.stringify({ error: failureBody(failure) }))}\n`;
  const { paint, width } = choice;
  const problems = failure.message.split("\n");
  const isList = problems.length > 1;
  const what = isList ? count(problems.length, "problem") : failure.message;
  const lines = [`${paint("red", "error:")} ${oneLine(what)} ${paint("dim", `[${failure.code}]`)}`];
  // Marked, so that none can pass for a hint.
  if (isList) lines.push(...problems.map((problem) => `  - ${oneLine(problem)}`));
  if (failure.file !== undefined) lines.push(`  at ${oneLine(placeText(failure))}`);
  lines.push(`  hint: ${oneLine(hintText(failure.hint, choice.calledAs))}`);
  if (failure instanceof AnsweredError && failure.code === "internal")
    lines.push(`  request: ${oneLine(failure.requestId ?? "unknown")}`);
  if (choice.debug && error instanceof Error) lines.push(manyLines(error.stack ?? ""));
  return `${wrapLabelled(lines.join("\n"), width)}\n`;
}

export function failureExit(error: unknown): number {
  return errorTable[asHallError(error).code].exit;
}

function asHallError(error: unknown): HallError {
  if (error instanceof HallError) return error;
  const message = errorText(error);
  return new HallError("internal", message, {
    hint: "This is a bug in Guildhall. Set GUILDHALL_DEBUG=1 to see the stack trace.",
  });
}

function failureBody(failure: HallError): Record<string, unknown> {
  const { code, message, file, line } = failure;
  const requestId = failure instanceof AnsweredError ? failure.requestId : undefined;
  return { code, message, file, line, ...toldHint(failure.hint), requestId };
}

function placeText({ file, line }: HallError): string {
  return line === undefined ? `${file}` : `${file}:${line}`;
}
