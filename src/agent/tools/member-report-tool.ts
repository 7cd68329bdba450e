import { z } from "zod";
import { FINDING_SEVERITIES } from "../../contract/words/review-words.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";
import { readMemberReport } from "../hand-ins/member-report.ts";
import { jsonSchemaOf, schemaOnce, type Tool } from "../tool.ts";
import { jsonIn } from "./review-tool.ts";
import { REPORT_SAVED, WorkReport } from "./work-report.ts";

const texts = (about: string) => z.array(z.string()).optional().describe(about);

const document = {
  artifactPath: z.string().optional().describe("The file with your result, relative to the working folder."),
  content: z.string().optional().describe("The text of your result as Markdown, where it belongs in no file."),
};
const decided = {
  ...document,
  keyDecisions: texts("What you decided, one sentence each."),
  warnings: texts("What others should know."),
};
const percent = (about: string) => z.number().nullable().describe(`${about}, in percent; null if not measured.`);
const severities = Object.fromEntries(FINDING_SEVERITIES.map((name) => [name, z.int()]));

/** What models are shown; the reader in hand-ins/ takes what they send. */
const SHOWN: Readonly<Record<ResponsibilityType, () => z.ZodType>> = {
  orchestration: schemaOnce(() => WorkReport.extend(decided)),
  "code-gen-docs": schemaOnce(() => WorkReport.extend(decided)),
  "code-gen-code": schemaOnce(() =>
    WorkReport.extend({
      filesChanged: texts("Files that you changed."),
      skippedFiles: z
        .array(z.strictObject({ path: z.string(), reason: z.string() }))
        .optional()
        .describe("Planned files that are not needed, and why."),
      warnings: decided.warnings,
    }),
  ),
  "read-only": schemaOnce(() =>
    WorkReport.extend({
      ...document,
      findings: z.array(
        z.strictObject({
          severity: z.enum(FINDING_SEVERITIES),
          file: z.string().optional(),
          line: z.int().optional(),
          message: z.string(),
          fix: z.string().optional(),
        }),
      ),
      severityCounts: z.strictObject(severities).describe("How many findings there are of each severity."),
    }),
  ),
  validation: schemaOnce(() =>
    WorkReport.extend({
      ...document,
      passRate: percent("Tests that pass"),
      coverage: percent("Lines that tests cover"),
      remainingFailures: texts("Tests that still fail, and why."),
    }),
  ),
};

/** The report of a member of a team. A call with faults names all of them, and may be repeated. */
export function memberReportTool(type: ResponsibilityType, hall: { hasFile(path: string): boolean }): Tool {
  return {
    spec: {
      name: "report",
      description: "Submit your result: what was done, how it was verified, what is open. Call it once, at the end.",
      inputSchema: jsonSchemaOf(SHOWN[type]()),
    },
    changes: true,
    repeatable: true,
    // The journal has the call; whoever reads it has the report.
    run: async (text) => {
      const read = readMemberReport(jsonIn(text), type);
      if (!read.ok) return notSaved(read.faults);
      const { report, returned } = read.value;
      const named = [...report.artifacts, ...(returned.artifactPath === undefined ? [] : [returned.artifactPath])];
      const missing = [...new Set(named)].filter((path) => !hall.hasFile(path));
      if (missing.length > 0) return notSaved(missing.map((path) => `the working folder has no file '${path}'`));
      return { output: REPORT_SAVED };
    },
  };
}

function notSaved(faults: readonly string[]): { output: string; failed: true } {
  return {
    output: `Report not saved. Fix all of these, then submit it again:\n- ${faults.join("\n- ")}`,
    failed: true,
  };
}
