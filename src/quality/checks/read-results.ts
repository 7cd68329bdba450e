import type { FolderReader } from "../../store/files/folder-reader.ts";
import { type LinkRule, openRegular } from "../../store/files/regular-file.ts";
import type { Format, Plan } from "./detection/plan.ts";
import { parseCargoMessages, parseCargoTest } from "./formats/cargo.ts";
import { parseGoVet, parseMypy, parseOwnErrors, parsePyright, parseTsc } from "./formats/compilers.ts";
import { isGoJson, parseGoJson } from "./formats/go-json.ts";
import { parseJestJson } from "./formats/jest-json.ts";
import { parseJunit } from "./formats/junit.ts";
import { parseMochaJson } from "./formats/mocha-json.ts";
import { parseOwnLines } from "./formats/own-lines.ts";
import { type ParsedErrors, type ParsedTests, type ReportPlace, UNREADABLE } from "./formats/parsed.ts";
import { isTap, parseTap } from "./formats/tap.ts";

/** Of a report file. */
const MOST_REPORT = 64 * 1024 * 1024;
const ALONE: LinkRule = { hardLinks: "refuse" };

export interface Printed {
  output: string;
  /** Whether the output is all that was printed. */
  isWhole: boolean;
  /** The file that the command was to write; absolute. */
  report: string;
  checkout: FolderReader;
}

type Results = { errors: ParsedErrors } | { tests: ParsedTests } | "exit-only";

/** What a command reported, in its own format. */
export function resultsOf({ format, folder }: Plan, printed: Printed): Results {
  const place = { root: printed.checkout.root, folder };
  if (format.of === "errors") return { errors: errorsOf(format.by, printed, place) };
  switch (format.in) {
    case "report":
      return { tests: reportOf(format, fileText(printed.report), place) };
    case "checkout":
      return { tests: reportOf({ ...format, firstLine: 1 }, checkoutText(printed.checkout, format.path), place) };
    case "output":
      return outputOf(format, printed, folder);
  }
}

function errorsOf(by: Extract<Format, { of: "errors" }>["by"], { output }: Printed, place: ReportPlace): ParsedErrors {
  switch (by) {
    case "tsc":
      return parseTsc(output, place);
    case "go-vet":
      return parseGoVet(output, place);
    case "mypy":
      return parseMypy(output, place);
    case "pyright":
      return parsePyright(output, place);
    case "cargo":
      return parseCargoMessages(output, place.folder);
    case "own":
      return parseOwnErrors(output, place);
  }
}

type Reported = { by: "jest-json" | "mocha-json" | "own-lines" } | { by: "junit"; firstLine: 0 | 1 };

function reportOf(format: Reported, text: string | undefined, place: ReportPlace): ParsedTests {
  if (text === undefined) return UNREADABLE;
  switch (format.by) {
    case "jest-json":
      return parseJestJson(text, place);
    case "mocha-json":
      return parseMochaJson(text, place);
    case "own-lines":
      return parseOwnLines(text, place);
    case "junit":
      return parseJunit(text, { ...place, firstLine: format.firstLine });
  }
}

function outputOf(format: Extract<Format, { in: "output" }>, { output, isWhole }: Printed, folder: string): Results {
  // What was cut off may be what failed.
  if (!isWhole && format.by !== "any") return { tests: UNREADABLE };
  switch (format.by) {
    case "go-json":
      return { tests: parseGoJson(output, { module: format.module, folder }) };
    case "cargo":
      return { tests: parseCargoTest(output, folder) };
    case "any":
      if (isWhole && isGoJson(output)) return { tests: parseGoJson(output, { module: "", folder }) };
      return isWhole && isTap(output) ? { tests: parseTap(output) } : "exit-only";
  }
}

/** A command may have put anything there: a link, a pipe, or more than anyone can read. */
function fileText(absolute: string): string | undefined {
  try {
    return textOf(openRegular(absolute, "report", ALONE));
  } catch {
    return undefined;
  }
}

function checkoutText(checkout: FolderReader, path: string): string | undefined {
  try {
    return textOf(checkout.openContained(path, "."));
  } catch {
    return undefined;
  }
}

function textOf(file: ReturnType<typeof openRegular>): string | undefined {
  try {
    return file.size > MOST_REPORT ? undefined : file.all().toString("utf8");
  } finally {
    file.close();
  }
}
