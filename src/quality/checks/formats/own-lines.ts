import { z } from "zod";
import type { TestCase } from "../local-checks.ts";
import { bodyFailure, loadFailure } from "./failure-class.ts";
import {
  identified,
  MOST_CASES,
  type ParsedTests,
  parsedJson,
  type ReportPlace,
  repositoryPath,
  UNREADABLE,
} from "./parsed.ts";

const Line = z.object({
  name: z.string(),
  file: z.string().optional(),
  line: z.number().int().min(1).optional(),
  status: z.enum(["passed", "failed", "skipped"]),
  /** Where it failed: in the test itself, or around it. */
  phase: z.enum(["body", "load"]).optional(),
  /** The error's class and code. */
  error: z.string().optional(),
  message: z.string().optional(),
});

const End = z.object({ end: z.literal(true) });

/** One JSON object per line, as the reporters in `reporters.ts` write it; the last line says that it is the last. */
export function parseOwnLines(source: string, place: ReportPlace): ParsedTests {
  const drafts: Omit<TestCase, "id">[] = [];
  let isWhole = false;
  for (const text of source.split("\n")) {
    if (text === "") continue;
    const value = parsedJson(text);
    if (End.safeParse(value).success) isWhole = true;
    const line = Line.safeParse(value);
    if (line.success) drafts.push(caseOf(line.data, place));
    else if (!isWhole) return UNREADABLE;
    if (drafts.length >= MOST_CASES) break;
  }
  return isWhole || drafts.length >= MOST_CASES ? { tests: identified(drafts) } : UNREADABLE;
}

function caseOf({ phase, error = "", ...line }: z.infer<typeof Line>, place: ReportPlace): Omit<TestCase, "id"> {
  const file = line.file === undefined ? undefined : repositoryPath(line.file, place);
  if (line.status !== "failed") return { name: line.name, file, line: line.line, status: line.status };
  const whole = `${error}: ${line.message ?? ""}`;
  return { ...line, file, failure: phase === "load" ? loadFailure(whole) : bodyFailure(whole) };
}
