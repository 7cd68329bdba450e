import { z } from "zod";
import type { CodeError } from "../local-checks.ts";
import { cutMessage, MOST_ERRORS, type ParsedErrors, parsedJson, type ReportPlace, repositoryPath } from "./parsed.ts";

/** `src/a.ts(3,7): error TS2322: …`, with what follows indented. */
const TSC = /^(?:(\S.{0,1000}?)\((\d{1,9}),\d{1,9}\): )?error (TS\d{1,6}): (.*)$/;
/** `pkg/a.go:3:7: …` */
const LINES = /^(?:vet: )?([^\s:][^:]{0,1000}):(\d{1,9})(?::\d{1,9})?: (.*)$/;
/** `a.py:3: error: …`; notes and warnings are no errors. */
const MYPY = /^([^\s:][^:]{0,1000}):(\d{1,9})(?::\d{1,9})?: error: (.*)$/;

function drawn(source: string, found: (line: string) => CodeError | undefined): ParsedErrors {
  const errors: CodeError[] = [];
  for (const line of source.split("\n")) {
    const error = found(line.replace(/\r$/, ""));
    if (error !== undefined) errors.push({ ...error, message: cutMessage(error.message) });
    if (errors.length >= MOST_ERRORS) break;
  }
  return { errors };
}

export function parseTsc(source: string, place: ReportPlace): ParsedErrors {
  return drawn(source, (line) => {
    const found = TSC.exec(line);
    if (found === null) return undefined;
    const [, path, number, code, message] = found;
    const file = path === undefined ? undefined : repositoryPath(path, place);
    return {
      ...(file === undefined ? {} : { file, line: Math.max(1, Number(number)) }),
      message: `${code}: ${message}`,
    };
  });
}

export function parseGoVet(source: string, place: ReportPlace): ParsedErrors {
  return drawn(source, (line) => lineError(LINES.exec(line), place));
}

export function parseMypy(source: string, place: ReportPlace): ParsedErrors {
  return drawn(source, (line) => lineError(MYPY.exec(line), place));
}

function lineError(found: RegExpExecArray | null, place: ReportPlace): CodeError | undefined {
  const file = found === null ? undefined : repositoryPath(found[1] ?? "", place);
  if (found === null || file === undefined) return undefined;
  return { file, line: Math.max(1, Number(found[2])), message: found[3] ?? "" };
}

const Pyright = z.object({
  generalDiagnostics: z.array(
    z.object({
      file: z.string().catch(""),
      severity: z.string(),
      message: z.string(),
      range: z.object({ start: z.object({ line: z.number() }) }).optional(),
    }),
  ),
});

export function parsePyright(source: string, place: ReportPlace): ParsedErrors {
  const report = Pyright.safeParse(parsedJson(source));
  if (!report.success) return { errors: [], isUnreadable: true };
  return {
    errors: report.data.generalDiagnostics
      .filter(({ severity }) => severity === "error")
      .slice(0, MOST_ERRORS)
      .map(({ file, message, range }) => ({
        file: repositoryPath(file, place),
        line: range === undefined ? undefined : Math.max(1, Math.trunc(range.start.line) + 1),
        message: cutMessage(message),
      })),
  };
}

const Parsed = z.object({
  errors: z.array(z.object({ file: z.string(), line: z.number().optional(), message: z.string() })),
});

/** What the parsers in `reporters.ts` print. */
export function parseOwnErrors(source: string, place: ReportPlace): ParsedErrors {
  const last = source.trimEnd().split("\n").at(-1) ?? "";
  const report = Parsed.safeParse(parsedJson(last));
  if (!report.success) return { errors: [], isUnreadable: true };
  return {
    errors: report.data.errors.slice(0, MOST_ERRORS).map(({ file, line, message }) => ({
      file: repositoryPath(file, place),
      line: line === undefined ? undefined : Math.max(1, Math.trunc(line)),
      message: cutMessage(message),
    })),
  };
}
