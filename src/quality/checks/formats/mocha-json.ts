import { z } from "zod";
import { bodyFailure, loadFailure } from "./failure-class.ts";
import { lineIn } from "./jest-json.ts";
import { identified, type ParsedTests, parsedJson, type ReportPlace, repositoryPath, UNREADABLE } from "./parsed.ts";

const Entry = z.object({
  title: z.string(),
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z
    .object({
      message: z.string().optional(),
      stack: z.string().optional(),
      code: z.union([z.string(), z.number()]).optional(),
    })
    .catch({}),
});

const Report = z.object({
  stats: z.object({ tests: z.number() }),
  tests: z.array(Entry),
  pending: z.array(Entry),
  failures: z.array(Entry),
});

const HOOK = /^"(?:before|after)(?: each| all)?" hook/;

/** The JSON reporter of mocha. */
export function parseMochaJson(source: string, place: ReportPlace): ParsedTests {
  const report = Report.safeParse(parsedJson(source));
  if (!report.success) return UNREADABLE;
  const { tests, pending, failures } = report.data;
  const keyOf = ({ fullTitle, file }: z.infer<typeof Entry>) => JSON.stringify([file, fullTitle]);
  const failed = new Set(failures.map(keyOf));
  const left = new Set(pending.map(keyOf));
  const known = new Set(tests.map(keyOf));
  const all = [...tests, ...failures.filter((one) => !known.has(keyOf(one)))];
  return {
    tests: identified(
      all.map((one) => {
        const file = one.file == null ? undefined : repositoryPath(one.file, place);
        if (left.has(keyOf(one))) return { name: one.fullTitle, file, status: "skipped" };
        if (!failed.has(keyOf(one))) return { name: one.fullTitle, file, status: "passed" };
        const whole = [one.err.code, one.err.stack ?? one.err.message].filter((part) => part !== undefined).join("\n");
        return {
          name: one.fullTitle,
          file,
          line: file === undefined ? undefined : lineIn(whole, `${place.root}/${file}`),
          status: "failed",
          message: one.err.stack ?? one.err.message ?? "",
          failure: HOOK.test(one.title) ? loadFailure(whole) : bodyFailure(whole),
        };
      }),
    ),
  };
}
