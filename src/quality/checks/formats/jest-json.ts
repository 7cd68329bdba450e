import { z } from "zod";
import type { TestCase } from "../local-checks.ts";
import { bodyFailure, loadFailure } from "./failure-class.ts";
import { identified, type ParsedTests, parsedJson, type ReportPlace, repositoryPath, UNREADABLE } from "./parsed.ts";

const Assertion = z.object({
  title: z.string().catch(""),
  fullName: z.string().optional(),
  ancestorTitles: z.array(z.string()).catch([]),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish().catch([]),
  location: z.object({ line: z.number() }).nullish().catch(null),
});

const Report = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish().catch(""),
      assertionResults: z.array(Assertion),
    }),
  ),
});

/** The JSON reporters of jest and vitest, which have the same form. */
export function parseJestJson(source: string, place: ReportPlace): ParsedTests {
  const report = Report.safeParse(parsedJson(source));
  if (!report.success) return UNREADABLE;
  const drafts = report.data.testResults.flatMap(
    ({ name, status, message, assertionResults }): Omit<TestCase, "id">[] => {
      const file = repositoryPath(name, place);
      const cases = assertionResults.map((one) => caseOf(one, { file, root: place.root }));
      const isSilent = status === "failed" && !cases.some((one) => one.status === "failed");
      if (!isSilent) return cases;
      const text = message ?? "";
      // The file could not be loaded, or something around its tests failed.
      return [...cases, { name: "(file)", file, status: "failed", message: text, failure: loadFailure(text) }];
    },
  );
  return { tests: identified(drafts) };
}

type Assertion = z.infer<typeof Assertion>;

function caseOf(one: Assertion, { file, root }: { file: string | undefined; root: string }): Omit<TestCase, "id"> {
  const name = (one.fullName ?? [...one.ancestorTitles, one.title].join(" ")).trim() || one.title;
  if (one.status === "passed") return { name, file, status: "passed" };
  if (one.status !== "failed") return { name, file, status: "skipped" };
  const message = (one.failureMessages ?? []).join("\n");
  const line = one.location?.line ?? (file === undefined ? undefined : lineIn(message, `${root}/${file}`));
  return { name, file, line, status: "failed", message, failure: bodyFailure(message) };
}

/** Where a stack passes through the test's own file. */
export function lineIn(stack: string, path: string): number | undefined {
  const at = stack.indexOf(`${path}:`);
  const line = at === -1 ? Number.NaN : Number.parseInt(stack.slice(at + path.length + 1, at + path.length + 10), 10);
  return line > 0 ? line : undefined;
}
